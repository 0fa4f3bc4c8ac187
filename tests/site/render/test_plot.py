"""Scales have round numbers, tables come of the same rows, a program keeps its pen."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from making import make_record, make_variant
from poolwise.statistics import Estimate
from scripts.site.render.charts import choose_pens
from scripts.site.render.plot import Plot, Row, Scale, draw_dots, pivot, show_key
from scripts.site.render.svg import LETTER_PT, NARROW_PT, SERIES, WIDE_PT, Pen
from scripts.site.render.words import load_words
from tests.factories import PLAIN, POOL
from tests.site.render.markup import make_evidence, read_rows


@pytest.mark.parametrize(
    ("low", "high", "is_log", "most", "ticks"),
    [
        (0, 1.3, False, 5, [0, 0.5, 1]),
        (0.9, 22, True, 6, [1, 2, 5, 10, 20]),
        (0.9, 1_100_000, True, 4, [1, 100, 10_000, 1_000_000]),
        (200, 230, True, 5, [200, 210, 220, 230]),
    ],
)
def test_ticks_are_round_and_not_too_many(
    low: float, high: float, is_log: bool, most: int, ticks: list[float]
) -> None:
    assert Scale(low, high, 0, 100, is_log=is_log).list_ticks(most) == ticks


def test_a_table_has_a_row_or_a_column_for_each_series() -> None:
    rows = [Row(series=name, x=x, cell=f"{name}{x}") for x, name in ((2, "b"), (2, "a"), (1, "a"))]
    words, names = load_words("en"), ("no", "one", "two")
    assert read_rows(pivot(rows, words, "", "", names)) == [["b", "—", "b2"], ["a", "a1", "a2"]]
    assert read_rows(pivot(rows, words, "", "")) == [["1", "—", "a1"], ["2", "b2", "a2"]]


def test_an_interval_is_drawn_only_where_it_tells_something() -> None:
    def find_ends(low: float, high: float, *, is_sure: bool = True) -> object:
        value = Estimate(median=1, low=low, high=high, is_sure=is_sure)
        return Row(series="", value=value).ends, Row(series="", value=value).is_single

    assert find_ends(0.5, 2) == ((0.5, 2), False)
    assert find_ends(0.05, 2) == (None, False)
    assert find_ends(0.5, 11) == (None, False)
    assert find_ends(1, 1, is_sure=False) == (None, True)
    assert find_ends(1, 1) == (None, False)


PROCESSES = "12-cpu-process_pool"
EVIDENCE = make_evidence([make_record()])
STYLE_SHEET = Path(__file__).parents[3] / "docs" / "theme" / "assets" / "site.css"


def test_a_program_has_the_colour_of_its_kind_and_its_place_in_that() -> None:
    variants = [make_variant(program=program) for program in (PROCESSES, "08-cpu-sequential")]
    assert choose_pens(EVIDENCE, variants) == [Pen(2, 0), Pen(0, 1)]


def test_further_variants_of_a_program_have_pens_of_no_program() -> None:
    variants = [make_variant(program=POOL, workers=workers) for workers in (1, 2, 3)]
    variants.append(make_variant(program=PLAIN))
    assert choose_pens(EVIDENCE, variants) == [Pen(1, 0), Pen(1, 1), Pen(1, 2), Pen(0, 0)]


@pytest.mark.parametrize("colour", range(len(SERIES)))
def test_the_page_has_a_colour_in_either_theme_for_every_pen_and_its_key(colour: int) -> None:
    css = STYLE_SHEET.read_text(encoding="utf-8")
    name = f"series-{colour + 1}"
    assert name in show_key(Pen(colour))
    assert len(set(re.findall(rf"--chart-{name}: (#[0-9a-f]{{6}});", css))) == 2
    assert f".{name} {{ color: var(--chart-{name}); }}" in css


@pytest.mark.parametrize("width_pt", [NARROW_PT, WIDE_PT])
@pytest.mark.parametrize("values", [(19.4, 33.8), (41.4, 71.4), (7.62, 98), (0.26, 1.3)])
def test_no_numbers_below_an_axis_run_together(
    values: tuple[float, float], width_pt: float
) -> None:
    rows = [Row(series=str(one), value=Estimate(median=one, low=one, high=one)) for one in values]
    plot = Plot(
        prefix="", title="", rows=rows, words=load_words("en"), axes=("", ""), is_log=values[0] > 1
    )
    shown = str(draw_dots(plot, width_pt).format_svg("x", "", ""))
    below = re.findall(r'text-anchor: middle[^>]*x="([\d.]+)"[^>]*>([\d.]+)<', shown)
    ends = [(float(x), len(text) * LETTER_PT / 2) for x, text in below]
    assert len(ends) > 1
    gaps_pt = [b - a - one - other for (a, one), (b, other) in pairwise(ends)]
    assert min(gaps_pt) >= LETTER_PT / 2
