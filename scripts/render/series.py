"""Series: what was measured of a family, ordered by the number of tasks."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scripts.judge.floors import find_wait
from scripts.judge.judgement import Estimate, Judgement
from scripts.measure.plan import count_workers
from scripts.pipeline import Evidence
from scripts.render.drawing import name_method, select_judgements
from scripts.render.words import Words

Metric = Literal["inside_s", "wall_s", "peak_pss_bytes"]


@dataclass(frozen=True, slots=True)
class Series:
    """One program, and if it was measured with several numbers of workers, one of those.

    ``label`` is a shorter name; ``points`` are in the order of their numbers of tasks.
    """

    name: str
    label: str
    points: tuple[Judgement, ...]


def list_series(
    evidence: Evidence,
    words: Words,
    family: str,
    programs: Sequence[str],
    span: tuple[float, float],
) -> list[Series]:
    """Series in the order of the programs, then of workers, each by number of tasks.

    Where workers are a rule, such as one for each task, they differ from point to point of a series;
    where one number of tasks has several, each number of workers is a series of its own.
    """
    members: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in select_judgements(evidence, family, programs):
        if span[0] <= judgement.record.variant.tasks <= span[1]:
            members[name_method(evidence, judgement.record.variant)].append(judgement)
    series: list[Series] = []
    for name, points in members.items():
        points.sort(key=lambda one: (one.record.variant.workers, one.record.variant.tasks))
        tasks = [one.record.variant.tasks for one in points]
        groups: dict[int, list[Judgement]] = defaultdict(list)
        for one in points:
            groups[one.record.variant.workers if len(set(tasks)) < len(tasks) else 0].append(one)
        for workers, group in groups.items():
            number = name.partition("-")[0] + name[len(name.partition(" ")[0]) :]
            count = words.count("workers", workers)
            several = f"{name}, {count}"
            label = count if len(members) == 1 else f"{number}, {count}"
            group.sort(key=lambda one: one.record.variant.tasks)
            line = (several, label) if workers else (name, number)
            series.append(Series(*line, tuple(group)))
    return series


def read_metric(judgement: Judgement, metric: Metric) -> Estimate | None:
    """The estimate of a metric; ``None`` where nothing was measured."""
    estimate: Estimate | None = getattr(judgement, metric)
    return estimate


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
    sweep = profile.find_sweep(variant.program, family)
    program = evidence.experiment.program(variant.program)
    rule = variant.workers if sweep.workers else program.workers
    return tuple(
        find_wait(
            profile,
            replace(variant, tasks=tasks, workers=count_workers(rule, tasks, variant.cores)),
        )
        for tasks in sizes
    )


def thin(values: Sequence[int], most: int = 12) -> list[int]:
    """At most so many of the values, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    step = (len(values) - 1) / (most - 1)
    return [values[round(place * step)] for place in range(most)]
