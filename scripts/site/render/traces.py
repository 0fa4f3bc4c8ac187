"""Traces: memory over the time of one trial."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from scripts.harness.record import Record, Variant
from scripts.site.judge.judge import Evidence
from scripts.site.judge.rows import select_family
from scripts.site.render.estimates import make_point
from scripts.site.render.growth import choose_pens
from scripts.site.render.html import program_anchor, table
from scripts.site.render.names import describe, name_family, name_place, title_program
from scripts.site.render.plot import (
    Curve,
    Plot,
    Row,
    fold,
    make_prefix,
    show_note,
)
from scripts.site.render.svg import Pen
from scripts.site.render.words import MIB, Words

MARKS = 8
"""So many points stand along a line."""

Trace = NDArray[np.float64]
"""Two rows: seconds, and the bytes at each."""


def draw_traces(
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    programs: Sequence[str] = (),
    workers: int | None = None,
) -> Markup:
    """Draw the last traced trial of each program, at the most tasks and workers that were traced.

    It is the memory of the whole process tree. Of programs measured with several numbers of workers
    ``workers`` chooses one.

    Raises:
        ValueError: the family has no such program.
    """
    traces = _list_traces(evidence, family, programs, workers)
    if not traces:
        return show_note(words.text("traces_nothing", profile=evidence.profile))
    variants = list(traces)
    told = None if workers is None else max(one.workers for one in variants)
    name = _name_selection(evidence, words, family, programs, told)
    rows: list[Row] = []
    cells = []
    paths: dict[str, Curve] = {}
    pens = choose_pens(evidence, variants)
    for variant, pen in zip(variants, pens, strict=True):
        series, trace = describe(evidence, variant, words), traces[variant]
        rows += _list_rows(series, pen, trace, words)
        times, used = trace
        paths[series] = times.tolist(), (used / MIB).tolist()
        cells.append((series, words.memory(max(used)), words.seconds(times[-1] - times[0], 2)))
    heads = words.texts("program", "trace_peak", "trace_end")
    numbers = table(words, words.text("traces_table"), heads, cells, kind="sizes")
    parts = ("memory", "".join(map(program_anchor, programs)), workers, "overlay")
    return Plot(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=words.text("traces", family=name, cores=name_place(evidence, variants[0], words)),
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_trace_time"), words.text("axis_trace")),
        paths=paths,
        below=show_note(words.text("traces_note")) + fold(numbers, words),
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
        name += f" ({' · '.join(titles)})"
    return f"{name}, {words.count('workers', workers)}" if workers else name


def _list_traces(
    evidence: Evidence, family: str, programs: Sequence[str], workers: int | None
) -> dict[Variant, Trace]:
    """List the largest that was traced of each program and start method."""
    largest: dict[Variant, Trace] = {}
    members = select_family(evidence, family, programs).by("program", "start_method")
    for found in members.values():
        several = len({one.workers for one in found}) > 1
        readable = {
            one.record.variant: trace
            for one in found
            if workers is None or not several or one.workers == workers
            if (trace := read_trace(one.record)) is not None
        }
        if readable:
            most = max(readable, key=lambda one: (one.tasks, one.workers))
            largest[most] = readable[most]
    return largest


def _list_rows(name: str, pen: Pen, trace: Trace, words: Words) -> list[Row]:
    """List some points along a line, so that it can be told from others and read, and its peak."""
    times, used = trace
    spread = np.linspace(times[0], times[-1], min(MARKS, len(times)))
    places = {int(np.argmin(np.abs(times - moment))) for moment in spread}
    rows = []
    for place in sorted(places | {int(np.argmax(used))}):
        value = float(used[place])
        moment = words.seconds(times[place], 2)
        told = words.text("trace_point", program=name, time=moment, value=words.memory(value))
        point = make_point(value / MIB)
        rows.append(Row(series=name, pen=pen, value=point, x=float(times[place]), told=told))
    return rows


def read_trace(record: Record) -> Trace | None:
    """Read the last traced trial; ``None`` if it has too few points."""
    points = record.traced[-1].trace if record.traced else ()
    if len(points) < 2:
        return None
    return np.array([(seconds, pss_bytes) for seconds, pss_bytes, _ in points]).T
