"""Strokes: what is drawn on the axes of curves, line by line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scripts.site.judge.statistics import Estimate
from scripts.site.render.labels import Curve
from scripts.site.render.panel import LETTER_PT, SMALL_PT, Axes, add_text
from scripts.site.render.pen import Pen
from scripts.site.render.svg import MUTED
from scripts.site.render.words import Words

FLOOR = (0, (4, 2.5))
"""Dashes, as long as those of their sign in the legend."""
STAIRS = 24
"""More are not marked."""
_NOTHING = Estimate(median=math.nan, low=math.nan, high=math.nan)


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a place of the horizontal axis; where there is none, the line is broken."""

    x: float
    value: Estimate | None
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    """Points of one pen. ``label`` is a shorter name, to stand at the end; without it none does.

    ``path`` is what is drawn through the points if they are not joined, dashed if it is a model.
    """

    name: str
    pen: Pen
    points: Sequence[Point]
    label: str = ""
    path: Curve | None = None
    is_model: bool = False

    @property
    def curve(self) -> Curve:
        """The medians of those points that have any: one at least."""
        found = [(one.x, one.value.median) for one in self.points if one.value]
        return tuple(one for one, _ in found), tuple(one for _, one in found)


def draw_line(
    axes: Axes, line: Line, key: str, *, is_filled: bool, has_bars: bool
) -> dict[str, str]:
    """A line with its intervals and points; returns their tooltips.

    The intervals are a band, or a bar for each point.
    """
    colour = line.pen.colour
    xs = [one.x for one in line.points]
    values = [one.value or _NOTHING for one in line.points]
    lows, highs = [one.low for one in values], [one.high for one in values]
    if has_bars or len(xs) == 1:
        axes.vlines(xs, lows, highs, color=colour, linewidth=4, alpha=0.45)
    else:
        axes.fill_between(xs, lows, highs, color=colour, alpha=0.2, linewidth=0)
    path = line.path or (xs, [one.median for one in values])
    dash = FLOOR if line.is_model else "solid" if is_filled else line.pen.dash
    axes.plot(*path, color=colour, linestyle=dash, linewidth=1.5)
    if is_filled:
        axes.fill_between(*path, color=colour, alpha=0.15, linewidth=0)
    size_pt = 3 if len(xs) > 40 else 4.5 if len(xs) > 15 else 6
    tooltips = {}
    for number, point in enumerate(line.points):
        if point.value:
            tooltips[f"{key}-{number}"] = point.told
            line.pen.mark(axes, point.x, point.value.median, f"{key}-{number}", size_pt)
    return tooltips


def draw_stairs(axes: Axes, cores: int, most: float, words: Words) -> dict[str, str]:
    """Thin lines at the multiples of the number of cores, not too many; returns their tooltips."""
    place: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "ha": "center"}
    style = place | {"size": SMALL_PT, "color": MUTED}
    step = cores * math.ceil(most / cores / STAIRS)
    tooltips = {}
    taken_pt = -math.inf
    for tasks in range(step * math.ceil(axes.get_xlim()[0] / step) or step, int(most) + 1, step):
        key = f"stair-{tasks}"
        count = words.count("tasks", tasks)
        tooltips[key] = words.text("stair", tasks=count, rounds=words.number(tasks // cores, 0))
        axes.axvline(tasks, color=MUTED, linewidth=0.8, alpha=0.45, gid=key)
        x_pt = axes.transData.transform((tasks, 1))[0] * 72 / axes.figure.dpi
        label = words.number(tasks, 0)
        if x_pt - taken_pt > LETTER_PT * (len(label) + 1):
            add_text(axes, label, (tasks, 1), (0, 3), **style)
            taken_pt = x_pt
    return tooltips
