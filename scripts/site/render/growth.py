"""Growth: how what was measured grows with the number of tasks, as lines."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from scripts.harness.metrics import find_unit
from scripts.harness.plan import count_workers
from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.noise import find_wait
from scripts.site.judge.rows import select_family
from scripts.site.render.html import program_anchor
from scripts.site.render.names import describe, group_methods, name_axis, name_family, name_place
from scripts.site.render.plot import (
    Curve,
    Plot,
    Row,
    Sign,
    is_crushed,
    make_prefix,
    pivot,
    show_nothing,
    show_sign,
)
from scripts.site.render.svg import Pen, find_colour
from scripts.site.render.words import Words, capitalise

CRAMPED = 10
"""Sizes of which the largest is so many times the next would all stand on one spot but that."""
LONGEST_LABEL = 20
"""In characters, at the end of a line; the legend has the longer ones."""
MOST_SIZES = 12
"""More numbers of tasks than these are not all in the table."""


@dataclass(frozen=True, slots=True)
class Series:
    """One program, and if it was measured with several numbers of workers, one of those.

    ``label`` is a shorter name; ``points`` are in the order of their numbers of tasks.
    """

    name: str
    label: str
    pen: Pen
    points: tuple[Judgement, ...]


def list_series(
    evidence: Evidence,
    words: Words,
    family: str,
    programs: Sequence[str],
    most: float = math.inf,
) -> list[Series]:
    """List series in the order of the programs, then of workers, each by number of tasks up to the most.

    Where workers are a rule, such as one for each task, they differ from point to point of a series;
    where one number of tasks has several, each number of workers is a series of its own.
    """
    chosen = select_family(evidence, family, programs)
    members = group_methods(evidence, (one for one in chosen if one.tasks <= most), words)
    found: list[tuple[str, str, list[Judgement]]] = []
    for name, points in members.items():
        points.sort(key=lambda one: (one.workers, one.tasks))
        tasks = [one.tasks for one in points]
        groups: dict[int, list[Judgement]] = defaultdict(list)
        for one in points:
            groups[one.workers if len(set(tasks)) < len(tasks) else 0].append(one)
        for workers, group in groups.items():
            size = words.count("workers", workers)
            label = size if len(members) == 1 else f"{name}, {size}"
            group.sort(key=lambda one: one.tasks)
            found.append((f"{name}, {size}", label, group) if workers else (name, name, group))
    pens = choose_pens(evidence, (group[0].record.variant for _, _, group in found))
    return [
        Series(name, label, pen, tuple(group))
        for (name, label, group), pen in zip(found, pens, strict=True)
    ]


def choose_pens(evidence: Evidence, variants: Iterable[Variant]) -> list[Pen]:
    """Choose a pen for each: a program has the same in every chart of its experiment.

    The colour goes by its kind of worker, the number by its place among those of the kind. Further
    variants of a program in a chart get pens that are no program's.
    """
    counts: dict[int, int] = defaultdict(int)
    own: dict[str, Pen] = {}
    for program in evidence.experiment.programs:
        colour = find_colour(program.ways[-1])
        own[program.name] = Pen(colour, counts[colour])
        counts[colour] += 1
    pens: list[Pen] = []
    for variant in variants:
        pen = own[variant.program]
        if pen in pens:
            pen = Pen(pen.colour, counts[pen.colour])
            counts[pen.colour] += 1
        pens.append(pen)
    return pens


def draw_lines(
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    metric: str = "inside_s",
    programs: Sequence[str] = (),
    most: int | None = None,
    log: bool = False,
    sentence: str = "",
) -> Markup:
    """Draw a line per program through its medians, by number of tasks, on the most cores.

    Args:
        evidence: of the experiment.
        words: of the page's language.
        family: whose programs these are.
        metric: what the lines show.
        programs: the only ones; none for all.
        most: bounds the numbers of tasks.
        log: make both scales logarithmic, as they are without where a line would be crushed.
        sentence: that of the claim which it shows.

    Raises:
        ValueError: the family has no such program.
    """
    found = list_series(evidence, words, family, programs, most or math.inf)
    series = [line for line in found if any(one.estimate(metric) for one in line.points)]
    if not series:
        return show_nothing(words)
    variant = series[0].points[0].record.variant
    place, name = name_place(evidence, variant, words), name_family(evidence, family, words)
    metric_name = capitalise(words.metric(metric))
    title = words.text("lines_title", metric=metric_name, family=name, cores=place)
    rows = [row for line in series for row in _list_rows(line, metric, evidence, words)]
    floors = _list_floors(evidence, family, series) if find_unit(metric) == "s" else []
    signs: list[Sign] = []
    if floors:
        signs.append((show_sign("level"), words.text("floor")))
    chosen = "".join(map(program_anchor, programs))
    parts = (metric, chosen, most, "log" * log)
    return Plot(
        prefix=make_prefix("lines", evidence.experiment.name, family, *parts),
        title=title,
        rows=rows,
        words=words,
        mark="lines",
        axes=(words.text("axis_tasks"), name_axis([metric], words)),
        is_log=log or _is_crushed(rows),
        sentence=sentence,
        signs=signs,
        curves=floors,
        names={line.name: line.label for line in series if len(line.label) <= LONGEST_LABEL},
        below=_show_table(rows, title, words),
    ).show()


def _list_rows(line: Series, metric: str, evidence: Evidence, words: Words) -> list[Row]:
    """List the values of a line, in the unit of the axis."""
    return [
        Row(
            series=line.name,
            pen=line.pen,
            x=one.tasks,
            told=describe(evidence, one.variant, words),
        ).fill(one.estimate(metric), metric, words)
        for one in line.points
    ]


def _is_crushed(rows: Sequence[Row]) -> bool:
    """Tell whether a scale from nought would press lines flat against it, or points together."""
    medians: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.value:
            medians[row.series].append(row.value.median)
    sizes = sorted({row.x for row in rows})
    is_cramped = len(sizes) > 2 and sizes[-1] > CRAMPED * sizes[-2]
    is_positive = min(map(min, medians.values())) > 0 and sizes[0] > 0
    return is_positive and (is_cramped or is_crushed(map(max, medians.values())))


def _list_floors(evidence: Evidence, family: str, lines: Sequence[Series]) -> list[Curve]:
    """List what waiting does not let the lines go below, also where they were not measured.

    It is in seconds; there is none where the family declares no wait of a task.
    """
    profile = evidence.experiment.profiles[evidence.profile]
    if not profile.task_wait_s.get(family):
        return []
    sizes = sorted({one.tasks for line in lines for one in line.points})
    found = set()
    for line in lines:
        variant = line.points[0].record.variant
        sweep, *_ = profile.find_sweeps(variant.program, family)
        program = evidence.experiment.program(variant.program)
        rule = variant.workers if sweep.workers else program.workers
        waits = []
        for tasks in sizes:
            workers = count_workers(rule, tasks, variant.cores)
            waits.append(find_wait(profile, replace(variant, tasks=tasks, workers=workers)))
        found.add(tuple(waits))
    return [(sizes, waits) for waits in sorted(found)]


def _show_table(rows: Sequence[Row], title: str, words: Words) -> Markup:
    """Show a row for each of some numbers of tasks, a column for each line."""
    sizes = pick_evenly(sorted({int(row.x) for row in rows if row.value}))
    columns = list(dict.fromkeys(row.series for row in rows))
    return pivot(
        sorted((row for row in rows if row.x in sizes), key=lambda row: row.x),
        words,
        title,
        words.text("axis_tasks"),
        lambda row: words.number(row.x, 0),
        lambda row: row.series,
        lambda row: columns.index(row.series),
    )


def pick_evenly(values: Sequence[int], most: int = MOST_SIZES) -> list[int]:
    """Pick at most so many of the values, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    step = (len(values) - 1) / (most - 1)
    return [values[round(place * step)] for place in range(most)]
