"""Dot plots: rows of medians as dots, the interval through each, its value in a column beside."""

from collections.abc import Sequence

from scripts.judge.judge import Judgement
from scripts.judge.statistics import Estimate
from scripts.render.chart import Sign, show_key, show_sign
from scripts.render.estimates import format_estimate, format_ratio
from scripts.render.panel import SMALL_PT, Axes, Figure, add_panel, add_text, dress, find_width
from scripts.render.pen import Pen
from scripts.render.svg import GRID, INK
from scripts.render.words import Words

VALUE_PT, GAP_PT = 52, 8
"""Of the column of values at the right of the rows, and between it and them."""
TOP_PT, BOTTOM_PT = 4, 40
"""Above the rows, and below them for the axis."""
MARGINS_PT = TOP_PT + BOTTOM_PT


def lay_rows(figure: Figure, left_pt: float, label: str) -> Axes:
    """Axes counted in points from the top, with room for names at their left and values at right.

    The figure is as high as all rows, and ``MARGINS_PT`` more; ``label`` is of the horizontal axis.
    """
    rows_pt = figure.get_figheight() * 72 - MARGINS_PT
    width_pt = find_width(figure) - left_pt - GAP_PT - VALUE_PT
    axes = add_panel(figure, left_pt, TOP_PT, width_pt, rows_pt)
    axes.set_ylim(rows_pt, 0)
    axes.yaxis.set_visible(False)
    dress(axes, label)
    return axes


def draw_dot(
    axes: Axes,
    estimate: Estimate,
    y_pt: float,
    pen: Pen,
    key: str,
    label: str,
    *,
    bold: bool = False,
) -> None:
    """A median as a dot, its interval through it, on a thin line that leads to its label.

    The labels form a column at the right of the rows: beside the dots they would hide others,
    and at the ends of the intervals be taken for the ends.
    """
    ends = (estimate.low, estimate.high)
    axes.axhline(y_pt, color=GRID, linewidth=1, zorder=1)
    axes.plot(ends, (y_pt, y_pt), color=pen.colour, linewidth=4, alpha=0.45)
    pen.mark(axes, estimate.median, y_pt, key)
    style = {"size": SMALL_PT, "color": INK, "weight": "bold" if bold else "normal"}
    beside = ("axes fraction", "data")
    add_text(axes, label, (1, y_pt), (GAP_PT, 0), xycoords=beside, va="center", **style)


def describe_dot(judgement: Judgement, words: Words) -> str:
    """A tooltip: the program and its cores, its time, its gain and its verdict."""
    variant = judgement.record.variant
    text = f"{variant.program}, {words.count('cores_nominative', variant.cores)}"
    if judgement.wall:
        text += f": {format_estimate(judgement.wall, 'wall_s', words)}"
    if judgement.speedup:
        text += f", {format_ratio(judgement.speedup, words)[0]}"
    if judgement.verdict:
        text += f", {words.term('verdict', judgement.verdict)}"
    return text


def list_signs(names: Sequence[str], words: Words) -> list[Sign]:
    """The legend: a pen for each row, and what the bars through the dots are."""
    signs = [(show_key(Pen(row)), name) for row, name in enumerate(names)]
    return [*signs, (show_sign("band"), words.text("band"))]
