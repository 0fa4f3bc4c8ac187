"""Dot plots: rows of medians as dots, the interval through each, its value in a column beside."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.site.judge.judge import Judgement
from scripts.site.judge.statistics import Estimate
from scripts.site.render.chart import Sign, show_key, show_sign
from scripts.site.render.estimates import format_estimate, format_ratio
from scripts.site.render.panel import (
    LETTER_PT,
    SMALL_PT,
    Axes,
    Figure,
    add_panel,
    add_text,
    dress,
    find_width,
    format_ticks,
    measure_names,
    name_row,
)
from scripts.site.render.pen import DASHED, Pen
from scripts.site.render.svg import GRID, INK, MUTED, PAPER
from scripts.site.render.words import Words

VALUE_PT, GAP_PT = 52, 8
"""Of the column of values at the right of the rows, and between it and them."""
EDGE_PT, TOP_PT, BOTTOM_PT = 7, 4, 40
"""At the left where rows have no names, above them, and below them for the axis."""
HEADING_PT, LINE_PT, SPACE_PT = 20, 16, 4
"""Above a group, of each line of a row, and around a row that has a name."""
MOST_TICKS = 4
"""More would run into one another where the scale begins far below 1."""


@dataclass(frozen=True, slots=True)
class Dot:
    """What was measured, how it looks and its tooltip; ``label`` stands in the column of values.

    Without a label it is a mark alone, without interval.
    """

    estimate: Estimate
    pen: Pen
    told: str
    label: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Rows by name under a heading, each of one or several lines of dots.

    ``floors`` are of the lines of its first row, in the unit of the axis.
    """

    heading: str
    rows: Mapping[str, Sequence[Sequence[Dot]]]
    floors: Sequence[Sequence[float]] = ()

    @property
    def height_pt(self) -> float:
        """Of all its rows."""
        rows = sum(
            len(lines) * LINE_PT + SPACE_PT * bool(name) for name, lines in self.rows.items()
        )
        return HEADING_PT * bool(self.heading) + rows


@dataclass(frozen=True, slots=True)
class Dots:
    """Groups one below the other on one scale.

    ``axis`` is what the scale is called; of ratios it has a line at 1. One that is not logarithmic
    begins at nought.
    """

    groups: Sequence[Group]
    axis: str
    words: Words
    is_log: bool = True
    is_ratio: bool = True

    @property
    def height_pt(self) -> float:
        """Of the whole picture."""
        return TOP_PT + BOTTOM_PT + sum(group.height_pt for group in self.groups)

    def draw(self, figure: Figure) -> dict[str, str]:
        """Fill a figure that is so high; returns the dots' tooltips."""
        axes = self._lay_out(figure)
        tooltips: dict[str, str] = {}
        top_pt = 0.0
        for number, group in enumerate(self.groups):
            tooltips |= _draw_group(axes, group, top_pt, f"d{number}")
            top_pt += group.height_pt
        self._set_scale(axes)
        return tooltips

    def _lay_out(self, figure: Figure) -> Axes:
        """Axes counted in points from the top, with room for names at their left and values at right."""
        names = [name for group in self.groups for name in group.rows if name]
        edge_pt = EDGE_PT if self.is_ratio or not self.is_log else 2 * EDGE_PT  # half of "0.001"
        left_pt = measure_names(figure, names) + 2 * GAP_PT if names else edge_pt
        rows_pt = self.height_pt - TOP_PT - BOTTOM_PT
        width_pt = find_width(figure) - left_pt - GAP_PT - VALUE_PT
        axes = add_panel(figure, left_pt, TOP_PT, width_pt, rows_pt)
        axes.set_ylim(rows_pt, 0)
        axes.yaxis.set_visible(False)
        dress(axes, self.axis)
        return axes

    def _set_scale(self, axes: Axes) -> None:
        from matplotlib.ticker import LogLocator

        ends = [
            end
            for group in self.groups
            for lines in group.rows.values()
            for line in lines
            for dot in line
            for end in (dot.estimate.low, dot.estimate.high)
        ]
        ends += [floor for group in self.groups for line in group.floors for floor in line]
        ends = [end for end in ends if 0 < end < math.inf] or [1.0]
        low, high = min(ends), max(ends)
        if self.is_ratio:
            axes.axvline(1, color=MUTED, linewidth=1)
        if not self.is_log:
            axes.set_xlim(0, max(high, self.is_ratio) * 1.04)
        elif self.is_ratio:
            low, high = max(min(0.8, low * 0.9), high / 2**12), max(2, high) * 1.1
            axes.set_xscale("log", base=2)
            axes.set_xlim(low, high)
            width_pt = axes.bbox.width * 72 / axes.figure.dpi
            letters_pt = 7 * LETTER_PT  # "×0.062" and a space
            step = 2 ** math.ceil(letters_pt * math.log2(high / low) / width_pt)
            axes.xaxis.set_major_locator(LogLocator(step, numticks=MOST_TICKS))
        else:
            axes.set_xscale("log")
            axes.set_xlim(low / 1.1, high * 1.1)
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,)))
        axes.minorticks_off()
        format_ticks(axes.xaxis, self.words, "×" * self.is_ratio)


def _draw_group(axes: Axes, group: Group, top_pt: float, key: str) -> dict[str, str]:
    """Its heading and rows; returns their tooltips."""
    beside: dict[str, Any] = {"va": "center", "color": INK}
    if group.heading:
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        style = beside | {"xycoords": ("figure points", "data"), "weight": "bold", "bbox": box}
        add_text(axes, group.heading, (EDGE_PT, top_pt + HEADING_PT * 0.6), **style)
        top_pt += HEADING_PT
    for line, floors in enumerate(group.floors):
        span = (top_pt + LINE_PT * (line + 0.05), top_pt + LINE_PT * (line + 0.95))
        for floor in floors:
            axes.plot((floor, floor), span, color=MUTED, linestyle=DASHED, linewidth=1.2)
    tooltips = {}
    for row, (name, lines) in enumerate(group.rows.items()):
        top_pt += SPACE_PT / 2 * bool(name)
        if name:
            name_row(axes, name, top_pt + LINE_PT * len(lines) / 2, GAP_PT)
        for line, dots in enumerate(lines):
            for number, dot in enumerate(dots):
                gid = f"{key}-{row}-{line}-{number}"
                tooltips[gid] = dot.told
                _draw_dot(axes, dot, top_pt + LINE_PT * (line + 0.5), gid)
        top_pt += LINE_PT * len(lines) + SPACE_PT / 2 * bool(name)
    return tooltips


def _draw_dot(axes: Axes, dot: Dot, y_pt: float, key: str) -> None:
    """A median as a dot, its interval through it, on a thin line that leads to its label.

    The labels form a column at the right of the rows: beside the dots they would hide others,
    and at the ends of the intervals be taken for the ends.
    """
    dot.pen.mark(axes, dot.estimate.median, y_pt, key)
    if not dot.label:
        return
    ends = (dot.estimate.low, dot.estimate.high)
    axes.axhline(y_pt, color=GRID, linewidth=1, zorder=1)
    axes.plot(ends, (y_pt, y_pt), color=dot.pen.colour, linewidth=4, alpha=0.45)
    style = {"size": SMALL_PT, "color": INK, "weight": "bold" if dot.bold else "normal"}
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center"}
    add_text(axes, dot.label, (1, y_pt), (GAP_PT, 0), **place, **style)


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
