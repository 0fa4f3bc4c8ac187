"""What charts share: pens that can be told apart, and how an estimate is told."""

import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from scripts.judge.statistics import Estimate
from scripts.render.drawing import Pen, stack_estimate, write_estimate
from scripts.render.svg import SERIES
from scripts.render.words import load_words

EN = load_words("en")
STYLE_SHEET = Path(__file__).parents[2] / "docs" / "theme" / "assets" / "site.css"


def look(pen: Pen) -> tuple[object, ...]:
    """The shape of a pen in a chart, and whether it is filled."""
    axes = Figure().add_subplot()
    pen.mark(axes, 0, 0, "key")
    (drawn,) = axes.lines
    return drawn.get_marker(), drawn.get_markerfacecolor() == pen.colour


def test_neighbours_differ_in_colour_and_also_in_shape_or_filling() -> None:
    pens = [Pen(number) for number in range(len(SERIES))]
    assert len({pen.colour for pen in pens}) == len(pens) == 7
    assert len({look(pen) for pen in pens}) == len(pens)


def test_pens_of_one_colour_have_different_dashes() -> None:
    pens = [Pen(number) for number in range(28)]
    assert len({(pen.colour, str(pen.dash)) for pen in pens}) == len(pens)


@pytest.mark.parametrize("number", range(len(SERIES)))
def test_the_page_has_a_colour_in_either_theme_for_every_pen_and_its_key(number: int) -> None:
    css = STYLE_SHEET.read_text(encoding="utf-8")
    name = f"series-{number + 1}"
    assert name in Pen(number).show_key()
    assert len(set(re.findall(rf"--chart-{name}: (#[0-9a-f]{{6}});", css))) == 2
    assert f".{name} {{ color: var(--chart-{name}); }}" in css


@pytest.mark.parametrize(
    ("estimate", "line", "cell"),
    [
        (Estimate(median=2, low=1, high=3), "2.00 s (1.00–3.00)", "2.00 s<small>1.00–3.00</small>"),
        (Estimate(median=2, low=2, high=2), "2.00 s", "2.00 s"),
    ],
)
def test_an_interval_is_told_if_there_is_one(estimate: Estimate, line: str, cell: str) -> None:
    written = write_estimate(estimate, "wall_s", EN).replace("\N{NO-BREAK SPACE}", " ")
    stacked = stack_estimate(estimate, "wall_s", EN).replace("\N{NO-BREAK SPACE}", " ")
    assert (written, stacked) == (line, cell)
