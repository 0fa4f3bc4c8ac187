"""Traces: memory and busy cores over the time of one trial."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from scripts.judge.evidence import Evidence
from scripts.judge.selection import select_family
from scripts.judge.usage import Quantity, Usage, read_usage
from scripts.records.record import Variant
from scripts.render.chart import (
    Chart,
    Sign,
    fold,
    make_prefix,
    show_key,
    show_note,
    show_nothing,
    show_sign,
)
from scripts.render.headlines import tell_use
from scripts.render.html import cell, join, program_anchor, row_header, table
from scripts.render.names import describe, group_methods, name_family, name_place
from scripts.render.panel import Axes, Figure, add_panel, add_text, dress, find_width
from scripts.render.pen import DASHED, Pen
from scripts.render.series import choose_pens
from scripts.render.svg import INK, MUTED
from scripts.render.words import MIB, Words

LEFT_PT, RIGHT_PT, BOTTOM_PT = 36, 14, 36
PANEL_PT, OVERLAY_PT = (70, 30), (220, 20)
"""How high each of several panels is, or the only one, and what is above it for its name."""
EDGE_PT = 6
MARKS = 8


@dataclass(frozen=True, slots=True)
class _Trace:
    """What one program used: mebibytes at ``times``, or cores between one time and the next."""

    variant: Variant
    name: str
    pen: Pen
    times: NDArray[np.float64]
    values: NDArray[np.float64]


def draw_traces(
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    of: Quantity = "memory",
    programs: Sequence[str] = (),
    workers: int | None = None,
    overlay: bool = False,
) -> Markup:
    """The last traced trial of each program, at the most tasks and workers that were traced.

    ``of`` is memory of the whole process tree, or how many cores it kept busy. Of programs measured
    with several numbers of workers ``workers`` chooses one. ``overlay`` puts all into one panel;
    otherwise each has its own, all with the same axes.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, words, family, programs, of, workers)
    if not traces:
        if any(one.record.traced for one in select_family(evidence, family)):
            return show_nothing(words)
        return show_note(words.text("traces_nothing", profile=evidence.profile))
    told = None if workers is None else max(trace.variant.workers for trace in traces)
    name = _name_selection(evidence, words, family, programs, told)
    place = name_place(evidence, traces[0].variant, words)
    title = words.text(f"traces_{of}", family=name, cores=place)
    parts = (of, "".join(map(program_anchor, programs)), workers, "overlay" * overlay)
    panels_pt = sum(OVERLAY_PT) if overlay else sum(PANEL_PT) * len(traces)
    return Chart(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=title + f", {words.text('traces_overlay')}" * overlay,
        height_pt=panels_pt + EDGE_PT + BOTTOM_PT,
        draw=partial(_draw_panels, traces, of, words, overlay),
        signs=_list_signs(traces, of, words, overlay=overlay),
        below=show_note(words.text("traces_note")) + fold(_show_table(traces, of, words), words),
        found=tell_use(evidence, [trace.variant for trace in traces], of, words),
    ).show()


def _list_signs(
    traces: Sequence[_Trace], of: Quantity, words: Words, *, overlay: bool
) -> list[Sign]:
    signs = [(show_key(trace.pen, line=True), trace.name) for trace in traces if overlay]
    return signs + [(show_sign("level"), words.text("traces_levels"))] * (of == "cpu")


def _name_selection(
    evidence: Evidence, words: Words, family: str, programs: Sequence[str], workers: int | None
) -> str:
    """The family, and what a page has chosen of it: it may show several charts of one family.

    ``workers`` are those that were measured, which a small profile has fewer of than were asked for.
    """
    name = name_family(evidence, family, words)
    if programs:
        name += f" ({', '.join(program.partition('-')[0] for program in programs)})"
    return f"{name}, {words.count('workers', workers)}" if workers else name


def _list_traces(
    evidence: Evidence,
    words: Words,
    family: str,
    programs: Sequence[str],
    of: Quantity,
    workers: int | None,
) -> list[_Trace]:
    """Of each program, and each start method if there are several, the largest that was traced."""
    largest: list[tuple[Variant, Usage]] = []
    members = group_methods(evidence, select_family(evidence, family, programs))
    for found in members.values():
        several = len({one.record.variant.workers for one in found}) > 1
        readable = [
            (one.record.variant, usage)
            for one in found
            if workers is None or not several or one.record.variant.workers == workers
            if (usage := read_usage(one.record, of))
        ]
        if readable:
            largest.append(max(readable, key=lambda one: (one[0].tasks, one[0].workers)))
    pens = choose_pens(evidence, (variant for variant, _ in largest))
    return [
        _Trace(
            variant,
            describe(evidence, variant, words),
            pen,
            usage.times_s,
            usage.values / MIB if of == "memory" else usage.values,
        )
        for (variant, usage), pen in zip(largest, pens, strict=True)
    ]


def _draw_panels(
    traces: Sequence[_Trace], of: Quantity, words: Words, overlay: bool, figure: Figure
) -> dict[str, str]:
    """Panels one under another, the last with the axis of time; their tooltips."""
    panels = [traces] if overlay else [[trace] for trace in traces]
    panel_pt, heading_pt = OVERLAY_PT if overlay else PANEL_PT
    height_pt = figure.get_figheight() * 72
    end = max(trace.times[-1] for trace in traces)
    highest = max(max(trace.values) for trace in traces)
    if of == "cpu":
        highest = max(highest, traces[0].variant.cores)
    tooltips: dict[str, str] = {}
    figure.text(0.01, 1 - 12 / height_pt, words.text(f"axis_trace_{of}"), color=MUTED)
    for row, panel in enumerate(panels):
        top_pt = (panel_pt + heading_pt) * row + heading_pt + EDGE_PT
        axes = add_panel(figure, LEFT_PT, top_pt, find_width(figure) - LEFT_PT - RIGHT_PT, panel_pt)
        axes.set(xlim=(0, end * 1.01), ylim=(0, highest * 1.12))
        is_last = row == len(panels) - 1
        dress(axes, words.text("axis_trace_time") if is_last else "")
        axes.tick_params(labelbottom=is_last)
        tooltips |= _draw_panel(axes, panel, of, words, overlay=overlay)
    return tooltips


def _draw_panel(
    axes: Axes, traces: Sequence[_Trace], of: Quantity, words: Words, *, overlay: bool
) -> dict[str, str]:
    """The traces of a panel, named above it if it is not a legend that names them; their tooltips."""
    axes.locator_params(nbins=6 if overlay else 4)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: words.plain(value))
    if of == "cpu":
        for level in sorted({1, traces[0].variant.cores}):
            axes.axhline(level, color=MUTED, linestyle=DASHED, linewidth=1.2)
    if not overlay:
        add_text(axes, traces[0].name, (0, 1), (0, 5), xycoords="axes fraction", color=INK)
    tooltips: dict[str, str] = {}
    for trace in traces:
        tooltips |= _draw_trace(axes, trace, of, words, overlay=overlay)
    return tooltips


def _draw_trace(
    axes: Axes, trace: _Trace, of: Quantity, words: Words, *, overlay: bool
) -> dict[str, str]:
    """A line with points along it, so that it can be told from others and read; their tooltips."""
    times, values, pen = trace.times, trace.values, trace.pen
    style: dict[str, Any] = {"color": pen.colour, "linewidth": 1.5}
    style["linestyle"] = pen.dash if overlay else "solid"
    area: dict[str, Any] = {"color": pen.colour, "alpha": 0.15, "linewidth": 0}
    if of == "cpu":
        axes.stairs(values, times, baseline=None, **style)
        if not overlay:  # areas would hide each other
            axes.stairs(values, times, fill=True, **area)
        times = (times[1:] + times[:-1]) / 2
    else:
        axes.plot(times, values, **style)
        if not overlay:
            axes.fill_between(times, values, **area)
    spread = np.linspace(times[0], times[-1], min(MARKS, len(times)))
    places = {int(np.argmin(np.abs(times - moment))) for moment in spread}
    tooltips = {}
    for place in sorted(places | {int(np.argmax(values))}):
        key = f"t{pen.number}-{place}"
        moment = words.seconds(times[place], 2)
        value = _format_value(values[place], of, words)
        tooltips[key] = words.text("trace_point", program=trace.name, time=moment, value=value)
        pen.mark(axes, times[place], values[place], key, 4.5)
    return tooltips


def _format_value(value: float, of: Quantity, words: Words) -> str:
    if of == "memory":
        return words.memory(value * MIB)
    return words.text("cores_busy", n=words.number(value, 2))


def _show_table(traces: Sequence[_Trace], of: Quantity, words: Words) -> Markup:
    """A row per program: what it used at most, and of CPU on average too.

    Of memory there is no mean: a trace keeps the highest samples alone.
    """
    rows = []
    for trace in traces:
        used = [max(trace.values)]
        if of == "cpu":
            used.append(np.mean(trace.values))
        cells = [_format_value(value, of, words) for value in used]
        cells.append(words.seconds(trace.times[-1] - trace.times[0], 2))
        rows.append(row_header(trace.name) + join(map(cell, cells)))
    heads = ("program", "trace_peak", *["trace_mean"] * (of == "cpu"), "trace_end")
    head = [words.text(key) for key in heads]
    return table(words, words.text(f"traces_table_{of}"), head, rows, kind="sizes")
