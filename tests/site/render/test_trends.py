"""A trend joins what one machine gave, with one Python; it never joins machines."""

from datetime import date

import pytest

from scripts.harness.texts import list_languages
from scripts.site.judge.history import Median
from scripts.site.render.trends import draw_trends, group_machines
from scripts.site.render.words import load_words
from tests.factories import make_median
from tests.site.render.markup import read, read_tooltips

EN = load_words("en")
DAYS = [date(2026, month, 1) for month in (1, 2, 3)]


def draw(*medians: Median) -> str:
    return draw_trends(medians, EN, "lab", "11-threads")


@pytest.mark.parametrize("differs", ["machine", "profile", "python"])
def test_a_line_has_one_machine_one_profile_and_one_python(differs: str) -> None:
    other = {"machine": "other", "profile": "full", "python": "3.14t"}[differs]
    medians = [make_median(date=day) for day in DAYS]
    medians += [make_median(date=day, **{differs: other}) for day in DAYS]
    lines = [line for machine in group_machines(medians) for line in machine.values()]
    assert len(lines) == 2
    for line in lines:
        assert len({getattr(one, differs) for one in line}) == 1
        assert [one.date for one in line] == DAYS
    assert len(read_tooltips(draw(*medians))) == len(medians)


def test_one_build_has_no_line_and_says_so() -> None:
    several = [make_median(machine=machine) for machine in ("box", "other")]
    drawn = draw(*several)
    assert "<svg" not in drawn
    shown = read(drawn)
    assert "no earlier build" in shown
    assert "×2.0" in shown
    assert "chart" in draw()


@pytest.mark.parametrize("language", list_languages())
def test_first_and_last_are_told_with_their_dates(language: str) -> None:
    words = load_words(language)
    medians = [make_median(date=day, speedup=1.5 + place) for place, day in enumerate(DAYS)]
    shown = read(draw_trends(medians, words, "lab", "11-threads"))
    for value in (1.5, 3.5):
        assert words.ratio(value) in shown
    assert words.text("trends_first") in shown


def test_strange_models_are_text() -> None:
    assert "<b>" not in draw(*(make_median(date=day, cpu_model="<b>x") for day in DAYS))
