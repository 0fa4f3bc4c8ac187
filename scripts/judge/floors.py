"""Floors: the time below which physics does not let a variant go."""

import math
from collections.abc import Mapping, Sequence

from scripts.declare.experiment import Experiment
from scripts.declare.family import Family
from scripts.declare.profile import Profile
from scripts.records.record import Variant
from scripts.records.row import Row


def find_wait(profile: Profile, variant: Variant | Row) -> float:
    """Seconds that a variant cannot but wait.

    Either the longest chain of waits that is declared for its family, or, where each task waits
    equally long, as many of those waits as there are turns with so many workers.
    """
    turns = math.ceil(variant.tasks / variant.workers)
    return max(
        profile.longest_wait_s.get(variant.family, 0.0),
        profile.task_wait_s.get(variant.family, 0.0) * turns,
    )


def find_floor(family: Family, wait_s: float, tasks: int, cores: int, work_s: float) -> float:
    """The larger of the wait, the CPU work shared by the cores, and the longest task.

    Args:
        family: tells which share of the CPU work is one task that cannot be divided.
        wait_s: what ``find_wait`` gave.
        tasks: how many there are.
        cores: how many cores there are to compute on.
        work_s: least CPU seconds (user + system) of any program of the family: the work itself,
            because the rest is what a program adds to it.
    """
    share = family.longest_task_share
    if family.equal_tasks:
        share = math.ceil(tasks / cores) / tasks
    return max(wait_s, work_s / cores, work_s * share)


def find_too_short(
    experiments: Mapping[str, Experiment],
    cell: Variant | Row,
    profile: str,
    walls_s: Sequence[float],
) -> str:
    """How times are shorter than their program cannot but wait; empty if none is.

    Only where what is declared is what was run: a program that is to do its work, with the same
    parameters. What is no longer declared is shown nowhere.
    """
    experiment = experiments.get(cell.experiment)
    if not experiment or profile not in experiment.profiles or not walls_s:
        return ""
    sizes, shortest_s = experiment.profiles[profile], min(walls_s)
    wait_s = find_wait(sizes, cell)
    if shortest_s >= wait_s:
        return ""
    programs = {one.name: one for one in experiment.programs}
    families = {one.name: one for one in experiment.families}
    program, family = programs.get(cell.program), families.get(cell.family)
    if not program or program.ends != "well" or not family:
        return ""
    if family.merge_params(sizes) != cell.params:
        return ""
    name = f"{cell.experiment}/{cell.program} ({cell.tasks} tasks, {cell.cores} cores)"
    return f"{name} took {shortest_s} s, but has to wait for {wait_s} s"
