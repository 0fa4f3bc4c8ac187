"""Traces: memory and busy cores over the time of one trial."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence
from scripts.site.judge.selection import select_family
from scripts.site.judge.usage import Quantity, Usage, read_usage
from scripts.site.render.chart import (
    Chart,
    fold,
    make_prefix,
    show_key,
    show_note,
    show_nothing,
    show_sign,
)
from scripts.site.render.curves import LOW_PT, PLOT_PT, Curves, Panel
from scripts.site.render.estimates import make_point
from scripts.site.render.headlines import tell_use
from scripts.site.render.html import program_anchor, table
from scripts.site.render.names import describe, group_methods, name_family, name_place
from scripts.site.render.pen import Pen
from scripts.site.render.series import choose_pens
from scripts.site.render.strokes import Line, Point
from scripts.site.render.words import MIB, Words

MARKS = 8
"""Points along a line."""


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
    traces = _list_traces(evidence, family, programs, of, workers)
    if not traces:
        if any(one.record.traced for one in select_family(evidence, family)):
            return show_nothing(words)
        return show_note(words.text("traces_nothing", profile=evidence.profile))
    variants = list(traces)
    told = None if workers is None else max(one.workers for one in variants)
    name = _name_selection(evidence, words, family, programs, told)
    title = words.text(f"traces_{of}", family=name, cores=name_place(evidence, variants[0], words))
    pens = choose_pens(evidence, variants)
    lines = [
        _make_line(describe(evidence, one, words), pen, usage, of, words)
        for (one, usage), pen in zip(traces.items(), pens, strict=True)
    ]
    panels = [Panel([line], line.name, LOW_PT) for line in lines]
    signs = [(show_key(one.pen, line=True), one.name) for one in lines if overlay]
    signs += [(show_sign("level"), words.text("traces_levels"))] * (of == "cpu")
    rows = [
        _list_cells(line.name, usage, of, words)
        for line, usage in zip(lines, traces.values(), strict=True)
    ]
    heads = ("program", "trace_peak", *["trace_mean"] * (of == "cpu"), "trace_end")
    numbers = table(
        words, words.text(f"traces_table_{of}"), words.texts(*heads), rows, kind="sizes"
    )
    parts = (of, "".join(map(program_anchor, programs)), workers, "overlay" * overlay)
    return Chart(
        prefix=make_prefix("traces", evidence.experiment.name, family, *parts),
        title=title + f", {words.text('traces_overlay')}" * overlay,
        picture=Curves(
            panels=[Panel(lines, plot_pt=PLOT_PT)] if overlay else panels,
            words=words,
            names=(words.text("axis_trace_time"), words.text(f"axis_trace_{of}")),
            levels=sorted({1, variants[0].cores}) if of == "cpu" else (),
            is_filled=not overlay,  # areas would hide each other
            is_even=True,
        ),
        signs=signs,
        below=show_note(words.text("traces_note")) + fold(numbers, words),
        found=tell_use(evidence, variants, of, words),
    ).show()


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
    evidence: Evidence, family: str, programs: Sequence[str], of: Quantity, workers: int | None
) -> dict[Variant, Usage]:
    """Of each program, and each start method if there are several, the largest that was traced."""
    largest: dict[Variant, Usage] = {}
    members = group_methods(evidence, select_family(evidence, family, programs))
    for found in members.values():
        several = len({one.record.variant.workers for one in found}) > 1
        readable = {
            one.record.variant: usage
            for one in found
            if workers is None or not several or one.record.variant.workers == workers
            if (usage := read_usage(one.record, of))
        }
        if readable:
            most = max(readable, key=lambda one: (one.tasks, one.workers))
            largest[most] = readable[most]
    return largest


def _make_line(name: str, pen: Pen, usage: Usage, of: Quantity, words: Words) -> Line:
    """A line with points along it, so that it can be told from others and read.

    Memory is in mebibytes, at each time; cores are those between one time and the next.
    """
    times, values = usage.times_s, usage.values
    if of == "memory":
        values = values / MIB
        path = times.tolist(), values.tolist()
    else:
        path = np.repeat(times, 2)[1:-1].tolist(), np.repeat(values, 2).tolist()
        times = (times[1:] + times[:-1]) / 2
    spread = np.linspace(times[0], times[-1], min(MARKS, len(times)))
    places = {int(np.argmin(np.abs(times - moment))) for moment in spread}
    points = []
    for place in sorted(places | {int(np.argmax(values))}):
        moment = words.seconds(times[place], 2)
        value = _format_value(usage.values[place], of, words)
        told = words.text("trace_point", program=name, time=moment, value=value)
        points.append(Point(times[place], make_point(values[place]), told))
    return Line(name, pen, points, path=path)


def _format_value(value: float, of: Quantity, words: Words) -> str:
    if of == "memory":
        return words.memory(value)
    return words.text("cores_busy", n=words.number(value, 2))


def _list_cells(name: str, usage: Usage, of: Quantity, words: Words) -> tuple[str, ...]:
    """What a program used at most, and of CPU on average too.

    Of memory there is no mean: a trace keeps the highest samples alone.
    """
    used = [max(usage.values), *[np.mean(usage.values)] * (of == "cpu")]
    values = (_format_value(value, of, words) for value in used)
    return (name, *values, words.seconds(usage.times_s[-1] - usage.times_s[0], 2))
