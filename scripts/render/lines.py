"""Lines: how time and memory grow with the number of tasks."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from scripts.declare.metrics import METRICS, find_unit
from scripts.judge.evidence import Evidence
from scripts.judge.sample import Sample
from scripts.render.chart import Chart, Sign, fold, make_prefix, show_key, show_nothing, show_sign
from scripts.render.curves import HEIGHT_PT, draw_curves
from scripts.render.estimates import stack_estimate
from scripts.render.headlines import MEMORY, tell_cores, tell_difference, tell_place
from scripts.render.html import cell, join, program_anchor, row_header, table
from scripts.render.labels import Curve
from scripts.render.names import name_family, name_place
from scripts.render.series import Series, find_waits, list_series, pick_evenly
from scripts.render.words import Words, capitalise

CRUSHED = 20
"""Lines of which one is so many times as high as another do not share a scale from nought."""
CRAMPED = 10
"""Nor do sizes of which the largest is so many times the next: all others would stand on one spot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """What a page may choose of the lines of a family.

    ``metric`` is what they show. ``programs`` are the only ones; none for all. ``least`` and
    ``most`` bound the numbers of tasks. ``stairs`` marks the multiples of the number of cores,
    ``log`` makes both scales logarithmic, as they are without where a line would be crushed.
    """

    metric: str = "inside_s"
    programs: Sequence[str] = ()
    least: int | None = None
    most: int | None = None
    stairs: bool = False
    log: bool = False

    @property
    def parts(self) -> tuple[object, ...]:
        """Of the id of a chart with these options."""
        chosen = "".join(map(program_anchor, self.programs))
        scales = ("stairs" * self.stairs, "log" * self.log)
        return (self.metric, chosen, self.least, self.most, *scales)


def draw_lines(
    evidence: Evidence, words: Words, family: str, options: LineOptions | None = None
) -> Markup:
    """A line per program through its medians, by number of tasks, on the most cores.

    Raises:
        ValueError: the family has no such program.
    """
    options = options or LineOptions()
    metric, span = options.metric, (options.least or 0, options.most or math.inf)
    found = list_series(evidence, words, family, options.programs, span)
    lines = [line for line in found if any(one.estimate(metric) for one in line.points)]
    if not lines:
        return show_nothing(words)
    variant = lines[0].points[0].record.variant
    place, name = name_place(evidence, variant, words), name_family(evidence, family, words)
    shown = capitalise(words.metric(metric))
    title = words.text("lines_title", metric=shown, family=name, cores=place)
    floors = _list_floors(evidence, family, lines) if find_unit(metric) == "s" else []
    stairs = variant.cores if options.stairs else 0
    log = options.log or _is_crushed(lines, metric)
    return Chart(
        prefix=make_prefix("lines", evidence.experiment.name, family, *options.parts),
        title=title,
        height_pt=HEIGHT_PT,
        draw=partial(draw_curves, evidence, words, lines, floors, metric, stairs, log),
        signs=_list_signs(lines, words, floors=bool(floors), stairs=stairs),
        below=fold(_show_table(lines, title, metric, words), words),
        found=_tell_found(evidence, lines, family, metric, words),
    ).show()


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
    if not several or metric not in METRICS:  # of a reading nobody knows what is better
        return ""
    tasks = max(several)
    is_base = metric != MEMORY and base in trials[tasks]
    if metric == "cpu_share":
        found = tell_cores(trials[tasks], words)
    else:
        found = tell_difference(trials[tasks], metric, words, base if is_base else "")
    where = tell_place(found, evidence, lines[0].points[0].record.variant, words)
    return where and f"{words.count('tasks', tasks)}: {where}"


def _is_crushed(lines: Sequence[Series], metric: str) -> bool:
    """Whether a scale from nought would press some lines flat against it, or most points together."""
    sizes = sorted({one.record.variant.tasks for line in lines for one in line.points})
    medians = [value for line in lines for one in line.points if (value := one.median(metric))]
    highest = [max(one.median(metric) or 0 for one in line.points) for line in lines]
    is_pressed = max(highest) > CRUSHED * min(highest)
    is_cramped = len(sizes) > 2 and sizes[-1] > CRAMPED * sizes[-2]
    return min(medians) > 0 and (is_pressed or is_cramped)


def _list_floors(evidence: Evidence, family: str, lines: Sequence[Series]) -> list[Curve]:
    """Below what waiting does not let the lines go, also where they were not measured."""
    sizes = sorted({one.record.variant.tasks for line in lines for one in line.points})
    found = {find_waits(evidence, line, family, sizes) for line in lines}
    return [(sizes, waits) for waits in sorted(found) if waits]


def _list_signs(lines: Sequence[Series], words: Words, *, floors: bool, stairs: int) -> list[Sign]:
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
    cells: dict[tuple[int, int], Markup] = {}
    for place, line in enumerate(lines):
        for one in line.points:
            if estimate := one.estimate(metric):
                cells[one.record.variant.tasks, place] = stack_estimate(estimate, metric, words)
    rows = [
        row_header(words.number(tasks, 0))
        + join(cell(cells.get((tasks, place), "—")) for place in range(len(lines)))
        for tasks in pick_evenly(sorted({tasks for tasks, _ in cells}))
    ]
    head = [words.text("axis_tasks"), *(line.name for line in lines)]
    return table(words, title, head, rows, kind="sizes")
