"""Choosing: the size and place at which a choice's program is shown, and what it is held against.

Every page that says what to take reads it from this module.
"""

import math
from dataclasses import dataclass

from scripts.harness.statistics import Estimate, estimate_ratio
from scripts.site.declare.choices import SIZES, Choice
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The result of a choice's program.

    Attributes:
        judged: its cell.
        metric: what decides there.
        other: the cell of what it is held against, at the same size in the same place; ``None`` if
            there is none, or it is the program itself.
        ratio: by how many times it is better than that: as fast, as light.
        is_of_size: whether it has as many tasks as the choice speaks of.
    """

    judged: Judgement
    metric: str
    other: Judgement | None = None
    ratio: Estimate | None = None
    is_of_size: bool = True


def find_chosen(choice: Choice, evidence: Evidence) -> Chosen | None:
    """Find what a choice rests on; ``None`` where its program was not measured as it is meant.

    It is on the number of cores that the choice is for, if its experiment runs on each, with the
    number of tasks nearest to what it speaks of, or with most; of several Pythons that fit on the
    first that ran it, with the number of workers that was best.
    """
    program = choice.program
    family = choice.family or evidence.experiment.program(program).families[0]
    against = choice.against or evidence.experiment.family(family).baseline
    arena = _choose_arena(choice, evidence, family, program)
    own = arena.where(program=program)
    metric = choice.metric or next((row.time for row in own), "wall_s")
    cells = _read(own, metric)
    others = _read(arena.where(program=against), metric)
    shared = {row.tasks for row in others}
    # What can be held against something says more than what cannot.
    cells = Rows(row for row in cells if row.tasks in shared) or cells
    judged = _choose_best(_choose_nearest(cells, choice), metric)
    if judged is None:
        return None
    tasks = judged.tasks
    other = _choose_best(others.where(tasks=tasks), metric) if against != program else None
    return Chosen(
        judged=judged,
        metric=metric,
        other=other,
        ratio=_compare(other, judged, metric) if other else None,
        is_of_size=not choice.tasks or any(_fits(tasks, size) for size in choice.tasks),
    )


def _choose_arena(choice: Choice, evidence: Evidence, family: str, program: str) -> Rows:
    """Choose what was measured of a family where a choice is to be shown."""
    members = evidence.rows.where(family=family)
    if choice.gil:
        members = Rows(row for row in members if row.variant.gil in choice.gil)
    own = members.where(program=program).first_python(evidence.interpreters).measured
    on_one = choice.cores == ["one"] and evidence.experiment.cores == "each"
    ends = own.where(cores=1) if on_one else own.most("cores")
    if not ends:
        return ends
    return members.where(cores=ends[0].cores, interpreter=ends[0].interpreter).measured


def _read(rows: Rows, metric: str) -> Rows:
    return Rows(row for row in rows if row.median(metric) is not None)


def _choose_nearest(cells: Rows, choice: Choice) -> Rows:
    """Choose those whose tasks are nearest, by ratio, to the number that a choice speaks of."""
    if not choice.tasks:
        return cells.most("tasks")
    least, most = SIZES[choice.tasks[-1]]
    middle = math.sqrt(least * most)

    def measure_distance(row: Judgement) -> float:
        return abs(math.log(row.tasks / middle))

    nearest = min(map(measure_distance, cells), default=0.0)
    return Rows(row for row in cells if measure_distance(row) == nearest)


def _choose_best(cells: Rows, metric: str) -> Judgement | None:
    return min(cells, key=lambda row: row.median(metric) or 0.0, default=None)


def _compare(other: Judgement, judged: Judgement, metric: str) -> Estimate | None:
    theirs, ours = other.sample(metric), judged.sample(metric)
    return estimate_ratio(theirs, ours) if all(ours) else None


def _fits(tasks: int, size: str) -> bool:
    least, most = SIZES[size]
    return least <= tasks <= most
