"""A timeline as a picture of its own, with its figures, in every language and theme."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from scripts.harness.paths import RESULTS
from scripts.harness.timeline import Timeline, list_timelines, read_timeline
from scripts.site.render.timeline import (
    MOST_LANES,
    Watched,
    list_ticks,
    make_events,
    show_timelines,
)
from scripts.site.render.words import load_words
from tests.factories import make_lane, make_timeline

EN = load_words("en")
NAME = "thread pool"
NBSP = "\N{NO-BREAK SPACE}"


def show(*timelines: Timeline) -> str:
    shown = [Watched(timeline=one, name=NAME, colour=1, data="t.json") for one in timelines]
    return show_timelines(shown, EN)


def list_names(shown: str) -> list[str]:
    names = shown.partition('timeline-names" aria-hidden="true">')[2].partition("</div>")[0]
    return re.findall("<span>(.*?)</span>", names)[1:]


def test_a_picture_begins_with_the_work_and_what_was_before_is_not_in_it() -> None:
    whole = show(make_timeline())
    assert "M0.0 " in whole
    later = show(
        make_timeline(
            work_us=60_000, lanes=[make_lane(spans=[(0, 40_000, 1), (80_000, 90_000, 2)])]
        )
    )
    assert 'class="c1" d=' not in later
    assert 'class="c2" d="M500.0 ' in later
    assert f"<strong>{NAME}</strong>, 40{NBSP}ms" in later


def test_two_runs_stand_on_one_axis() -> None:
    shown = show(make_timeline(), make_timeline(wall_us=200_000))
    assert shown.count("<svg viewBox") == 2
    assert shown.count("timeline-axis") == 1
    assert 'H500.0"' in shown


def test_of_a_thousand_threads_the_busiest_are_shown_and_the_others_counted() -> None:
    lanes = [make_lane(thread=number, running_us=number) for number in range(1, 65)]
    names = list_names(show(make_timeline(threads=1000, lanes=lanes)))
    assert "thread 64" in names
    assert "thread 1" not in names
    assert "985 more" in names
    assert len(names) == MOST_LANES


@pytest.mark.parametrize(
    ("us", "labels"),
    [
        (70, ["0", "0.02", "0.04", f"0.06{NBSP}ms"]),
        (354_000, ["0", "100", "200", f"300{NBSP}ms"]),
        (1_060_000, ["0", "0.5", f"1{NBSP}s"]),
    ],
)
def test_the_axis_has_a_few_round_moments(us: int, labels: list[str]) -> None:
    ticks = list_ticks(us, EN)
    assert [label for _, label in ticks] == labels
    assert all(0 <= place <= 100 for place, _ in ticks)


def test_the_figures_stand_above_the_picture_and_coverage_is_told() -> None:
    shown = unescape(show(make_timeline(unseen=7, lag_us=12_300)))
    for told in (EN.number(0.6, 2), EN.percent(60 / 64), EN.plain(7), f"12{NBSP}"):
        assert told in shown
    assert "120" in shown  # 12 switches in a tenth of a second
    assert 'href="t.json"' in shown


@pytest.mark.parametrize("wall_us", [1, 10])
def test_a_run_that_lasted_hardly_any_time_is_drawn_as_well(wall_us: int) -> None:
    assert "<svg" in show(make_timeline(wall_us=wall_us, busy=[], lanes=[], threads=0, seen_us=0))


def find_unreadable(document: Any) -> Iterator[str]:
    """What of a file is not in the Trace Event format, or would be read as something else.

    Perfetto's reader (``json_trace_parser``) drops what lacks a moment, knows threads by ``tid``
    alone, keeps 0 for the idle task, and nests what overlaps on one thread.
    """
    assert document.keys() <= {"traceEvents", "displayTimeUnit", "otherData"}
    assert document["displayTimeUnit"] in ("ms", "ns")
    owners: dict[int, int] = {}
    until: dict[int, int] = {}
    for event in document["traceEvents"]:
        pid, tid, kind = event["pid"], event["tid"], event["ph"]
        if not all(type(number) is int and 0 < number < 2**31 for number in (pid, tid)):
            yield f"{event}: no number of a process or a thread"
        if owners.setdefault(tid, pid) != pid:
            yield f"{event}: a thread of two processes"
        if not event["name"]:
            yield f"{event}: has no name"
        if kind == "M":
            if event["name"] not in ("process_name", "thread_name") or not event["args"]["name"]:
                yield f"{event}: names nothing"
        elif type(event["ts"]) is not int or event["ts"] < 0:
            yield f"{event}: at no moment"
        elif kind == "X":
            if event["dur"] < 0 or event["ts"] < until.get(tid, 0):
                yield f"{event}: overlaps the one before"
            until[tid] = event["ts"] + event["dur"]
        elif kind != "C" or not all(value >= 0 for value in event["args"].values()):
            yield f"{event}: is of no kind that is read"


@pytest.mark.slow
def test_every_recorded_timeline_becomes_a_file_that_perfetto_reads() -> None:
    for path in list_timelines(RESULTS):
        timeline = read_timeline(path)
        assert timeline, path
        document = json.loads(json.dumps(make_events(timeline), allow_nan=False))
        assert list(find_unreadable(document)) == [], path
        named = [one for one in document["traceEvents"] if one["name"] == "thread_name"]
        assert len({one["tid"] for one in named}) == len(named) == len(timeline.lanes), path


def test_threads_of_several_processes_are_told_apart() -> None:
    lanes = [make_lane(process=process, thread=thread) for process in (1, 2) for thread in (1, 2)]
    events = make_events(make_timeline(lanes=lanes))["traceEvents"]
    named = {one["tid"]: one["pid"] for one in events if one["name"] == "thread_name"}
    assert len(named) == 4
    assert sorted(named[pid] for pid in set(named.values())) == sorted(set(named.values()))


def test_events_are_those_that_perfetto_reads() -> None:
    lanes = [make_lane(), make_lane(task=2, name="fetch", spans=[(0, 10, 1)])]
    document = make_events(make_timeline(lanes=lanes))
    events = json.loads(json.dumps(document))["traceEvents"]
    spans = [one for one in events if one["ph"] == "X"]
    assert [one["name"] for one in spans] == ["runs", "waits for a core", "runs", "fetch"]
    assert spans[0] == {
        "ph": "X", "ts": 0, "dur": 40_000, "pid": 1, "tid": 1, "cat": "sched", "name": "runs",
        "args": {"core": 1},
    }  # fmt: skip
    names = [one["args"]["name"] for one in events if one["name"] == "thread_name"]
    assert names == ["thread 1", "task 2 fetch"]
    counted = [one for one in events if one["ph"] == "C"]
    assert counted[1]["args"] == {"threads": 0.6}
    assert counted[1]["ts"] == 100_000 // 120
