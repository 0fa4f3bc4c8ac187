"""A timeline as a picture of its own, with its figures, in every language and theme."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from scripts.harness.paths import RESULTS
from scripts.harness.timeline import list_timelines, read_timeline
from scripts.site.declare.texts import list_languages
from scripts.site.render.timeline import (
    MOST_LANES,
    draw_timeline,
    make_events,
)
from scripts.site.render.words import load_words
from tests.factories import make_lane, make_timeline

EN = load_words("en")
NAME = "thread pool"
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


def test_of_a_thousand_threads_the_busiest_are_shown_and_the_others_counted() -> None:
    lanes = [make_lane(thread=number, running_us=number) for number in range(1, 65)]
    texts = read_texts(draw_timeline(make_timeline(threads=1000, lanes=lanes), NAME, EN))
    assert "thread 64" in texts
    assert "thread 1" not in texts
    assert "985 more" in texts
    assert sum(text.startswith("thread") for text in texts) == MOST_LANES - 1


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
