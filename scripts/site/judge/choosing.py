"""Choosing: what the program of a choice gave at the size that the choice is about, and against what.

Every page that says what to take, or what is recommended here, reads it from this module.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.site.declare.choices import SIZES, Choice
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import (
    choose_end,
    choose_interpreter,
    select_cells,
    select_measured,
)
from scripts.site.judge.statistics import Estimate, estimate_ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What the program of a choice gave.

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
    """What a choice rests on; ``None`` where its program was not measured as it is meant.

    It is on the number of cores that the choice is for, if its experiment runs on each, with the number of tasks nearest to what it
    speaks of, or with most; of several interpreters that fit on the first that ran it, with the
    number of workers that was best.
    """
    program = choice.take.partition("/")[2]
    family = choice.family or evidence.experiment.program(program).families[0]
    against = choice.against or evidence.experiment.family(family).baseline
    arena = _list_arena(choice, evidence, family, program)
    own = select_cells(arena, program=program)
    metric = choice.metric or next((one.time for one in own), "wall_s")
    cells = [one for one in own if one.median(metric) is not None]
    others = [one for one in select_cells(arena, program=against) if one.median(metric) is not None]
    shared = {one.record.variant.tasks for one in others}
    # What can be held against something says more than what cannot.
    cells = [one for one in cells if one.record.variant.tasks in shared] or cells
    judged = _choose_best(_choose_nearest(cells, choice), metric)
    if judged is None:
        return None
    tasks = judged.record.variant.tasks
    other = _choose_best(select_cells(others, tasks=tasks), metric) if against != program else None
    return Chosen(
        judged=judged,
        metric=metric,
        other=other,
        ratio=_compare(other, judged, metric) if other else None,
        is_of_size=not choice.tasks or any(_fits(tasks, size) for size in choice.tasks),
    )


def list_recommended(evidence: Evidence, judged: Judgement) -> list[str]:
    """The programs that are recommended for the same work at the same size in the same place."""
    variant = judged.record.variant
    rivals = select_cells(
        evidence.judgements,
        family=variant.family,
        tasks=variant.tasks,
        cores=variant.cores,
        interpreter=variant.interpreter,
    )
    found = [one.record.variant.program for one in rivals if one.verdict == "recommended"]
    return list(dict.fromkeys(found))


def _list_arena(
    choice: Choice, evidence: Evidence, family: str, program: str
) -> Sequence[Judgement]:
    """What was measured of a family where a choice is to be shown."""
    members = [
        judged
        for judged in select_cells(evidence.judgements, family=family)
        if not choice.gil or judged.record.variant.gil in choice.gil
    ]
    own = select_measured(choose_interpreter(evidence, select_cells(members, program=program)))
    on_one = choice.cores == ["one"] and evidence.experiment.cores == "each"
    ends = select_cells(own, cores=1) if on_one else choose_end(own, "cores")
    if not ends:
        return []
    place = ends[0].record.variant
    return select_measured(select_cells(members, cores=place.cores, interpreter=place.interpreter))


def _choose_nearest(cells: Sequence[Judgement], choice: Choice) -> list[Judgement]:
    """Those with the number of tasks that is nearest, by ratio, to what a choice speaks of."""
    if not choice.tasks:
        return choose_end(cells, "tasks")
    least, most = SIZES[choice.tasks[-1]]
    middle = math.sqrt(least * most)

    def measure_distance(judged: Judgement) -> float:
        return abs(math.log(judged.record.variant.tasks / middle))

    nearest = min(map(measure_distance, cells), default=0.0)
    return [one for one in cells if measure_distance(one) == nearest]


def _choose_best(cells: Sequence[Judgement], metric: str) -> Judgement | None:
    return min(cells, key=lambda one: one.median(metric) or 0.0, default=None)


def _compare(other: Judgement, judged: Judgement, metric: str) -> Estimate | None:
    theirs, ours = other.sample(metric), judged.sample(metric)
    return estimate_ratio(theirs, ours) if all(ours) else None


def _fits(tasks: int, size: str) -> bool:
    least, most = SIZES[size]
    return least <= tasks <= most
