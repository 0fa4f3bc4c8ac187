"""Noise, spans and floors: how far to trust a number, and the time that no program can go below.

Flags stand beside a number and say how far to trust it. A floor is the time below which physics does
not let a variant go.

A span says by how much others who were busy may have moved a number. A system leaves no core idle
while a program waits for one, so others hold it up only while they have all of its cores: for as many
parts of its time as they took of its cores, at most. Steal has no such limit, as the host stops one core
while another idles.

The flags are those of pyperf's stability checks and hyperfine's warnings; the outlier test is the
modified z-score of Iglewicz and Hoaglin, "How to Detect and Handle Outliers" (1993), with their
threshold of 3.5.
"""

import math
from collections.abc import Mapping
from statistics import median, quantiles

from poolwise.experiment import Experiment, Family, Profile
from poolwise.metrics import METRICS, find_unit
from poolwise.record import Record, Variant
from poolwise.statistics import FEWEST
from scripts.site.judge.samples import FEWEST_STEADY, UNMOVED, Span


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
    families = {family.name: family for family in experiment.families}
    ends = {program.name: program.ends for program in experiment.programs}
    if cell.family not in families or ends.get(cell.program) != "well":
        return ""
    if families[cell.family].merge_params(sizes) != cell.params:
        return ""
    return f"{cell} took {shortest_s} s, but has to wait for {wait_s} s"


# By what share more or less CPU time the same work takes where others have all the cores, of which they
# share caches and buses; where they have half of them, half as much.
CONTENTION = 0.15
# By what share more time work takes on a core that another program shares with it (SMT): together they
# get 1.2 times as much done as one alone.
SHARED_CORE = 0.7
# By how much later an event loop may run because others have its core in turn: ten turns of 5 ms.
DELAY_S = 0.05
# Readings that count what does not hang on time. The rest are times in which a program waits its turn,
# which may be many times as long where others are busy, and what was too late.
COUNTS = frozenset({"collections", "made", "started", "throttled", "workers", "wrong"})
# Ways of which a program computes on one core at a time, but for threads of NumPy's own.
SERIAL = frozenset({"sequential", "coroutines", "greenlets"})
# The cores that a program keeps busy from which on it is certainly not on one alone.
SEVERAL_CORES = 1.02
_LEAST_FACTOR = 1e-6  # stands for nought, which has no inverse


def find_span(
    experiment: Experiment | None, record: Record, name: str, smt: int = 1
) -> Span | None:
    """Find the factors from a metric or a reading to the least and the most that it was without others.

    ``None`` where no bound is known. ``experiment`` says which program computes on one core at a time,
    ``smt`` how many of what counts as a core share one.
    """
    if not record.is_disturbed or name in COUNTS or find_unit(name) == "bytes":
        return UNMOVED
    others, stolen = record.taken
    free_share = max(0.0, 1 - others / record.cores - stolen)
    if name not in METRICS:
        return None
    ways = experiment.program(record.program).ways if experiment else ()
    pace = 1 + CONTENTION * (1 - free_share)
    slowest = pace
    if smt > 1:
        slowest *= 1 + SHARED_CORE * min(1.0, others * smt / record.cores)
    # Threads that get in each other's way are faster when fewer of them run.
    work = pace
    if record.gil == "off" and "threads" in ways:
        work = 1 / max(free_share, _LEAST_FACTOR)
    if find_unit(name) == "CPU s":
        return 1 / max(work, slowest), work
    time, cpu = ("inside_s", "work_cpu_s") if name == "inside_s" else ("wall_s", "cpu_s")
    time_s, cpu_s, value = (_find_middle(record, metric) for metric in (time, cpu, name))
    if not (time_s and value):
        return None
    if METRICS[name].traced:
        return max(free_share / slowest - DELAY_S / value, _LEAST_FACTOR), pace
    share = min(cpu_s / time_s, 1.0)  # of its time, in which it computes
    if name != "start_s":
        is_serial = bool(ways) and SERIAL.issuperset(ways) and "numpy" not in record.packages
        cores = 1 if is_serial and cpu_s <= SEVERAL_CORES * time_s else record.cores
        free_share = max(free_share, min(1.0, cpu_s / cores / time_s))
    least, most = free_share / (1 + share * (slowest - 1)), 1 + share * (work - 1)
    if experiment and name in ("inside_s", "wall_s"):
        wait_s = find_wait(experiment.profiles[record.profile], record.variant)
        least = max(least, min(1.0, wait_s / time_s))
    least = max(least, _LEAST_FACTOR)
    return (1 / most, 1 / least) if find_unit(name) == "cores" else (least, most)


def _find_middle(record: Record, name: str) -> float:
    return median(record.list_values(name) or [0.0])


# From where on a flag is raised, see the module's docstring for the sources.
WIDE_SPREAD = 0.10  # the middle half of the trials, as a share of the median
FAR_MAXIMUM = 1.5  # times the median
SLOW_FIRST = 1.10  # the first trial, where it is the slowest
OUTLIER_SCORE = 3.5
BUSY_SERVER = 0.70  # of a core
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
        "few": len(walls) < (FEWEST if record.computes else FEWEST_STEADY),
        "spread": three_quarters - quarter > WIDE_SPREAD * middle_s,
        "maximum": max(walls) > FAR_MAXIMUM * middle_s,
        "slow-first": walls[0] == max(walls) and walls[0] > SLOW_FIRST * middle_s,
        "outliers": usual_s > 0 and 0.6745 * max(away_s) / usual_s > OUTLIER_SCORE,
        "server": _find_middle(record, "server_share") > BUSY_SERVER,
        "disturbed": record.is_disturbed,
        "slowed": _find_middle(record, "slowed_share") > SLOWED,
    }
    return tuple(flag for flag in FLAGS if raised[flag])
