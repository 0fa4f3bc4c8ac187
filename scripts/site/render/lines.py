"""Lines: how time and memory grow with the number of tasks."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scripts.harness.metrics import METRICS, find_unit
from scripts.site.judge.judge import Evidence
from scripts.site.judge.statistics import Sample
from scripts.site.render.chart import (
    Chart,
    Sign,
    fold,
    make_prefix,
    show_key,
    show_nothing,
    show_sign,
)
from scripts.site.render.curves import Curves, Panel
from scripts.site.render.estimates import format_estimate, scale_estimate, stack_estimate
from scripts.site.render.headlines import MEMORY, tell_cores, tell_difference, tell_place
from scripts.site.render.html import program_anchor, table
from scripts.site.render.labels import Curve
from scripts.site.render.names import describe, name_family, name_place
from scripts.site.render.panel import is_crushed
from scripts.site.render.series import Series, find_waits, list_series, pick_evenly
from scripts.site.render.strokes import Line, Point
from scripts.site.render.words import MIB, Words, capitalise

UNITS = {"s": "s", "CPU s": "s", "bytes": "MiB"}
"""Of an axis, by the unit of its metric."""
CRAMPED = 10
"""Sizes of which the largest is so many times the next would all stand on one spot but that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """What a page may choose of the lines of a family.

    ``metric`` is what they show. ``programs`` are the only ones; none for all. ``most`` bounds the
    numbers of tasks. ``stairs`` marks the multiples of the number of cores, ``log`` makes both scales
    logarithmic, as they are without where a line would be crushed.
    """

    metric: str = "inside_s"
    programs: Sequence[str] = ()
    most: int | None = None
    stairs: bool = False
    log: bool = False

    @property
    def parts(self) -> tuple[object, ...]:
        """Of the id of a chart with these options."""
        chosen = "".join(map(program_anchor, self.programs))
        scales = ("stairs" * self.stairs, "log" * self.log)
        return (self.metric, chosen, self.most, *scales)


def draw_lines(
    evidence: Evidence, words: Words, family: str, options: LineOptions | None = None
) -> Markup:
    """A line per program through its medians, by number of tasks, on the most cores.

    Raises:
        ValueError: the family has no such program.
    """
    options = options or LineOptions()
    metric = options.metric
    found = list_series(evidence, words, family, options.programs, options.most or math.inf)
    series = [line for line in found if any(one.estimate(metric) for one in line.points)]
    if not series:
        return show_nothing(words)
    variant = series[0].points[0].record.variant
    place, name = name_place(evidence, variant, words), name_family(evidence, family, words)
    shown = words.metric(metric)
    title = words.text("lines_title", metric=capitalise(shown), family=name, cores=place)
    unit = find_unit(metric)
    floors = _list_floors(evidence, family, series) if unit == "s" else []
    stairs = variant.cores if options.stairs else 0
    named = f"{shown}, {words.term('unit', UNITS[unit])}" if unit in UNITS else shown
    lines = [_make_line(line, metric, evidence, words) for line in series]
    return Chart(
        prefix=make_prefix("lines", evidence.experiment.name, family, *options.parts),
        title=title,
        picture=Curves(
            panels=[Panel(lines)],
            words=words,
            names=(words.text("axis_tasks"), named),
            floors=floors,
            stairs=stairs,
            is_log=options.log or _is_crushed(lines),
        ),
        signs=_list_signs(lines, words, floors=bool(floors), stairs=stairs),
        below=fold(_show_table(series, title, metric, words), words),
        found=_tell_found(evidence, series, family, metric, words),
    ).show()


def _make_line(line: Series, metric: str, evidence: Evidence, words: Words) -> Line:
    """Values in the unit of the axis."""
    unit = MIB if find_unit(metric) == "bytes" else 1
    points = []
    for one in line.points:
        told, value = describe(evidence, one.record.variant, words), one.estimate(metric)
        if value:
            told += f": {format_estimate(value, metric, words)}"
            value = scale_estimate(value, unit)
        points.append(Point(one.record.variant.tasks, value, told))
    return Line(line.name, line.pen, points, line.label)


def _tell_found(
    evidence: Evidence, lines: Sequence[Series], family: str, metric: str, words: Words
) -> str:
    """What differs at the most tasks at which several lines have a point."""
    trials: dict[int, dict[str, Sample]] = defaultdict(dict)
    base = ""
    for line in lines:
        for one in line.points:
            if values := one.sample(metric):
                trials[one.record.variant.tasks][line.name] = values
        if line.points[0].record.variant.program == evidence.experiment.family(family).baseline:
            base = line.name
    several = [tasks for tasks, found in trials.items() if len(found) > 1]
    if not several:
        return ""
    tasks = max(several)
    is_base = metric in METRICS and metric != MEMORY and base in trials[tasks]
    if metric == "cpu_share":
        found = tell_cores(trials[tasks], words)
    else:
        found = tell_difference(trials[tasks], metric, words, base if is_base else "")
    where = tell_place(found, evidence, lines[0].points[0].record.variant, words)
    return where and f"{words.count('tasks', tasks)}: {where[:1].lower()}{where[1:]}"


def _is_crushed(lines: Sequence[Line]) -> bool:
    """Whether a scale from nought would press some lines flat against it, or most points together."""
    medians = [line.curve[1] for line in lines]
    sizes = sorted({one.x for line in lines for one in line.points})
    is_cramped = len(sizes) > 2 and sizes[-1] > CRAMPED * sizes[-2]
    return min(map(min, medians)) > 0 and (is_cramped or is_crushed(map(max, medians)))


def _list_floors(evidence: Evidence, family: str, lines: Sequence[Series]) -> list[Curve]:
    """Below what waiting does not let the lines go, also where they were not measured."""
    sizes = sorted({one.record.variant.tasks for line in lines for one in line.points})
    found = {find_waits(evidence, line, family, sizes) for line in lines}
    return [(sizes, waits) for waits in sorted(found) if waits]


def _list_signs(lines: Sequence[Line], words: Words, *, floors: bool, stairs: int) -> list[Sign]:
    """``stairs`` is the number of cores whose multiples are marked; nought if none are."""
    signs = [(show_key(line.pen, line=True), line.name) for line in lines]
    signs.append((show_sign("band"), words.text("band")))
    if floors:
        signs.append((show_sign("level"), words.text("floor")))
    if stairs:
        multiples = words.text("stairs", cores=words.count("cores_nominative", stairs))
        signs.append((show_sign("stair"), multiples))
    return signs


def _show_table(lines: Sequence[Series], title: str, metric: str, words: Words) -> Markup:
    """Medians and intervals: a row for each of some numbers of tasks, a column for each line."""
    found = [
        {one.record.variant.tasks: one.estimate(metric) for one in own.points} for own in lines
    ]
    sizes = sorted({tasks for own in found for tasks, value in own.items() if value})
    rows = [
        (
            words.number(tasks, 0),
            *(
                stack_estimate(one, metric, words) if (one := own.get(tasks)) else None
                for own in found
            ),
        )
        for tasks in pick_evenly(sizes)
    ]
    head = [words.text("axis_tasks"), *(line.name for line in lines)]
    return table(words, title, head, rows, kind="sizes")
