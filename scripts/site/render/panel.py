"""Panels: axes at a place in a figure, in points, and text beside what is drawn on them."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from scripts.site.render.words import Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib import axes as _axes
    from matplotlib import figure as _figure

    Axes = _axes.Axes
    Figure = _figure.Figure
else:
    Axes = Figure = Any

NARROW_PT, WIDE_PT = 312, 680
"""Of a picture on a phone, and where there is room: shown so, no letter is smaller than 11 pixels."""
SMALL_PT = 10.5
LETTER_PT = 5.8
"""About the width of a letter of the small size, in fonts that we do not know."""
SMALL = 1e-3
"""Less than this a plain number does not show."""
CRUSHED = 20
"""Values of which one is so many times another do not share a scale from nought."""


def is_crushed(values: Iterable[float]) -> bool:
    """Whether a scale from nought would press some of the values flat against it."""
    known = list(values)
    return max(known) > CRUSHED * min(known) > 0


def find_width(figure: Figure) -> float:
    """Of a picture, in points."""
    width_pt: float = figure.get_figwidth() * 72
    return width_pt


def add_panel(
    figure: Figure, left_pt: float, top_pt: float, width_pt: float, height_pt: float
) -> Axes:
    """Axes at a place in the figure, counted from its top left corner."""
    whole_width, whole_height = figure.get_size_inches() * 72
    bottom = 1 - (top_pt + height_pt) / whole_height
    place = (left_pt / whole_width, bottom, width_pt / whole_width, height_pt / whole_height)
    return figure.add_axes(place)


def dress(axes: Axes, label: str = "") -> None:
    """Axes without a frame, with a quiet grid; ``label`` is that of the horizontal one."""
    axes.set_xlabel(label)
    axes.grid(axis="both", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.patch.set_visible(False)


def add_text(
    axes: Axes,
    text: str,
    at: tuple[float, float],
    shift_pt: tuple[float, float] = (0, 0),
    **style: Any,  # noqa: ANN401 - whatever matplotlib knows
) -> None:
    """Text beside a point of the axes, or of what ``xycoords`` says."""
    axes.annotate(text, at, shift_pt, textcoords="offset points", annotation_clip=False, **style)


def format_ticks(axis: Any, words: Words, sign: str = "") -> None:  # noqa: ANN401 - matplotlib's
    """Have the numbers of an axis written as the page writes them, after a sign."""
    axis.set_major_formatter(lambda value, _: sign + name_tick(value, words))


def name_tick(value: float, words: Words) -> str:
    """A number at an axis, with as many decimals as it takes not to read as nought."""
    if 0 < value < SMALL:
        return words.number(value, math.ceil(-math.log10(value) - 1e-9))
    return words.plain(value)


def name_row(axes: Axes, name: str, y_pt: float, gap_pt: float) -> None:
    """A name at the left of the axes, beside a row that is counted in points."""
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "center"}
    add_text(axes, name, (0, y_pt), (-gap_pt, 0), **place)


def measure_names(figure: Figure, names: Iterable[str]) -> float:
    """About how wide names at the left of a picture are, in points; half of it at most."""
    return min(max(map(len, names)) * LETTER_PT * 1.1, find_width(figure) / 2)  # larger than small
