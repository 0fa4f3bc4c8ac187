"""Curves: lines on axes that fit them, with floors, stairs and names at their ends."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from scripts.site.render.labels import Curve, draw_labels, place_labels
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
    name_tick,
)
from scripts.site.render.strokes import FLOOR, Line, draw_line, draw_stairs
from scripts.site.render.svg import INK, MUTED
from scripts.site.render.words import Words

if TYPE_CHECKING:
    from matplotlib.ticker import Locator

PLOT_PT, LOW_PT = 242, 70
"""How high axes are that stand alone, and of several one below the other."""
LEFT_PT, RIGHT_PT, TOP_PT, FOOT_PT, AXIS_PT, HEADING_PT, EDGE_PT = 36, 18, 22, 18, 18, 24, 8
"""Around axes: for numbers, for half of the last number, for the name of the vertical axis, for the
numbers and the name of the horizontal one, for what stands above a panel, and between two panels."""
SHARE = 0.27
"""The most of the width that labels at the right ends of the lines may take."""
PAD = 0.04
"""Of the length of an axis, beyond the first and the last point: they hide no tick."""
STEPS = (1, 2, 2.5, 5, 10)
"""Between ticks, as people count."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines on axes of their own, ``plot_pt`` high, with a title above them."""

    lines: Sequence[Line]
    title: str = ""
    plot_pt: float = PLOT_PT


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Panels one below the other, on one horizontal scale.

    ``names`` are of both axes. ``floors`` are dashed, and so are ``levels``, all across. ``stairs`` is
    the number of cores whose multiples are marked. Scales begin at nought unless they are
    logarithmic; of ratios there is a line at 1. ``ticks`` names places of the horizontal axis instead
    of numbers. ``is_filled`` shades what lies below lines, ``is_even`` gives all panels one scale.
    """

    panels: Sequence[Panel]
    words: Words
    names: tuple[str, str] = ("", "")
    floors: Sequence[Curve] = ()
    levels: Sequence[float] = ()
    stairs: int = 0
    is_log: bool = False
    is_ratio: bool = False
    is_filled: bool = False
    is_even: bool = False
    ticks: Mapping[float, str] = field(default_factory=dict)

    @property
    def height_pt(self) -> float:
        """Of the whole picture."""
        return self._find_top(len(self.panels)) + AXIS_PT * bool(self.names[0])

    def draw(self, figure: Figure) -> dict[str, str]:
        """Fill a figure that is so high; returns the tooltips of points and stairs."""
        if self.names[1]:
            figure.text(0.01, 1 - 12 / self.height_pt, self.names[1], color=MUTED)
        spans = [self._find_span(panel) for panel in self.panels]
        if self.is_even:
            spans = [(min(one for one, _ in spans), max(one for _, one in spans))] * len(spans)
        locators = [self._choose_locator(*span) for span in spans]
        letters = [
            len(name_tick(tick, self.words)) + self.is_ratio
            for span, locator in zip(spans, locators, strict=True)
            for tick in locator.tick_values(*span)
            if span[0] <= tick <= span[1]
        ]
        whole_pt = find_width(figure)
        left_pt = min(max(LEFT_PT, LETTER_PT * (max(letters, default=0) + 2)), whole_pt / 4)
        longest = max(map(len, self.ticks.values()), default=0)
        edge_pt = min(max(RIGHT_PT, longest * LETTER_PT / 2), whole_pt / 8)
        tooltips: dict[str, str] = {}
        for number, panel in enumerate(self.panels):
            texts = _choose_texts(panel.lines, whole_pt * SHARE)
            width_pt = whole_pt - left_pt - edge_pt - _find_room(panel.lines, texts, whole_pt / 2)
            top_pt = self._find_top(number + 1) - FOOT_PT - panel.plot_pt
            axes = add_panel(figure, left_pt, top_pt, width_pt, panel.plot_pt)
            dress(axes, self.names[0] if panel is self.panels[-1] else "")
            self._set_scales(axes, spans[number], locators[number])
            tooltips |= self._draw_panel(axes, panel, f"l{number}")
            curves, short = [one.curve for one in panel.lines], [one.label for one in panel.lines]
            draw_labels(axes, place_labels(axes, curves, texts, short) if any(texts) else ())
        return tooltips

    def _draw_panel(self, axes: Axes, panel: Panel, key: str) -> dict[str, str]:
        """What stands on axes that have their scales; its tooltips."""
        if panel.title:
            add_text(axes, panel.title, (0, 1), (0, 6), xycoords="axes fraction", color=INK)
        if self.is_ratio:
            axes.axhline(1, color=MUTED, linewidth=1)
        for level in self.levels:
            axes.axhline(level, color=MUTED, linestyle=FLOOR, linewidth=1.2)
        for floor in self.floors:
            axes.plot(*floor, color=MUTED, linestyle=FLOOR, linewidth=1.2)
        tooltips = {}
        if self.stairs:
            most = max(one.curve[0][-1] for one in panel.lines)
            tooltips = draw_stairs(axes, self.stairs, most, self.words)
        for line in panel.lines:
            tooltips |= draw_line(
                axes,
                line,
                f"{key}-{line.pen.number}",
                is_filled=self.is_filled,
                has_bars=bool(self.ticks),
            )
        return tooltips

    def _find_top(self, number: int) -> float:
        """Where what is below the first so many panels begins."""
        heads = sum(
            HEADING_PT * bool(one.title) + one.plot_pt + FOOT_PT for one in self.panels[:number]
        )
        top_pt = TOP_PT if self.names[1] else EDGE_PT
        return heads + top_pt + SMALL_PT * bool(self.stairs) + EDGE_PT * (number - 1)

    def _find_span(self, panel: Panel) -> tuple[float, float]:
        """From nought, or around what there is if logarithmic."""
        found = (point.value for line in panel.lines for point in line.points)
        ends = [end for one in found if one for end in (one.low, one.high)]
        paths = [line.path for line in panel.lines if line.path]
        ends += [*chain.from_iterable(ys for _, ys in paths), *self.levels]
        ends += [1.0] if self.is_ratio else []
        known = [end for end in ends if 0 < end < math.inf] or [1.0]
        low, high = min(known), max(known)
        if not self.is_log:
            return 0, high * 1.1
        return max(low, high / 2**12 if self.is_ratio else 0) / 1.3, high * 1.3

    def _choose_locator(self, low: float, high: float) -> "Locator":
        from matplotlib.ticker import LogLocator, MaxNLocator

        if not self.is_log:
            return MaxNLocator(4 if len(self.panels) > 1 else 6, steps=STEPS)
        if self.is_ratio:
            return LogLocator(base=2, numticks=7)
        return LogLocator(subs=(1, 2, 5) if high / low < 300 else (1,))

    def _set_scales(self, axes: Axes, span: tuple[float, float], locator: "Locator") -> None:
        if self.is_log:
            axes.set_yscale("log", base=2 if self.is_ratio else 10)
        axes.set_ylim(span)
        axes.yaxis.set_major_locator(locator)
        format_ticks(axes.yaxis, self.words, "×" * self.is_ratio)
        lines = [line for panel in self.panels for line in panel.lines]
        xs = [point.x for line in lines for point in line.points]
        is_whole = all(float(x).is_integer() for x in xs)
        xs += [x for line in lines if line.path for x in line.path[0]]
        if self.ticks:
            self._name_places(axes, min(xs), max(xs))
        else:
            self._number_places(axes, min(xs), max(xs), is_whole=is_whole)
        axes.minorticks_off()

    def _name_places(self, axes: Axes, first: float, last: float) -> None:
        pad = (last - first) * PAD or 1
        axes.set_xlim(first - pad, last + pad)
        axes.set_xticks(list(self.ticks), [""] * len(self.ticks))
        style: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "ha": "center"}
        for place, name in self.ticks.items():  # as texts, which are cleaned of whatever is in them
            add_text(axes, name, (place, 0), (0, -14), color=MUTED, size=SMALL_PT, **style)

    def _number_places(self, axes: Axes, first: float, last: float, *, is_whole: bool) -> None:
        from matplotlib.ticker import LogLocator, MaxNLocator

        letters_pt = (len(self.words.number(last, 0)) + 1) * LETTER_PT
        width_pt = axes.bbox.width * 72 / axes.figure.dpi
        if self.is_log:
            wider = max(1.08, (last / first) ** PAD)
            axes.set_xscale("log")
            axes.set_xlim(first / wider, last * wider)
            decade_pt = width_pt / math.log10(last / first * wider**2)
            few = (1, 2, 5) if decade_pt * math.log10(2) > letters_pt else (1,)
            base = 10 ** math.ceil(letters_pt / decade_pt)
            axes.xaxis.set_major_locator(LogLocator(base, subs=few))
        else:
            pad = (last - first) * PAD or 1
            axes.set_xlim(0 if first < last / 4 else first - pad, last + pad)
            room = int(width_pt / (letters_pt + 2 * LETTER_PT))
            axes.xaxis.set_major_locator(
                MaxNLocator(max(2, min(7, room)), integer=is_whole, steps=STEPS)
            )
        format_ticks(axes.xaxis, self.words)


def _choose_texts(lines: Sequence[Line], room_pt: float) -> list[str]:
    """What to name the lines: by their names, if there is room for those that end at the right."""
    long = any(len(one.name) * LETTER_PT > room_pt for one in _list_last(lines))
    return [one.label if long else one.name for one in lines if one.label]


def _find_room(lines: Sequence[Line], texts: Sequence[str], most_pt: float) -> float:
    """What names at the right of the axes take."""
    last = _list_last(lines)
    names = [text for line, text in zip(lines, texts, strict=False) if line in last]
    return min(max(map(len, names), default=0) * LETTER_PT, most_pt)


def _list_last(lines: Sequence[Line]) -> list[Line]:
    """Those that reach furthest to the right."""
    ends = [one.curve[0][-1] for one in lines]
    return [one for one, end in zip(lines, ends, strict=True) if end == max(ends)]
