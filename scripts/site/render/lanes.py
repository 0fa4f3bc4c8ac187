"""Lanes: when each task really ran, as the programs themselves noted it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from scripts.site.judge.judge import Evidence
from scripts.site.judge.selection import select_family
from scripts.site.render.chart import Chart, fold, make_prefix, show_note, show_nothing
from scripts.site.render.estimates import format_value
from scripts.site.render.html import table
from scripts.site.render.names import name_family, name_method, name_place
from scripts.site.render.panel import (
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
from scripts.site.render.pen import Pen
from scripts.site.render.svg import INK
from scripts.site.render.words import Words

LANE_PT, BAR_PT, HEADING_PT, BOTTOM_PT, RIGHT_PT, GAP_PT = 22, 14, 26, 36, 12, 8
MILLISECONDS = 1000
SHORTEST_S = 0.002
"""Of what counts as running at the same time: programs note the ends of their turns one by one."""

_SLICE = re.compile(r"^(\S.*?) ran from (\d+\.\d+) to (\d+\.\d+) s$", re.MULTILINE)
Slices = dict[str, list[tuple[float, float]]]
"""For each lane, in the order of first appearance, when it began and ended to run, in seconds."""


def read_slices(printed: str) -> Slices:
    """The lanes that a program noted: lines ``thread 1 ran from 0.001 to 0.006 s``."""
    lanes: Slices = {}
    for lane, start, end in _SLICE.findall(printed):
        lanes.setdefault(lane, []).append((float(start), float(end)))
    return lanes


def name_lane(lane: str, words: Words) -> str:
    """``thread 1`` in the language of the page; a noun that it does not know stays."""
    noun, *number = lane.split(" ", 1)
    return " ".join([words.term_if_known("lane", noun), *number])


def draw_lanes(evidence: Evidence, words: Words, family: str) -> Markup:
    """A panel for each program of a family, a lane for each task, a bar wherever it ran.

    All panels have the same scale. What is shown is the shortest trial on the most cores: other
    programs disturbed it least. In one that had to wait for a core, even what runs at the same time
    seems to take turns.
    """
    shown = [one for one in select_family(evidence, family) if read_slices(one.record.printed)]
    if not shown:
        return show_nothing(words)
    panels = {
        name_method(evidence, one.record.variant): read_slices(one.record.printed) for one in shown
    }
    title = name_family(evidence, family, words)
    place = name_place(evidence, shown[0].record.variant, words)
    return Chart(
        prefix=make_prefix("lanes", evidence.experiment.name, family),
        title=words.text("lanes_title", family=title, cores=place),
        picture=_Lanes(panels, words),
        below=show_note(words.text("lanes_note")) + fold(_show_table(panels, words, title), words),
        found=_tell_found(panels.values(), words),
    ).show()


def _tell_found(panels: Iterable[Slices], words: Words) -> str:
    """Whether tasks ran at the same time; empty where that is not known of all programs."""
    most = set(map(_count_together, panels))
    if most == {1}:
        return words.text("found_one_at_a_time")
    if 0 in most:
        return ""
    least, highest = (words.number(one, 0) for one in (min(most), max(most)))
    return words.text(
        "found_together" if len(most) == 1 else "found_between", n=highest, least=least
    )


def _count_together(slices: Slices) -> int:
    """How many ran at once at most, but for moments shorter than what the times are told in.

    If there are no others, none is known to have run.
    """
    bars = [bar for lane in slices.values() for bar in lane]
    moments = sorted({end for bar in bars for end in bar})
    together = (
        sum(start <= left and right <= end for start, end in bars)
        for left, right in pairwise(moments)
        if right - left > SHORTEST_S
    )
    return max(together, default=0)


def _show_table(panels: Mapping[str, Slices], words: Words, title: str) -> Markup:
    """A row for each lane: how often it ran, and how long in all."""
    groups = {
        name: [
            (
                name_lane(lane, words),
                words.number(len(bars), 0),
                format_value(sum(end - start for start, end in bars), "inside_s", words),
            )
            for lane, bars in slices.items()
        ]
        for name, slices in panels.items()
    }
    head = words.texts("lanes_lane", "lanes_turns", "lanes_time")
    return table(words, f"{words.text('lanes_table')}. {title}", head, groups, kind="sizes")


@dataclass(frozen=True, slots=True)
class _Lanes:
    """Panels one under another, by the name of their program, the last with the axis of time."""

    panels: Mapping[str, Slices]
    words: Words

    @property
    def height_pt(self) -> float:
        """Of the whole picture."""
        lanes = sum(map(len, self.panels.values()))
        return LANE_PT * lanes + HEADING_PT * len(self.panels) + BOTTOM_PT

    def draw(self, figure: Figure) -> dict[str, str]:
        """Fill a figure that is so high; returns the tooltips of the bars."""
        names = [name_lane(lane, self.words) for slices in self.panels.values() for lane in slices]
        left_pt = measure_names(figure, names) + 2 * GAP_PT
        width_pt = find_width(figure) - left_pt - RIGHT_PT
        ends = (
            end for slices in self.panels.values() for bars in slices.values() for _, end in bars
        )
        last_s = max(ends)
        tooltips: dict[str, str] = {}
        top_pt = 0.0
        for number, (name, slices) in enumerate(self.panels.items(), 1):
            top_pt += HEADING_PT
            panel_pt = LANE_PT * len(slices)
            axes = add_panel(figure, left_pt, top_pt, width_pt, panel_pt)
            top_pt += panel_pt
            is_last = number == len(self.panels)
            dress(axes, self.words.text("axis_lanes") if is_last else "")
            axes.set(xlim=(0, last_s * MILLISECONDS * 1.01), ylim=(panel_pt, 0))
            axes.yaxis.set_visible(False)
            axes.tick_params(labelbottom=is_last)
            format_ticks(axes.xaxis, self.words)
            add_text(axes, name, (0, 1), (0, 6), xycoords="axes fraction", color=INK)
            tooltips |= _draw_panel(axes, slices, number, self.words)
        return tooltips


def _draw_panel(axes: Axes, slices: Slices, number: int, words: Words) -> dict[str, str]:
    """The bars of a program, and their tooltips."""
    tooltips = {}
    for row, (lane, bars) in enumerate(slices.items()):
        middle_pt = LANE_PT * (row + 0.5)
        name = name_lane(lane, words)
        name_row(axes, name, middle_pt, GAP_PT)
        for place, (start_s, end_s) in enumerate(bars):
            key = f"l{number}-{row}-{place}"
            start, end = (words.number(moment * MILLISECONDS, 2) for moment in (start_s, end_s))
            tooltips[key] = words.text("lanes_slice", lane=name, start=start, end=end)
            axes.barh(
                middle_pt,
                (end_s - start_s) * MILLISECONDS,
                left=start_s * MILLISECONDS,
                height=BAR_PT,
                color=Pen(row).colour,
                linewidth=0,
                gid=key,
            )
    return tooltips
