"""A timeline as a picture of its own, with its figures, in every language and theme."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from scripts.harness.paths import RESULTS
from scripts.harness.timeline import list_timelines, read_timeline
from scripts.site.declare.texts import list_languages
from scripts.site.render.svg import read_colours
from scripts.site.render.timeline import (
    MOST_LANES,
    RIGHT,
    draw_timeline,
    list_ticks,
    make_events,
    name_lanes,
    show_timeline,
)
from scripts.site.render.words import load_words
from tests.factories import make_lane, make_timeline

EN = load_words("en")
NAME = "thread pool"
NBSP = "\N{NO-BREAK SPACE}"
SVG = "{http://www.w3.org/2000/svg}"

each_language = pytest.mark.parametrize("language", list_languages())


def read_texts(picture: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(picture).iter(f"{SVG}text")]


@each_language
def test_a_picture_is_well_formed_and_says_of_itself_what_it_shows(language: str) -> None:
    words = load_words(language)
    root = ET.fromstring(draw_timeline(make_timeline(), NAME, words))
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text is not None
    assert title.text.startswith("Thread pool")
    assert words.number(0.6, 2) in title.text
    assert root.get("role") == "img"


def test_colours_are_those_of_the_site_in_both_themes() -> None:
    light, dark = read_colours()
    assert light.keys() == dark.keys()
    assert light["ink"] != dark["ink"]
    picture = draw_timeline(make_timeline(), NAME, EN)
    assert f"svg{{--ink:{light['ink']}" in picture
    assert f"svg:target{{--ink:{dark['ink']}" in picture
    assert 'id="only-dark"' in picture


def test_of_a_thousand_threads_the_busiest_are_shown_and_the_others_counted() -> None:
    lanes = [make_lane(thread=number, running_us=number) for number in range(1, 65)]
    texts = read_texts(draw_timeline(make_timeline(threads=1000, lanes=lanes), NAME, EN))
    assert "thread 64" in texts
    assert "thread 1" not in texts
    assert "985 more" in texts
    assert sum(text.startswith("thread") for text in texts) == MOST_LANES - 1


def test_a_process_is_named_once_before_its_threads() -> None:
    places = [(1, 1), (1, 2), (2, 1)]
    lanes = [make_lane(process=process, thread=thread) for process, thread in places]
    assert list(name_lanes(lanes, EN)) == ["process 1", "thread 2", "process 2"]
    assert list(name_lanes(lanes[:2], EN)) == ["thread 1", "thread 2"]


def test_a_task_is_named_by_its_number_and_function_and_not_too_long() -> None:
    lanes = [make_lane(task=3, name="fetch"), make_lane(task=4, name="x" * 60)]
    assert list(name_lanes(lanes, EN)) == ["task 3 fetch", f"task 4 {'x' * 4}…"]


@pytest.mark.parametrize(
    ("us", "labels"),
    [
        (70, ["0", "0.02", "0.04", f"0.06{NBSP}ms"]),
        (354_000, ["0", "100", "200", f"300{NBSP}ms"]),
        (1_060_000, ["0", "0.5", f"1{NBSP}s"]),
    ],
)
def test_the_axis_has_a_few_round_moments(us: int, labels: list[str]) -> None:
    ticks = list_ticks(us / (RIGHT - 94), EN)
    assert [label for _, label in ticks] == labels
    assert all(0 <= moment <= us for moment, _ in ticks)


@each_language
def test_the_figures_stand_beneath_the_picture_and_coverage_is_told(language: str) -> None:
    words = load_words(language)
    shown = show_timeline(make_timeline(unseen=7, lag_us=12_300), NAME, words, "p.svg", "t.json")
    assert 'src="p.svg#only-dark"' in shown
    assert 'href="t.json"' in shown
    for told in (words.number(0.6, 2), words.percent(60 / 64), words.plain(7), f"12{NBSP}"):
        assert told in shown
    assert "120" in shown  # 12 switches in a tenth of a second
    assert "<details" in shown
    assert "open" not in shown.partition(">")[0]


@pytest.mark.parametrize("wall_us", [0, 1, 10])
def test_a_run_that_lasted_no_time_is_drawn_as_well(wall_us: int) -> None:
    one = make_timeline(wall_us=wall_us, busy=[], lanes=[], threads=0, seen_us=0)
    ET.fromstring(draw_timeline(one, NAME, EN))
    show_timeline(one, NAME, EN, "", "")


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
