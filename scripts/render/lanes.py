"""Lanes: when each task really ran, as the programs themselves noted it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import select_family
from scripts.render.chart import Chart, fold, make_prefix, show_note, show_nothing
from scripts.render.estimates import format_value
from scripts.render.html import cell, row_header, table
from scripts.render.names import name_family, name_method, name_place
from scripts.render.panel import (
    Axes,
    Figure,
    add_panel,
    add_text,
    dress,
    find_width,
    measure_names,
    name_row,
)
from scripts.render.pen import Pen
from scripts.render.svg import INK
from scripts.render.words import Words

LANE_PT, BAR_PT, HEADING_PT, BOTTOM_PT, RIGHT_PT, GAP_PT = 22, 14, 26, 36, 12, 8
MILLISECONDS = 1000
SHORTEST_S = 0.002
"""Of what counts as running at the same time: programs note the ends of their turns one by one."""

_SLICE = re.compile(r"^(\S.*?) ran from (\d+\.\d+) to (\d+\.\d+) s$", re.MULTILINE)
Slices = dict[str, list[tuple[float, float]]]
"""For each lane, in the order of first appearance, when it began and ended to run, in seconds."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """The lanes of one program."""

    judgement: Judgement
    slices: Slices


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
    panels = [
        _Panel(judgement, slices)
        for judgement in select_family(evidence, family)
        if (slices := read_slices(judgement.record.printed))
    ]
    if not panels:
        return show_nothing(words)
    lanes = sum(len(panel.slices) for panel in panels)
    place = name_place(evidence, panels[0].judgement.record.variant, words)
    return Chart(
        prefix=make_prefix("lanes", evidence.experiment.name, family),
        title=words.text("lanes_title", family=name_family(evidence, family, words), cores=place),
        height_pt=LANE_PT * lanes + HEADING_PT * len(panels) + BOTTOM_PT,
        draw=partial(_draw_panels, panels, evidence, words),
        below=show_note(words.text("lanes_note"))
        + fold(_show_table(panels, evidence, words, family), words),
        found=_tell_found(panels, words),
    ).show()


def _tell_found(panels: Sequence[_Panel], words: Words) -> str:
    """Whether tasks ran at the same time, if that is the same of all programs."""
    most = {_count_together(panel.slices) for panel in panels}
    if most == {1}:
        return words.text("found_one_at_a_time")
    if len(most) > 1 or 0 in most:
        return ""
    return words.text("found_together", n=words.number(most.pop(), 0))


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


def _show_table(panels: Sequence[_Panel], evidence: Evidence, words: Words, family: str) -> Markup:
    """A row for each lane: how often it ran, and how long in all."""
    groups = {
        name_method(evidence, panel.judgement.record.variant): [
            row_header(name_lane(lane, words))
            + cell(words.number(len(bars), 0))
            + cell(format_value(sum(end - start for start, end in bars), "inside_s", words))
            for lane, bars in panel.slices.items()
        ]
        for panel in panels
    }
    head = words.texts("lanes_lane", "lanes_turns", "lanes_time")
    caption = f"{words.text('lanes_table')}. {name_family(evidence, family, words)}"
    return table(words, caption, head, groups, kind="sizes")


def _draw_panels(
    panels: Sequence[_Panel], evidence: Evidence, words: Words, figure: Figure
) -> dict[str, str]:
    """Panels one under another, the last with the axis of time; their tooltips."""
    names = [name_lane(lane, words) for panel in panels for lane in panel.slices]
    left_pt = measure_names(figure, names) + 2 * GAP_PT
    last_s = max(end for panel in panels for bars in panel.slices.values() for _, end in bars)
    tooltips: dict[str, str] = {}
    top_pt = 0.0
    for number, panel in enumerate(panels):
        top_pt += HEADING_PT
        panel_pt = LANE_PT * len(panel.slices)
        axes = add_panel(figure, left_pt, top_pt, find_width(figure) - left_pt - RIGHT_PT, panel_pt)
        top_pt += panel_pt
        is_last = panel is panels[-1]
        dress(axes, words.text("axis_lanes") if is_last else "")
        axes.set(xlim=(0, last_s * MILLISECONDS * 1.01), ylim=(panel_pt, 0))
        axes.yaxis.set_visible(False)
        axes.tick_params(labelbottom=is_last)
        axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
        name = name_method(evidence, panel.judgement.record.variant)
        add_text(axes, name, (0, 1), (0, 6), xycoords="axes fraction", color=INK)
        tooltips |= _draw_panel(axes, panel.slices, number, words)
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
