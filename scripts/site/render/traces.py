"""Traces: memory and busy cores over the time of one trial."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from scripts.harness.record import Record, TracePoint, Variant
from scripts.site.judge.judge import Evidence
from scripts.site.judge.rows import select_family
from scripts.site.render.estimates import make_point
from scripts.site.render.growth import choose_pens
from scripts.site.render.html import program_anchor
from scripts.site.render.names import describe, name_family, name_place, title_program
from scripts.site.render.plot import (
    Curve,
    Plot,
    Row,
    make_prefix,
    show_note,
    show_nothing,
    show_sign,
    tabulate,
)
from scripts.site.render.svg import Pen
from scripts.site.render.words import MIB, Words

MARKS = 8
"""So many points stand along a line."""
Quantity = Literal["memory", "cpu"]

BINS, BIN_S = 40, 0.05
"""CPU time is told in clock ticks: cores are counted over no less than this, and not too often."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes at each of ``times_s``, or cores kept busy between one of them and the next."""

    times_s: NDArray[np.float64]
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
    """Draw the last traced trial of each program, at the most tasks and workers that were traced.

    ``of`` is memory of the whole process tree, or how many cores it kept busy. Of programs measured
    with several numbers of workers ``workers`` chooses one. ``overlay`` puts all into one panel;
    otherwise each has its own, all with the same axes.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, family, programs, of, workers)
    if not traces:
        if any(one.record.traced for one in select_family(evidence, family)):
            return show_nothing(words)
        return show_note(words.text("traces_nothing", profile=evidence.profile))
    variants = list(traces)
    told = None if workers is None else max(one.workers for one in variants)
    name = _name_selection(evidence, words, family, programs, told)
    title = words.text(f"traces_{of}", family=name, cores=name_place(evidence, variants[0], words))
    names = [describe(evidence, one, words) for one in variants]
    pens = choose_pens(evidence, variants)
    rows: list[Row] = []
    paths: dict[str, Curve] = {}
    for name, pen, usage in zip(names, pens, traces.values(), strict=True):
        rows += _list_rows(name, pen, usage, of, words)
        paths[name] = _find_path(usage, of)
    levels = [(show_sign("level"), words.text("traces_levels"))] if of == "cpu" else []
    heads = ["program", "trace_peak", "trace_end"]
    if of == "cpu":
        heads.insert(2, "trace_mean")
    caption = words.text(f"traces_table_{of}")
    numbers = tabulate(rows, words, caption, words.texts(*heads))
    parts = (of, "".join(map(program_anchor, programs)), workers, "overlay" * overlay)
    return Plot(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=f"{title}, {words.text('traces_overlay')}" if overlay else title,
        rows=rows if overlay else [replace(row, panel=row.series) for row in rows],
        words=words,
        mark="lines",
        axes=(words.text("axis_trace_time"), words.text(f"axis_trace_{of}")),
        signs=levels,
        levels=sorted({1, variants[0].cores}) if of == "cpu" else (),
        paths=paths,
        is_filled=not overlay,  # areas would hide each other
        below=show_note(words.text("traces_note")) + numbers,
    ).show()


def _name_selection(
    evidence: Evidence, words: Words, family: str, programs: Sequence[str], workers: int | None
) -> str:
    """Name the family, and what a page has chosen of it: it may show several charts of one family.

    ``workers`` are those that were measured, which a small profile has fewer of than were asked for.
    """
    name = name_family(evidence, family, words)
    if programs:
        titles = (title_program(evidence.experiment, one, words) for one in programs)
        name += f" ({', '.join(titles)})"
    return f"{name}, {words.count('workers', workers)}" if workers else name


def _list_traces(
    evidence: Evidence, family: str, programs: Sequence[str], of: Quantity, workers: int | None
) -> dict[Variant, Usage]:
    """List the largest that was traced of each program and start method."""
    largest: dict[Variant, Usage] = {}
    members = select_family(evidence, family, programs).by("program", "start_method")
    for found in members.values():
        several = len({one.workers for one in found}) > 1
        readable = {
            one.record.variant: usage
            for one in found
            if workers is None or not several or one.workers == workers
            if (usage := read_usage(one.record, of))
        }
        if readable:
            most = max(readable, key=lambda one: (one.tasks, one.workers))
            largest[most] = readable[most]
    return largest


def _find_path(usage: Usage, of: Quantity) -> Curve:
    """Find the line of a trace: memory at each time, cores between one time and the next."""
    if of == "memory":
        return usage.times_s.tolist(), (usage.values / MIB).tolist()
    return np.repeat(usage.times_s, 2)[1:-1].tolist(), np.repeat(usage.values, 2).tolist()


def _list_rows(name: str, pen: Pen, usage: Usage, of: Quantity, words: Words) -> list[Row]:
    """List some points along a line, so that it can be told from others and read, and its peak."""
    times = usage.times_s if of == "memory" else (usage.times_s[1:] + usage.times_s[:-1]) / 2
    unit = MIB if of == "memory" else 1
    spread = np.linspace(times[0], times[-1], min(MARKS, len(times)))
    places = {int(np.argmin(np.abs(times - moment))) for moment in spread}
    rows = []
    for place in sorted(places | {int(np.argmax(usage.values))}):
        value = float(usage.values[place])
        moment = words.seconds(times[place], 2)
        told = words.text(
            "trace_point", program=name, time=moment, value=_format_value(value, of, words)
        )
        point = make_point(value / unit)
        rows.append(Row(series=name, pen=pen, value=point, x=float(times[place]), told=told))
    rows[-1] = replace(rows[-1], cells=_list_cells(name, usage, of, words))
    return rows


def _format_value(value: float, of: Quantity, words: Words) -> str:
    if of == "memory":
        return words.memory(value)
    return words.text("cores_busy", n=words.number(value, 2))


def _list_cells(name: str, usage: Usage, of: Quantity, words: Words) -> tuple[str, ...]:
    """List what a program used at most, and of CPU on average too.

    Of memory there is no mean: a trace keeps the highest samples alone.
    """
    used = [max(usage.values)]
    if of == "cpu":
        used.append(np.mean(usage.values))
    values = (_format_value(value, of, words) for value in used)
    return (name, *values, words.seconds(usage.times_s[-1] - usage.times_s[0], 2))


def read_usage(record: Record, of: Quantity) -> Usage | None:
    """Read the last traced trial; ``None`` if it has too few points."""
    points = record.traced[-1].trace if record.traced else ()
    if of == "cpu":
        return _count_cores(points)
    if len(points) < 2:
        return None
    return Usage(*np.array([(seconds, pss_bytes) for seconds, pss_bytes, _ in points]).T)


def _count_cores(points: Sequence[TracePoint]) -> Usage | None:
    """CPU seconds used in each of equal spans of time, divided by that time."""
    used = [(seconds, cpu_s) for seconds, _, cpu_s in points if cpu_s is not None]
    if len(used) < 2:
        return None
    times, cpu_s = np.array(used).T
    duration = times[-1] - times[0]
    spans = max(1, int(duration / max(BIN_S, duration / BINS)))
    edges = np.linspace(times[0], times[-1], spans + 1)
    return Usage(edges, np.diff(np.interp(edges, times, cpu_s)) / (duration / spans))
