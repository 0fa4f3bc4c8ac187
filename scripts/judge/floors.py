"""Floors: the time below which physics does not let a variant go."""

import math

from scripts.declare.experiment import Family
from scripts.declare.profile import Profile
from scripts.records.variant import Variant


def find_wait(profile: Profile, variant: Variant) -> float:
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
