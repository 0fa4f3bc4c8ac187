"""Series: what was measured of a family, ordered by the number of tasks."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from scripts.harness.plan import count_workers
from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.noise import find_wait
from scripts.site.judge.selection import select_family
from scripts.site.render.names import group_methods
from scripts.site.render.pen import Pen
from scripts.site.render.words import Words


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
    """Series in the order of the programs, then of workers, each by number of tasks up to the most.

    Where workers are a rule, such as one for each task, they differ from point to point of a series;
    where one number of tasks has several, each number of workers is a series of its own.
    """
    members = group_methods(
        evidence,
        (
            judgement
            for judgement in select_family(evidence, family, programs)
            if judgement.record.variant.tasks <= most
        ),
    )
    found: list[tuple[str, str, list[Judgement]]] = []
    for name, points in members.items():
        points.sort(key=lambda one: (one.record.variant.workers, one.record.variant.tasks))
        tasks = [one.record.variant.tasks for one in points]
        groups: dict[int, list[Judgement]] = defaultdict(list)
        for one in points:
            groups[one.record.variant.workers if len(set(tasks)) < len(tasks) else 0].append(one)
        for workers, group in groups.items():
            number = name.partition("-")[0] + name[len(name.partition(" ")[0]) :]
            size = words.count("workers", workers)
            several = f"{name}, {size}"
            label = size if len(members) == 1 else f"{number}, {size}"
            group.sort(key=lambda one: one.record.variant.tasks)
            found.append((several, label, group) if workers else (name, number, group))
    pens = choose_pens(evidence, (group[0].record.variant for _, _, group in found))
    return [
        Series(name, label, pen, tuple(group))
        for (name, label, group), pen in zip(found, pens, strict=True)
    ]


def choose_pens(evidence: Evidence, variants: Iterable[Variant]) -> list[Pen]:
    """A pen for each: a program has the same in every chart of its experiment.

    Further variants of a program in a chart get pens that are no program's.
    """
    places = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    spare = count(len(places))
    numbers: list[int] = []
    for variant in variants:
        place = places[variant.program]
        numbers.append(next(spare) if place in numbers else place)
    return [Pen(number) for number in numbers]


def find_waits(
    evidence: Evidence, line: Series, family: str, sizes: Sequence[int]
) -> tuple[float, ...]:
    """What a program cannot but wait at each number of tasks, measured there or not, in seconds.

    Empty where its family declares no wait of a task.
    """
    profile = evidence.experiment.profiles[evidence.profile]
    variant = line.points[0].record.variant
    if not profile.task_wait_s.get(family):
        return ()
    sweep, *_ = profile.find_sweeps(variant.program, family)
    program = evidence.experiment.program(variant.program)
    rule = variant.workers if sweep.workers else program.workers
    return tuple(
        find_wait(
            profile,
            replace(variant, tasks=tasks, workers=count_workers(rule, tasks, variant.cores)),
        )
        for tasks in sizes
    )


def pick_evenly(values: Sequence[int], most: int = 12) -> list[int]:
    """At most so many of the values, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    step = (len(values) - 1) / (most - 1)
    return [values[round(place * step)] for place in range(most)]
