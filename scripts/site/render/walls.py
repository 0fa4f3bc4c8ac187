"""Walls: the times of a family, a dot per program, core count and metric: wall time, or others."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.harness.metrics import METRICS
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import (
    choose_interpreter,
    choose_largest,
    find_largest,
    list_sizes,
    select_cells,
    select_measured,
)
from scripts.site.render.chart import Chart, fold, make_prefix, show_nothing, show_sign
from scripts.site.render.dots import Dot, Dots, Group, describe_dot, list_signs
from scripts.site.render.estimates import format_parts, stack_estimate
from scripts.site.render.headlines import tell_difference, tell_place
from scripts.site.render.html import join, table
from scripts.site.render.names import add_interpreter, name_family
from scripts.site.render.panel import is_crushed
from scripts.site.render.pen import Pen
from scripts.site.render.words import Words

WALL = "wall_s"
OF_ONE_ORDER = (WALL, "inside_s")
"""Metrics whose scale begins at nought where no value is far from another; others differ by orders."""

Line = tuple[int, str]
"""Of each program: a number of cores, and what was measured on them."""


def draw_family(
    evidence: Evidence, words: Words, family: str, metric: str | Sequence[str] = WALL
) -> Markup:
    """A dot per program and core count at its median, the interval through it, floors dashed.

    Of several interpreters it shows the first that ran any program of the family, of several numbers
    of tasks the most. Only wall times have floors. Of several metrics, which are of one unit, each has a line, and the first names the
    chart.
    """
    metrics = [metric] if isinstance(metric, str) else list(metric)
    first = metrics[0]
    members = select_cells(evidence.judgements, family=family)
    measured = select_measured(choose_largest(choose_interpreter(evidence, members)))
    shown = [one for one in measured if one.median(first)]
    if not shown:
        return show_nothing(words)
    counts = list_sizes(shown, "cores")[::-1]
    lines = [(count, name) for count in counts for name in metrics]
    named = [_name_line(line, lines, words) for line in lines]
    found = {
        one.name: select_cells(shown, program=one.name)
        for one in evidence.experiment.programs
        if family in one.families and select_cells(shown, program=one.name)
    }
    title = words.text(f"chart_title_{first}", family=name_family(evidence, family, words))
    signs = list_signs(named, words)
    if first == WALL:
        signs.append((show_sign("floor"), words.text("floor")))
    medians = [value for one in shown for name in metrics if (value := one.median(name))]
    rows = [
        (name, *(_show_cell(own, line, words) for line in lines))
        for name, own in found.items()
        if own
    ]
    head = [words.text("program"), *named]
    return Chart(
        prefix=make_prefix("chart", evidence.experiment.name, family, first),
        title=add_interpreter(title, evidence, shown[0].record.variant),
        picture=Dots(
            [_list_dots(name, own, shown, lines, words) for name, own in found.items()],
            words.text(f"axis_{first}"),
            words,
            is_log=not set(metrics) <= set(OF_ONE_ORDER) or is_crushed(medians),
            is_ratio=False,
        ),
        signs=signs,
        below=fold(table(words, title, head, rows, kind="sizes"), words),
        found=_tell_found(evidence, select_cells(shown, cores=counts[0]), family, first, words),
    ).show()


def _name_line(line: Line, lines: Sequence[Line], words: Words) -> str:
    """By its cores, or where there are several metrics by its metric, and what else tells it apart."""
    count, metric = line
    cores = words.count("cores_nominative", count)
    if len({name for _, name in lines}) == 1:
        return cores
    name = words.metric(metric)
    return f"{name}, {cores}" if len({other for other, _ in lines}) > 1 else name


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
    found = tell_difference(trials, metric, words, base if metric in METRICS else "")
    return tell_place(found, evidence, plain.record.variant, words)


def _show_cell(own: Sequence[Judgement], line: Line, words: Words) -> Markup | None:
    cores, metric = line
    found = [one.estimate(metric) for one in select_cells(own, cores=cores)]
    return join(stack_estimate(one, metric, words) if one else "—" for one in found) or None


def _list_dots(
    program: str,
    own: Sequence[Judgement],
    shown: Sequence[Judgement],
    lines: Sequence[Line],
    words: Words,
) -> Group:
    """A line for each of a program's values, so that none hides another, with the floors there."""
    dots: list[list[Dot]] = []
    floors: list[list[float]] = []
    for place, (cores, metric) in enumerate(lines):
        arena = select_cells(shown, cores=cores)
        waits = {one.floor_s for one in arena if one.floor_s and metric == WALL}
        for one in select_cells(own, cores=cores):
            if estimate := one.estimate(metric):
                label, _ = format_parts(estimate, metric, words)
                told = f"{program}, {_name_line((cores, metric), lines, words)}: {label}"
                told = describe_dot(one, words) if metric == WALL else told
                dots.append([Dot(estimate, Pen(place), told, label)])
                floors.append(sorted(waits))
    return Group(program, {"": dots}, floors)
