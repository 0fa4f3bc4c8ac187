"""Programs under one cursor: what the script is told, and what is there without it."""

import html
import json
import re
from typing import Any

import pytest

from scripts.harness.texts import list_languages
from scripts.site.render.stepper import show_stepper
from scripts.site.render.words import load_words
from tests.factories import make_lane, make_timeline

SOURCE = '''\
"""A lab."""


def work(n: int) -> None:
    for _ in range(n):
        print("<b>")


work(3)
'''


def make_lanes(*, task: bool = False) -> list[Any]:
    """What was before the first line is not shown; of three close turns there is one."""
    spans = [(0, 900, 1), (1000, 200_000, 1), (200_100, 300_000, 2), (300_000, 400_000, 0)]
    lines = [(1000, 5), (1100, 6), (250_000, 5)]
    places = [{"thread": 1, "task": 2}, {"thread": 1, "task": 3}]
    places = places if task else [{"thread": 2}, {"thread": 3}]
    lanes = [make_lane(end_us=900_000, spans=spans, lines=lines, **place) for place in places]
    return [make_lane(), *lanes]


def show(language: str, **of_lanes: bool) -> str:
    timeline = make_timeline(lanes=make_lanes(**of_lanes))
    words = load_words(language)
    return str(show_stepper({"preemptive": timeline}, {"preemptive": SOURCE}, "work", words, "a"))


def read_told(shown: str) -> dict[str, Any]:
    (told,) = re.findall(r'data-told="([^"]*)"', shown)
    read: dict[str, Any] = json.loads(html.unescape(told))
    return read


def test_what_runs_unbroken_since_before_its_first_line_is_shown_to_its_end() -> None:
    lanes = [make_lane(end_us=900_000, spans=[(0, 800_000, 1)], lines=[(1000, 5), (1100, 6)])]
    shown = show_stepper(
        {"parallel": make_timeline(lanes=lanes)},
        {"parallel": SOURCE},
        "work",
        load_words("en"),
        "a",
    )
    told = read_told(str(shown))
    assert told["end"] == 799_000
    assert told["lanes"][0]["runs"] == [[0, 799_000]]


def test_where_no_run_was_seen_after_the_first_line_the_panel_stands_without() -> None:
    lanes = [make_lane(end_us=900_000, spans=[(0, 500, 1)], lines=[(1000, 5)])]
    shown = show_stepper(
        {"parallel": make_timeline(lanes=lanes)},
        {"parallel": SOURCE},
        "work",
        load_words("en"),
        "a",
    )
    assert read_told(str(shown))["lanes"][0]["runs"] == []


@pytest.mark.parametrize("language", list_languages())
def test_each_panel_has_its_word_its_picture_and_its_function_without_a_script(
    language: str,
) -> None:
    shown = show(language)
    assert load_words(language).term("stepper", "preemptive") in shown
    assert 'role="img"' in shown
    assert 'class="stepper-controls" hidden' in shown
    assert "range" in shown
    assert "A lab." not in shown
    assert "<b>" not in shown


def test_the_script_is_told_who_ran_when_and_which_line_counted_from_the_first() -> None:
    told = read_told(show("en"))
    assert told["end"] == 299_000
    first, second = told["lanes"]
    assert (first["name"], second["name"]) == ("thread 1", "thread 2")
    assert first["runs"] == [[0, 299_000]]
    assert first["lines"] == [[0, 5], [100, 6], [249_000, 5]]


def test_lines_have_the_numbers_of_the_file() -> None:
    assert re.findall(r'id="p01-line-(\d+)"', show("en")) == ["4", "5", "6"]


def test_tasks_are_called_tasks() -> None:
    assert [lane["name"] for lane in read_told(show("en", task=True))["lanes"]] == [
        "task 1",
        "task 2",
    ]


def test_what_was_never_seen_to_run_has_a_panel_all_the_same() -> None:
    lanes = [make_lane(spans=[(0, 900, 0)], lines=[(100, 5)])]
    timeline = {"parallel": make_timeline(lanes=lanes)}
    shown = show_stepper(timeline, {"parallel": SOURCE}, "work", load_words("en"), "a")
    assert read_told(str(shown))["end"] == 1
