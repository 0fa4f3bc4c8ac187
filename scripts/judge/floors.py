"""Floors: the time below which physics does not let a variant go."""

from collections.abc import Sequence

from scripts.measure.experiment import Family


def find_floor(
    family: Family, longest_wait_s: float, cores: int, cpu_s: Sequence[float]
) -> float | None:
    """The larger of the longest wait, the CPU work shared by the cores, and the longest task.

    Args:
        family: tells which share of the CPU work is one task that cannot be divided.
        longest_wait_s: the longest chain of waits in one task.
        cores: how many cores there are to compute on.
        cpu_s: median CPU seconds (user + system) of each program of the family; the least of
            them is taken for the work itself, because the rest is what a program adds to it.

    Returns:
        Seconds, or ``None`` where nothing of the family was measured.
    """
    if not cpu_s:
        return None
    work_s = min(cpu_s)
    return max(longest_wait_s, work_s / cores, work_s * family.longest_task_share)
