"""Walls: the times of a family, a dot per program, core count and metric: wall time, or others."""

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup

from scripts.declare.metrics import METRICS
from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import (
    choose_interpreter,
    find_largest,
    list_sizes,
    select_cells,
    select_measured,
)
from scripts.render.chart import Chart, fold, make_prefix, show_nothing, show_sign
from scripts.render.dots import MARGINS_PT, describe_dot, draw_dot, lay_rows, list_signs
from scripts.render.estimates import format_parts, stack_estimate
from scripts.render.headlines import tell_difference, tell_place
from scripts.render.html import cell, join, row_header, table
from scripts.render.names import add_interpreter, name_family
from scripts.render.panel import Axes, Figure, add_text
from scripts.render.pen import DASHED, Pen
from scripts.render.svg import INK, MUTED
from scripts.render.words import Words

ROW_PT, LABEL_PT, EDGE_PT = 17, 19, 7
WALL = "wall_s"
OF_ONE_ORDER = (WALL, "inside_s")
"""Metrics whose scale begins at nought; others differ by orders, and theirs is logarithmic."""


Row = tuple[int, str]
"""Of each program: a number of cores, and what was measured on them."""


def draw_family(
    evidence: Evidence, words: Words, family: str, metric: str | Sequence[str] = WALL
) -> Markup:
    """A dot per program and core count at its median, the interval through it, floors dashed.

    Of several interpreters it shows the first that ran any program of the family. Only wall times
    have floors. Of several metrics, which are of one unit, each has a row, and the first names the
    chart.
    """
    metrics = [metric] if isinstance(metric, str) else list(metric)
    first = metrics[0]
    members = select_cells(evidence.judgements, family=family)
    measured = select_measured(choose_interpreter(evidence, members))
    shown = [one for one in measured if one.median(first)]
    if not shown:
        return show_nothing(words)
    counts = list_sizes(shown, "cores")[::-1]
    rows = [(count, name) for count in counts for name in metrics]
    programs = [one.name for one in evidence.experiment.programs if family in one.families]
    signs = list_signs([_name_row(row, rows, words) for row in rows], words)
    if first == WALL:
        signs.append((show_sign("floor"), words.text("floor")))
    title = words.text(f"chart_title_{first}", family=name_family(evidence, family, words))
    found = _tell_found(evidence, select_cells(shown, cores=counts[0]), family, first, words)
    return Chart(
        prefix=make_prefix("chart", evidence.experiment.name, family, first),
        title=add_interpreter(title, evidence, shown[0].record.variant),
        height_pt=(LABEL_PT + ROW_PT * len(rows)) * len(programs) + MARGINS_PT,
        draw=partial(_draw_rows, shown, programs, rows, words),
        signs=signs,
        below=fold(_show_table(shown, programs, rows, title, words), words),
        found=found,
    ).show()


def _name_row(row: Row, rows: Sequence[Row], words: Words) -> str:
    """By its cores, or where there are several metrics by its metric, and what else tells it apart."""
    count, metric = row
    cores = words.count("cores_nominative", count)
    if len({name for _, name in rows}) == 1:
        return cores
    name = words.metric(metric)
    return f"{name}, {cores}" if len({other for other, _ in rows}) > 1 else name


def _tell_found(
    evidence: Evidence, arena: Sequence[Judgement], family: str, metric: str, words: Words
) -> str:
    """What the programs gave beside the baseline of their family, on one number of cores."""
    if metric not in METRICS:  # of a reading nobody knows what is better
        return ""
    base = evidence.experiment.family(family).baseline
    names = dict.fromkeys(one.record.variant.program for one in arena)
    most = {name: find_largest(select_cells(arena, program=name)) for name in names}
    if not (plain := most.get(base)):
        return ""
    trials = {
        name: one.sample(metric)
        for name, one in most.items()
        if one and one.record.variant.tasks == plain.record.variant.tasks
    }
    found = tell_difference(trials, metric, words, base)
    return tell_place(found, evidence, plain.record.variant, words)


def _show_table(
    shown: Sequence[Judgement],
    programs: Sequence[str],
    rows: Sequence[Row],
    title: str,
    words: Words,
) -> Markup:
    """A row for each program, a column for each core count and metric."""

    def show(one: Judgement, metric: str) -> Markup:
        estimate = one.estimate(metric)
        return stack_estimate(estimate, metric, words) if estimate else Markup("—")

    lines = [
        row_header(name)
        + join(
            cell(
                join(show(one, metric) for one in select_cells(shown, program=name, cores=count))
                or "—"
            )
            for count, metric in rows
        )
        for name in programs
        if select_cells(shown, program=name)
    ]
    head = [words.text("program"), *(_name_row(row, rows, words) for row in rows)]
    return table(words, title, head, lines, kind="sizes")


def _draw_rows(
    shown: Sequence[Judgement],
    programs: Sequence[str],
    rows: Sequence[Row],
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """Each program's name over a row for each core count and metric; the dots' tooltips."""
    axes = lay_rows(figure, EDGE_PT, words.text(f"axis_{rows[0][1]}"))
    tooltips: dict[str, str] = {}
    for place, program in enumerate(programs):
        top_pt = place * (LABEL_PT + ROW_PT * len(rows))
        at = (0, top_pt + LABEL_PT * 0.7)
        add_text(axes, program, at, xycoords=("axes fraction", "data"), va="center", color=INK)
        for line, (count, metric) in enumerate(rows):
            y_pt = top_pt + LABEL_PT + ROW_PT * (line + 0.4)
            arena = select_cells(shown, cores=count)
            if metric == WALL:
                _draw_floors(axes, arena, y_pt)
            for number, judgement in enumerate(select_cells(arena, program=program)):
                key = f"p{place}-{line}-{number}"
                if not (estimate := judgement.estimate(metric)):
                    continue
                label, _ = format_parts(estimate, metric, words)
                name = _name_row((count, metric), rows, words)
                tooltips[key] = f"{program}, {name}: {label}"
                if metric == WALL:
                    tooltips[key] = describe_dot(judgement, words)
                draw_dot(axes, estimate, y_pt, Pen(line), key, label)
    _set_scale(axes, shown, rows)
    axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
    return tooltips


def _set_scale(axes: Axes, shown: Sequence[Judgement], rows: Sequence[Row]) -> None:
    """From nought where metrics are of one order, logarithmic for all others."""
    metrics = {metric for _, metric in rows}
    if metrics <= set(OF_ONE_ORDER):
        ends = (value.high for one in shown for name in metrics if (value := one.estimate(name)))
        axes.set_xlim(0, max(ends) * 1.04)
    else:
        _scale_log(axes)


def _scale_log(axes: Axes) -> None:
    """A logarithmic scale, of whose ticks each is labelled as numbers are on the page."""
    from matplotlib.ticker import LogLocator

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 100 else (1,)))
    axes.minorticks_off()


def _draw_floors(axes: Axes, judgements: Sequence[Judgement], y_pt: float) -> None:
    for floor_s in {judgement.floor_s for judgement in judgements if judgement.floor_s}:
        span = (y_pt - ROW_PT * 0.45, y_pt + ROW_PT * 0.45)
        axes.plot((floor_s, floor_s), span, color=MUTED, linestyle=DASHED, linewidth=1.2)
