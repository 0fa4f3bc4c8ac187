"""Disturbance: how much of the machine others took while a program ran.

A count of the CPU time of its cores before and after, as the system has it (proc(5),
``/proc/stat``): what the hypervisor gave to other machines is *steal*, and what was busy beyond
the program's tree and the load server were other programs. What is busy on other cores takes
nothing from a program. In a container both are the host's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Self

import psutil

_BUSY = ("user", "nice", "system", "irq", "softirq")
"""Of what psutil tells; guests count as their users', and systems other than Linux tell less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """CPU seconds of each core up to a moment; ``stolen_s`` is ``None`` where it is uncounted."""

    at_s: float
    busy_s: tuple[float, ...]
    stolen_s: tuple[float, ...] | None

    @classmethod
    def read(cls) -> Self:
        """What the system has counted up to now."""
        cores = psutil.cpu_times(percpu=True)
        stolen_s = [getattr(times, "steal", None) for times in cores]
        return cls(
            at_s=perf_counter(),
            busy_s=tuple(sum(getattr(times, name, 0.0) for name in _BUSY) for times in cores),
            stolen_s=None if None in stolen_s else tuple(one or 0.0 for one in stolen_s),
        )


def find_shares(
    before: Usage, after: Usage, used_s: float, cores: Sequence[int] = ()
) -> tuple[float | None, float]:
    """How many of some cores were stolen meanwhile, and how many others kept busy.

    Args:
        before: when the program was started.
        after: when it had ended, later.
        used_s: CPU seconds that its whole tree, and the load server, used of these cores.
        cores: the ids of its cores; none for all of the machine.
    """
    elapsed_s = after.at_s - before.at_s
    others_s = max(0.0, _sum_up(list_busy(before, after), cores) - used_s)
    if after.stolen_s is None or before.stolen_s is None:
        return None, others_s / elapsed_s
    stolen = [later - one for one, later in zip(before.stolen_s, after.stolen_s, strict=False)]
    return max(0.0, _sum_up(stolen, cores)) / elapsed_s, others_s / elapsed_s


def _sum_up(values: Sequence[float], cores: Sequence[int]) -> float:
    """The sum of what these cores have; of all where not each is counted under its id."""
    known = cores and max(cores) < len(values)
    return sum(values[core] for core in cores) if known else sum(values)


def list_busy(before: Usage, after: Usage) -> list[float]:
    """How long each core was busy between two moments; it may have come or gone meanwhile."""
    return [later - busy for busy, later in zip(before.busy_s, after.busy_s, strict=False)]
