"""Walls: the times of a family, wall time or another, a dot per program and core count."""

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Judgement
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


def draw_family(evidence: Evidence, words: Words, family: str, metric: str = WALL) -> Markup:
    """A dot per program and core count at its median, the interval through it, floors dashed.

    Of several interpreters it shows the first that ran any program of the family. Only wall times
    have floors.
    """
    members = select_cells(evidence.judgements, family=family)
    measured = select_measured(choose_interpreter(evidence, members))
    shown = [one for one in measured if one.median(metric)]
    if not shown:
        return show_nothing(words)
    counts = list_sizes(shown, "cores")[::-1]
    programs = [one.name for one in evidence.experiment.programs if family in one.families]
    title = words.text(f"chart_title_{metric}", family=name_family(evidence, family, words))
    signs = list_signs(counts, words)
    if metric == WALL:
        signs.append((show_sign("floor"), words.text("floor")))
    found = _tell_found(evidence, select_cells(shown, cores=counts[0]), family, metric, words)
    return Chart(
        prefix=make_prefix("chart", evidence.experiment.name, family, metric),
        title=add_interpreter(title, evidence, shown[0].record.variant),
        height_pt=(LABEL_PT + ROW_PT * len(counts)) * len(programs) + MARGINS_PT,
        draw=partial(_draw_rows, shown, programs, counts, metric, words),
        signs=signs,
        below=fold(_show_table(shown, programs, counts, title, metric, words), words),
        found=found,
    ).show()


def _tell_found(
    evidence: Evidence, arena: Sequence[Judgement], family: str, metric: str, words: Words
) -> str:
    """What the programs gave beside the baseline of their family, on one number of cores."""
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
    counts: Sequence[int],
    title: str,
    metric: str,
    words: Words,
) -> Markup:
    """A row for each program, a column for each core count."""

    def show(one: Judgement) -> Markup:
        estimate = one.estimate(metric)
        return stack_estimate(estimate, metric, words) if estimate else Markup("—")

    rows = [
        row_header(name)
        + join(
            cell(join(map(show, select_cells(shown, program=name, cores=count))) or "—")
            for count in counts
        )
        for name in programs
        if select_cells(shown, program=name)
    ]
    head = [words.text("program")]
    head += [words.count("cores_nominative", count) for count in counts]
    return table(words, title, head, rows, kind="sizes")


def _draw_rows(
    shown: Sequence[Judgement],
    programs: Sequence[str],
    counts: Sequence[int],
    metric: str,
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """Each program's name over a row for each core count; the dots' tooltips."""
    axes = lay_rows(figure, EDGE_PT, words.text(f"axis_{metric}"))
    tooltips: dict[str, str] = {}
    for place, program in enumerate(programs):
        top_pt = place * (LABEL_PT + ROW_PT * len(counts))
        at = (0, top_pt + LABEL_PT * 0.7)
        add_text(axes, program, at, xycoords=("axes fraction", "data"), va="center", color=INK)
        for row, count in enumerate(counts):
            y_pt = top_pt + LABEL_PT + ROW_PT * (row + 0.4)
            arena = select_cells(shown, cores=count)
            if metric == WALL:
                _draw_floors(axes, arena, y_pt)
            for number, judgement in enumerate(select_cells(arena, program=program)):
                key = f"p{place}-{count}-{number}"
                if not (estimate := judgement.estimate(metric)):
                    continue
                label, _ = format_parts(estimate, metric, words)
                tooltips[key] = f"{program}, {words.count('cores_nominative', count)}: {label}"
                if metric == WALL:
                    tooltips[key] = describe_dot(judgement, words)
                draw_dot(axes, estimate, y_pt, Pen(row), key, label)
    if metric in OF_ONE_ORDER:
        ends = (estimate.high for one in shown if (estimate := one.estimate(metric)))
        axes.set_xlim(0, max(ends) * 1.04)
    else:
        _scale_log(axes)
    axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
    return tooltips


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
