"""Noise and floors: how far to trust a number, and the time that no program can go below.

Flags stand beside a number and say how far to trust it. A floor is the time below which physics does
not let a variant go.

The flags are those of pyperf's stability checks and hyperfine's warnings; the outlier test is the
modified z-score of Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993), with their
threshold of 3.5.
"""

import math
from collections.abc import Mapping
from statistics import median, quantiles

from scripts.harness.experiment import Experiment, Family, Profile
from scripts.harness.record import Record, Variant
from scripts.harness.statistics import FEWEST


def find_wait(profile: Profile, variant: Variant) -> float:
    """Find the seconds to wait: the longest chain of waits, or a wait for each turn of its workers."""
    turns = math.ceil(variant.tasks / variant.workers)
    return max(
        profile.longest_wait_s.get(variant.family, 0.0),
        profile.task_wait_s.get(variant.family, 0.0) * turns,
    )


def find_task_wait(profile: Profile, record: Record) -> tuple[float, float]:
    """Find the seconds that each task waits, or else the longest that any does; zero where none is declared."""
    cell = record.variant
    for name in ("SERVER_WAIT_MS", "WAIT_MS"):
        if name in cell.params:
            return float(cell.params[name]) / 1000, 0.0
    if longest_wait_s := profile.longest_wait_s.get(cell.family):
        return 0.0, longest_wait_s
    return profile.task_wait_s.get(cell.family, 0.0), 0.0


def find_floor(family: Family, wait_s: float, tasks: int, cores: int, work_s: float) -> float:
    """Find the largest of the wait, the CPU work shared by the cores, and the longest task.

    The work is the least CPU time of any program of the family: the rest is what a program adds to it.
    """
    share = family.longest_task_share
    if family.equal_tasks:
        share = math.ceil(tasks / cores) / tasks
    return max(wait_s, work_s / cores, work_s * share)


def find_too_short(experiments: Mapping[str, Experiment], record: Record) -> str:
    """Tell which time is shorter than a program that ends well, as declared now, has to wait."""
    experiment, cell = experiments.get(record.experiment), record.variant
    if not experiment or record.profile not in experiment.profiles or not record.wall_s:
        return ""
    sizes, shortest_s = experiment.profiles[record.profile], min(record.wall_s)
    wait_s = find_wait(sizes, cell)
    if shortest_s >= wait_s:
        return ""
    family = next((one for one in experiment.families if one.name == cell.family), None)
    ends = {one.name: one.ends for one in experiment.programs}
    if not family or ends.get(cell.program) != "well" or family.merge_params(sizes) != cell.params:
        return ""
    return f"{cell} took {shortest_s} s, but has to wait for {wait_s} s"


WIDE_SPREAD = 0.10
FAR_MAXIMUM = 1.5
SLOW_FIRST = 1.10
OUTLIER_SCORE = 3.5
BUSY_SERVER = 0.70
SLOWED = 0.10

FLAGS = ("few", "spread", "maximum", "slow-first", "outliers", "server", "disturbed", "slowed")


def find_noise(record: Record) -> tuple[str, ...]:
    """Find the flags of a record's timed trials, in the order of ``FLAGS``."""
    walls = record.wall_s
    if not walls:
        return ()
    quarter, middle_s, three_quarters = quantiles(
        walls if len(walls) > 1 else walls * 2, method="inclusive"
    )
    away_s = [abs(wall_s - median(walls)) for wall_s in walls]
    usual_s = median(away_s)  # where this, the deviation, is zero, nothing is an outlier
    raised = {
        "few": len(walls) < FEWEST,
        "spread": three_quarters - quarter > WIDE_SPREAD * middle_s,
        "maximum": max(walls) > FAR_MAXIMUM * middle_s,
        "slow-first": walls[0] == max(walls) and walls[0] > SLOW_FIRST * middle_s,
        "outliers": usual_s > 0 and 0.6745 * max(away_s) / usual_s > OUTLIER_SCORE,
        "server": median(record.list_values("server_share") or [0.0]) > BUSY_SERVER,
        "disturbed": record.is_disturbed,
        "slowed": median(record.list_values("slowed_share") or [0.0]) > SLOWED,
    }
    return tuple(flag for flag in FLAGS if raised[flag])
