"""Traces: memory and busy cores over the time of one trial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from scripts.judge.judgement import Judgement
from scripts.measure.variant import TracePoint, Variant
from scripts.pipeline import Evidence
from scripts.render.drawing import (
    DASHED,
    WIDTH_PT,
    Pen,
    add_panel,
    describe,
    dress,
    fold,
    frame,
    make_prefix,
    name_family,
    name_method,
    name_place,
    select_judgements,
    show_legend,
    show_nothing,
    show_sign,
    write,
)
from scripts.render.html import body, cell, column, program_anchor, row_header, table
from scripts.render.svg import INK, MUTED, STYLE, write_svg
from scripts.render.words import MIB, Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes

Quantity = Literal["memory", "cpu"]

LEFT_PT, RIGHT_PT, BOTTOM_PT = 36, 14, 36
PANEL_PT, OVERLAY_PT = 70, 220
TOP_PT, HEADING_PT = 20, 30
"""Above one panel, and above each of several."""
BINS, BIN_S = 40, 0.05
"""CPU time is told in clock ticks: cores are counted over no less than this, and not too often."""
POINTS = 200
MARKS = 8


@dataclass(frozen=True, slots=True)
class _Trace:
    """What one program used: mebibytes at ``times``, or cores between one time and the next."""

    variant: Variant
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
) -> str:
    """The last traced trial of each program, at the most tasks and workers that were traced.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        family: its name.
        of: memory of the whole process tree, or how many cores it kept busy.
        programs: only these; none for all.
        workers: of programs measured with several numbers of workers, this one.
        overlay: all in one panel; otherwise a panel for each, all with the same axes.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, family, programs, of, workers)
    if not traces:
        return show_nothing(words)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    panels = [traces] if overlay else [[trace] for trace in traces]
    panel_pt, heading_pt = (OVERLAY_PT, TOP_PT) if overlay else (PANEL_PT, HEADING_PT)
    height_pt = (panel_pt + heading_pt) * len(panels) + BOTTOM_PT + 6
    cores = traces[0].variant.cores
    end = max(trace.times[-1] for trace in traces)
    highest = max(max(trace.values) for trace in traces)
    if of == "cpu":
        highest = max(highest, cores)
    names = [describe(evidence, trace.variant, words) for trace in traces]
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_PT / 72, height_pt / 72))
        figure.text(0.01, 1 - 12 / height_pt, words.text(f"axis_trace_{of}"), color=MUTED)
        for row, panel in enumerate(panels):
            top_pt = (panel_pt + heading_pt) * row + heading_pt + 6
            axes = add_panel(figure, LEFT_PT, top_pt, WIDTH_PT - LEFT_PT - RIGHT_PT, panel_pt)
            is_last = row == len(panels) - 1
            dress(axes, words.text("axis_trace_time") if is_last else "")
            axes.tick_params(labelbottom=is_last)
            axes.set(xlim=(0, end * 1.01), ylim=(0, highest * 1.12))
            axes.locator_params(nbins=6 if overlay else 4)
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(lambda value, _: words.plain(value))
            if of == "cpu":
                _draw_levels(axes, cores)
            if not overlay:
                write(axes, names[row], (0, 1), (0, 5), xycoords="axes fraction", color=INK)
            for trace in panel:
                place = traces.index(trace)
                tooltips |= _draw_trace(
                    axes, trace, Pen(place), of, names[place], words, overlay=overlay
                )
        where = name_place(evidence, traces[0].variant, words)
        name = name_family(evidence, family, words)
        title = words.text(f"traces_{of}", family=name, cores=where)
        which = "".join(map(program_anchor, programs))
        parts = (family, of, which, workers, "overlay" * overlay)
        prefix = make_prefix("traces", evidence.experiment.name, *parts)
        svg = write_svg(figure, prefix, title, words.text(f"traces_desc_{of}"), tooltips)
    signs = [(Pen(place).show_key(line=True), name) for place, name in enumerate(names) if overlay]
    if of == "cpu":
        signs.append((show_sign("level"), words.text("traces_levels")))
    numbers = fold(_show_table(traces, names, of, words), words)
    return frame(svg, title, show_legend(signs), prefix, below=numbers)


def _list_traces(
    evidence: Evidence, family: str, programs: Sequence[str], of: Quantity, workers: int | None
) -> list[_Trace]:
    members: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in select_judgements(evidence, family, programs):
        members[name_method(evidence, judgement.record.variant)].append(judgement)
    traces = []
    for found in members.values():
        several = len({one.record.variant.workers for one in found}) > 1
        readable = [
            trace
            for one in found
            if workers is None or not several or one.record.variant.workers == workers
            for trace in _read_trace(one, of)
        ]
        if readable:
            traces.append(max(readable, key=lambda one: (one.variant.tasks, one.variant.workers)))
    return traces


def _read_trace(judgement: Judgement, of: Quantity) -> list[_Trace]:
    """The last traced trial, in the unit of the axis; nothing if it has too few points."""
    points = judgement.record.traced[-1].trace if judgement.record.traced else ()
    variant = judgement.record.variant
    if of == "cpu":
        return _count_cores(points, variant)
    if len(points) < 2:
        return []
    # More points than can be seen only make the page heavier: of neighbours the highest stays.
    groups = np.array_split(np.arange(len(points)), min(len(points), POINTS))
    shown = [points[max(group, key=lambda place: points[place][1])] for group in groups]
    values = np.array([pss_bytes / MIB for _, pss_bytes, _ in shown])
    return [_Trace(variant, np.array([seconds for seconds, _, _ in shown]), values)]


def _count_cores(points: Sequence[TracePoint], variant: Variant) -> list[_Trace]:
    """CPU seconds used in each of equal spans of time, divided by that time."""
    used = [(seconds, cpu_s) for seconds, _, cpu_s in points if cpu_s is not None]
    if len(used) < 2:
        return []
    times, cpu_s = np.array(used).T
    duration = times[-1] - times[0]
    spans = max(1, int(duration / max(BIN_S, duration / BINS)))
    edges = np.linspace(times[0], times[-1], spans + 1)
    return [_Trace(variant, edges, np.diff(np.interp(edges, times, cpu_s)) / (duration / spans))]


def _draw_levels(axes: Axes, cores: int) -> None:
    for level in sorted({1, cores}):
        axes.axhline(level, color=MUTED, linestyle=DASHED, linewidth=1.2)


def _draw_trace(
    axes: Axes, trace: _Trace, pen: Pen, of: Quantity, name: str, words: Words, *, overlay: bool
) -> dict[str, str]:
    """A line with points along it, so that it can be told from others and read; their tooltips."""
    times, values = trace.times, trace.values
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
        value = _show(values[place], of, words)
        tooltips[key] = words.text("trace_point", program=name, time=moment, value=value)
        pen.mark(axes, times[place], values[place], key, 4.5)
    return tooltips


def _show(value: float, of: Quantity, words: Words) -> str:
    if of == "memory":
        return words.memory(value * MIB)
    return words.text("cores_busy", n=words.number(value, 2))


def _show_table(traces: Sequence[_Trace], names: Sequence[str], of: Quantity, words: Words) -> str:
    """A row per program: what it used at most and on average."""
    rows = []
    for trace, name in zip(traces, names, strict=True):
        seconds = float(trace.times[-1] - trace.times[0])
        area = np.trapezoid(trace.values, trace.times) if of == "memory" else None
        mean = float(np.mean(trace.values)) if area is None else float(area) / seconds
        shown = (_show(max(trace.values), of, words), _show(mean, of, words))
        cells = (*shown, words.seconds(seconds, 2))
        rows.append(row_header(escape(name)) + "".join(map(cell, cells)))
    heads = ("program", "trace_peak", "trace_mean", "trace_end")
    head = [column(words.text(key)) for key in heads]
    return table(words, words.text(f"traces_table_{of}"), head, [body(rows)], kind="sizes")
