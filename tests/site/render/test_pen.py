"""Pens can be told apart, with and without their colours."""

import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from scripts.site.render.chart import show_key
from scripts.site.render.pen import Pen
from scripts.site.render.svg import SERIES

STYLE_SHEET = Path(__file__).parents[3] / "docs" / "theme" / "assets" / "site.css"


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
    assert name in show_key(Pen(number))
    assert len(set(re.findall(rf"--chart-{name}: (#[0-9a-f]{{6}});", css))) == 2
    assert f".{name} {{ color: var(--chart-{name}); }}" in css
