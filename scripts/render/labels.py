"""Labels: the names of lines at their ends, where there is room for all of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scripts.render.drawing import LETTER_PT, SMALL_PT, WIDTH_PT, write
from scripts.render.svg import INK, MUTED

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes

Curve = tuple[Sequence[float], Sequence[float]]
"""The points of a line, from left to right, in the units of the axes."""

STEP_PT = 12
"""Labels one above the other stand so far apart."""
BESIDE_PT, LED_PT = 7, 16
"""From the end of a line to its label: beside it, and at the end of a thin line that leads there."""
STRAY_PT = 6
"""A label further up or down than this no longer stands beside its end."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name at a place, in points from the bottom left corner of the figure; ``end`` in data."""

    text: str
    end: tuple[float, float]
    x_pt: float
    y_pt: float
    shift_pt: float

    @property
    def gap_pt(self) -> float:
        """How far right of the end it begins."""
        return LED_PT if abs(self.shift_pt) > STRAY_PT else BESIDE_PT

    @property
    def box_pt(self) -> tuple[float, float, float, float]:
        """About what it covers: left, right, bottom, top."""
        left, middle = self.x_pt + self.gap_pt, self.y_pt + self.shift_pt
        return left, left + len(self.text) * LETTER_PT, middle - STEP_PT / 2, middle + STEP_PT / 2


def place_labels(axes: Axes, curves: Sequence[Curve], texts: Sequence[str]) -> list[Label]:
    """A label for each curve at its own last point; none at all if any would hide something.

    Args:
        axes: with their limits set.
        curves: each has a point at least.
        texts: their names.
    """
    drawn = [_find_places(axes, curve) for curve in curves]
    columns: dict[float, list[int]] = defaultdict(list)
    for place, points in enumerate(drawn):
        columns[points[-1, 0]].append(place)
    labels: dict[int, Label] = {}
    for x_pt, places in columns.items():
        places.sort(key=lambda place: drawn[place][-1, 1])
        ends_pt = [drawn[place][-1, 1] for place in places]
        lowest_pt = axes.bbox.y0 * 72 / axes.figure.dpi
        for place, end_pt, y_pt in zip(places, ends_pt, spread(ends_pt, lowest_pt), strict=True):
            end = (curves[place][0][-1], curves[place][1][-1])
            labels[place] = Label(texts[place], end, x_pt, end_pt, y_pt - end_pt)
    hidden = any(_hides(label, points) for label in labels.values() for points in drawn)
    return [] if hidden or any(_find_clashes(list(labels.values()))) else list(labels.values())


def spread(places_pt: Sequence[float], lowest_pt: float) -> list[float]:
    """Places at least a step apart and not below the lowest, as near to these, ascending, as can be."""
    groups: list[list[float]] = []

    def begin(group: Sequence[float]) -> float:
        return max(sum(group) / len(group) - (len(group) - 1) * STEP_PT / 2, lowest_pt)

    for place_pt in places_pt:
        groups.append([place_pt])
        while len(groups) > 1 and (
            begin(groups[-2]) + len(groups[-2]) * STEP_PT > begin(groups[-1])
        ):
            last = groups.pop()
            groups[-1] += last
    return [begin(group) + place * STEP_PT for group in groups for place in range(len(group))]


def draw_labels(axes: Axes, labels: Sequence[Label]) -> None:
    """Write them; one that had to move away from the end of its line is led to it."""
    for label in labels:
        leader = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.6, "shrinkA": 1, "shrinkB": 3}
        style = {"arrowprops": leader, "ha": "left"} if label.gap_pt == LED_PT else {}
        shift_pt = (label.gap_pt, label.shift_pt)
        write(axes, label.text, label.end, shift_pt, va="center", size=SMALL_PT, color=INK, **style)


def _find_places(axes: Axes, curve: Curve) -> NDArray[np.float64]:
    """The points of a curve, in points of the figure."""
    places: NDArray[np.float64] = axes.transData.transform(np.column_stack(curve))
    return places * 72 / axes.figure.dpi


def _hides(label: Label, points: NDArray[np.float64]) -> bool:
    """Whether a label would stand on a line, or beyond the edge of the figure."""
    left, right, bottom, top = label.box_pt
    inside = np.linspace(left, right, math.ceil(right - left))
    inside = inside[(inside >= points[0, 0]) & (inside <= points[-1, 0])]
    heights = np.interp(inside, *points.T)
    return bool(right > WIDTH_PT or np.any((heights > bottom) & (heights < top)))


def _find_clashes(labels: Sequence[Label]) -> Iterator[bool]:
    for one, other in combinations(labels, 2):
        left, right, bottom, top = one.box_pt
        other_left, other_right, other_bottom, other_top = other.box_pt
        yield (
            left < other_right
            and other_left < right
            and bottom < other_top - 1
            and (other_bottom < top - 1)
        )
