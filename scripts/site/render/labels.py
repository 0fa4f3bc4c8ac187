"""Labels: the names of lines at their ends, where there is room for all of them."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scripts.site.render.panel import LETTER_PT, SMALL_PT, Axes, add_text
from scripts.site.render.svg import INK, MUTED

if TYPE_CHECKING:
    from matplotlib.transforms import Bbox

Curve = tuple[Sequence[float], Sequence[float]]
"""The points of a line, from left to right, in the units of the axes."""

STEP_PT = 12
"""Labels one above the other stand so far apart."""
BESIDE_PT, LED_PT = 7, 16
"""From the end of a line to its label: beside it, or with room for a thin line that leads there."""
NEARER_PT = 6
"""By so much a label between lines has to be nearer to its own."""
STRAY_PT = 6.5
"""A label further up or down than this no longer stands beside its end."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name beside the end of a line.

    ``end`` is in the units of the axes, and ``end_pt`` the same in points from the bottom left
    corner of the figure; ``shift_pt`` leads from there to the middle of its left side.
    """

    text: str
    end: tuple[float, float]
    end_pt: tuple[float, float]
    shift_pt: tuple[float, float]

    @property
    def box(self) -> "Bbox":
        """About what it covers, in points."""
        from matplotlib.transforms import Bbox

        left, middle = (end + shift for end, shift in zip(self.end_pt, self.shift_pt, strict=True))
        return Bbox.from_bounds(left, middle - STEP_PT / 2, len(self.text) * LETTER_PT, STEP_PT)


def place_labels(
    axes: Axes, curves: Sequence[Curve], texts: Sequence[str], shorter: Sequence[str] = ()
) -> list[Label]:
    """A label for each curve at its own last point; none where it would hide something.

    The axes have their limits set, and each curve has a point at least. Labels of curves that end
    one above the other move apart beside them; one that hides something there stands in another
    place at its end, or at another of its points, if there is room; there it may be a shorter one.
    """
    drawn = [_find_places(axes, curve) for curve in curves]
    point = axes.figure.dpi / 72
    edges_pt = axes.figure.bbox.width / point, axes.bbox.y1 / point + STEP_PT / 2
    labels: list[Label] = []
    crowded: list[int] = []

    def has_room(label: Label) -> bool:
        hides = any(_hides(label, points, edges_pt) for points in drawn)
        return not hides and not any(label.box.padded(-1).overlaps(other.box) for other in labels)

    for place, beside in _list_besides(curves, texts, drawn, axes.bbox.y0 / point):
        found = next(filter(has_room, (beside, *_list_others(beside))), None)
        labels += [found] if found else []
        crowded += [] if found else [place]
    for place in crowded:
        names = dict.fromkeys((texts[place], *shorter[place : place + 1]))
        inner = (one for name in names for one in _list_inner(name, curves[place], drawn[place]))
        clear = (one for one in inner if has_room(one) and _is_nearest(one, place, drawn))
        labels += islice(clear, 1)
    return labels


def _list_besides(
    curves: Sequence[Curve],
    texts: Sequence[str],
    drawn: Sequence[NDArray[np.float64]],
    lowest_pt: float,
) -> Iterator[tuple[int, Label]]:
    """Each curve's place among them, and its label beside its end, as far apart as labels must be."""
    columns: dict[float, list[int]] = defaultdict(list)
    for place in sorted(range(len(drawn)), key=lambda place: drawn[place][-1, 1]):
        columns[drawn[place][-1, 0]].append(place)
    for x_pt in sorted(columns, reverse=True):
        places = columns[x_pt]
        ends_pt = [drawn[place][-1, 1] for place in places]
        shifts_pt = np.subtract(spread(ends_pt, lowest_pt), ends_pt)
        gap_pt = LED_PT if max(abs(shifts_pt)) > STRAY_PT else BESIDE_PT
        for place, y_pt, shift_pt in zip(places, ends_pt, shifts_pt, strict=True):
            end = (curves[place][0][-1], curves[place][1][-1])
            yield place, Label(texts[place], end, (x_pt, y_pt), (gap_pt, float(shift_pt)))


def _list_others(label: Label) -> list[Label]:
    """Where else a label may stand at its end: above, below, and to the left."""
    width_pt = len(label.text) * LETTER_PT
    shifts = [
        (-width_pt / 2, STEP_PT),
        (BESIDE_PT, -STEP_PT),
        (BESIDE_PT, STEP_PT),
        (-width_pt - BESIDE_PT, STEP_PT * 0.8),
        (-width_pt / 2, -STEP_PT),
        (-width_pt - BESIDE_PT, -STEP_PT * 0.8),
    ]
    return [replace(label, shift_pt=shift) for shift in shifts]


def _list_inner(text: str, curve: Curve, points: NDArray[np.float64]) -> Iterator[Label]:
    """Where a label may stand above or below the points of its line, from the last to the first."""
    left_pt = -len(text) * LETTER_PT
    for end, end_pt in reversed(list(zip(zip(*curve, strict=True), points.tolist(), strict=True))):
        for up_pt in (STEP_PT * 0.9, -STEP_PT * 0.9, STEP_PT * 1.5, -STEP_PT * 1.5):
            for aside_pt in (left_pt / 2, left_pt, 0):
                yield Label(text, end, tuple(end_pt), (aside_pt, up_pt))


def _is_nearest(label: Label, place: int, drawn: Sequence[NDArray[np.float64]]) -> bool:
    """Whether a label stands nearer to its own line than to any other, so that it names that."""
    left, bottom, right, top = label.box.extents
    middle = (left + right) / 2

    def measure(points: NDArray[np.float64]) -> float:
        beyond = max(points[0, 0] - middle, middle - points[-1, 0], 0)
        height = float(np.interp(middle, *points.T))
        return math.hypot(beyond, max(bottom - height, height - top, 0))

    far_pt = [measure(points) for points in drawn]
    own_pt = far_pt.pop(place)
    return all(own_pt + NEARER_PT < other_pt for other_pt in far_pt)


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
    """Write them; a thin line leads to one that had to move away from the end of its own."""
    leader = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.6, "relpos": (0, 0.5)}
    for label in labels:
        style: dict[str, Any] = {"va": "center", "size": SMALL_PT, "color": INK}
        if label.shift_pt[0] == LED_PT and abs(label.shift_pt[1]) > STRAY_PT:
            style["arrowprops"] = leader
        add_text(axes, label.text, label.end, label.shift_pt, **style)


def _find_places(axes: Axes, curve: Curve) -> NDArray[np.float64]:
    """The points of a curve, in points of the figure."""
    places: NDArray[np.float64] = axes.transData.transform(np.column_stack(curve))
    return places * 72 / axes.figure.dpi


def _hides(label: Label, points: NDArray[np.float64], edges_pt: tuple[float, float]) -> bool:
    """Whether a label would stand on a line, or beyond the figure or above the axes."""
    from matplotlib.path import Path

    box = label.box
    is_outside = box.x0 < 0 or box.x1 > edges_pt[0] or box.y1 > edges_pt[1]
    return is_outside or bool(Path(points).intersects_bbox(box, filled=False))
