"""Lanes, as a reader sees and hears them."""

import re

import pytest

from scripts.harness.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render.lanes import draw_lanes, name_lane, read_slices
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import (
    SVG,
    assert_themed,
    make_evidence,
    read_picture,
    read_texts,
    read_tooltips,
)

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
IN_TURN = """\
thread 1 ran from 0.000 to 0.005 s
thread 2 ran from 0.005 to 0.010 s
thread 1 ran from 0.010 to 0.020 s
counted to 7
"""
AT_ONCE = "thread 1 ran from 0.000 to 0.010 s\nthread 2 ran from 0.000 to 0.0125 s"


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    printed = {SEQUENTIAL: IN_TURN, POOL: AT_ONCE}
    return make_evidence(
        make_record(make_variant(program=program, cores=2), printed=text)
        for program, text in printed.items()
    )


def read_bars(chart: str) -> list[tuple[float, float]]:
    """Where each bar begins and ends, in points of the picture."""
    bars = read_picture(chart).iterfind(f".//{SVG}path[@class='point']")
    places = [
        [float(x) for x in re.findall(r"[ML] ([\d.]+) [\d.]+", bar.get("d", ""))] for bar in bars
    ]
    return [(min(xs), max(xs)) for xs in places]


def test_lanes_come_as_they_first_ran_and_other_lines_are_none() -> None:
    printed = f"{IN_TURN}main ran from 0.020 to 0.021 s\nit ran from 1.0 to 2.0 seconds\n"
    printed += "  indented ran from 0.0 to 1.0 s\n"
    assert read_slices(printed) == {
        "thread 1": [(0.0, 0.005), (0.01, 0.02)],
        "thread 2": [(0.005, 0.01)],
        "main": [(0.02, 0.021)],
    }


@pytest.mark.parametrize("language", list_languages())
def test_each_bar_tells_its_lane_and_when_it_ran(evidence: Evidence, language: str) -> None:
    tooltips = read_tooltips(draw_lanes(evidence, load_words(language), "io"))
    expected = {
        "en": ["thread 1: from 0.00 to 5.00 ms", "thread 2: from 0.00 to 12.50 ms"],
        "ru": ["поток 1: с 0,00 до 5,00 мс", "поток 2: с 0,00 до 12,50 мс"],
    }
    assert len(tooltips) == 5
    assert (tooltips[0], tooltips[-1]) == tuple(expected[language])


def test_each_program_has_a_panel_with_its_lanes_and_all_have_one_axis(evidence: Evidence) -> None:
    texts = read_texts(draw_lanes(evidence, EN, "io"))
    named = [text for text in texts if text.startswith((SEQUENTIAL, POOL, "thread"))]
    assert sorted(named) == sorted([SEQUENTIAL, POOL, *("thread 1", "thread 2") * 2])
    assert texts.count(EN.text("axis_lanes")) == 1
    assert texts.count("20") == 1


@pytest.mark.parametrize(
    ("lane", "said"),
    [
        ("thread 1", "поток 1"),
        ("process 12", "процесс 12"),
        ("task 3", "задача 3"),
        ("greenlet 4", "greenlet 4"),
        ("main", "main"),
    ],
)
def test_lanes_are_named_in_the_language_of_the_page(lane: str, said: str) -> None:
    assert name_lane(lane, load_words("ru")) == said
    assert name_lane(lane, EN) == lane
    record = make_record(printed=f"{lane} ran from 0.0 to 0.1 s")
    assert said in read_texts(draw_lanes(make_evidence([record]), load_words("ru"), "io"))


def test_bars_are_as_long_as_what_they_stand_for_in_every_panel(evidence: Evidence) -> None:
    bars = read_bars(draw_lanes(evidence, EN, "io"))
    widths = [end - start for start, end in bars]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 2, 1, 2, 2.5], rel=0.01)
    starts = [start for start, _ in bars]
    assert starts[3] == starts[4] == starts[0] < starts[2] < starts[1]


def test_a_program_that_noted_nothing_has_no_panel() -> None:
    records = [
        make_record(make_variant(program=SEQUENTIAL), printed=IN_TURN),
        make_record(make_variant(program=POOL), printed="30 pages"),
    ]
    assert POOL not in read_texts(draw_lanes(make_evidence(records), EN, "io"))
    nothing = draw_lanes(make_evidence(records[1:]), EN, "io")
    assert "<svg" not in nothing
    assert EN.text("chart_nothing") in nothing


def test_of_turns_too_short_to_compare_nothing_is_said_to_have_run_at_once() -> None:
    record = make_record(make_variant(), printed="thread 1 ran from 0.000 to 0.001 s")
    assert "<svg" in draw_lanes(make_evidence([record]), EN, "io")


def test_where_programs_differ_the_fewest_and_the_most_tasks_at_once_are_told(
    evidence: Evidence,
) -> None:
    assert "At the same time 1 to 2 tasks run" in draw_lanes(evidence, EN, "io")


def test_what_is_shown_ran_on_the_most_cores() -> None:
    records = [
        make_record(make_variant(cores=cores), printed=text)
        for cores, text in ((1, IN_TURN), (2, AT_ONCE))
    ]
    chart = draw_lanes(make_evidence(records), EN, "io")
    assert len(read_tooltips(chart)) == 2
    assert f"on {EN.count('cores', 2)}" in chart


def test_lanes_follow_the_theme_of_the_page(evidence: Evidence) -> None:
    assert_themed(draw_lanes(evidence, EN, "io"))
