"""A trend joins what one machine gave, with one Python; it never joins machines."""

from datetime import date
from typing import Any

import pytest

from scripts.declare.languages import list_languages
from scripts.judge.medians import list_medians
from scripts.records.history import Median
from scripts.render import trends
from scripts.render.trends import draw_trends
from scripts.render.words import load_words
from tests.factories import make_median, make_record, make_variant
from tests.render.markup import make_evidence, read

EN = load_words("en")
DAYS = [date(2026, month, 1) for month in (1, 2, 3)]


def draw(*medians: Median) -> str:
    return draw_trends(medians, EN, "lab", "11-threads")


def list_lines(monkeypatch: pytest.MonkeyPatch, *medians: Median) -> list[list[Median]]:
    drawn: list[list[Median]] = []
    draw_line: Any = trends._draw_line

    def note(axes: Any, line: Any, *more: Any) -> dict[str, str]:
        drawn.append(list(line))
        found: dict[str, str] = draw_line(axes, line, *more)
        return found

    monkeypatch.setattr(trends, "_draw_line", note)
    draw(*medians)
    return drawn[: len(drawn) // 2]  # each is drawn for wide and for narrow screens


@pytest.mark.parametrize("differs", ["machine", "profile", "python"])
def test_a_line_has_one_machine_one_profile_and_one_python(
    differs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {"machine": "other", "profile": "full", "python": "3.14t"}[differs]
    medians = [make_median(date=day) for day in DAYS]
    medians += [make_median(date=day, **{differs: other}) for day in DAYS]
    lines = list_lines(monkeypatch, *medians)
    assert len(lines) == 2
    for line in lines:
        assert len({getattr(one, differs) for one in line}) == 1
        assert [one.date for one in line] == DAYS


def test_one_build_has_no_line_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    several = [make_median(machine=machine) for machine in ("box", "other")]
    assert list_lines(monkeypatch, *several) == []
    shown = read(draw(*several))
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


def test_a_build_gives_the_largest_cell_of_each_program_beside_its_baseline() -> None:
    baseline = [make_variant(tasks=tasks) for tasks in (10, 30)]
    pools = [make_variant(program="04-io-thread_pool", tasks=tasks) for tasks in (10, 30)]
    records = [make_record(one, [4.0] * 5) for one in baseline]
    records += [make_record(one, [2.1] * 5) for one in pools]
    found = {one.program: one for one in list_medians([make_evidence(records)])}
    assert found["04-io-thread_pool"].tasks == 30
    assert found["04-io-thread_pool"].speedup == pytest.approx(3.9 / 2.0, abs=0.01)
    assert found["04-io-thread_pool"].python == "3.13"
