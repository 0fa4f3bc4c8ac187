"""Disturbance: how much of the machine others took while a program ran.

A count of the whole machine's CPU time before and after, as the system has it (proc(5),
``/proc/stat``): what the hypervisor gave to other machines is *steal*, and what was busy beyond
the program's tree and the load server were other programs. In a container both are the host's.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Self

import psutil

_BUSY = ("user", "nice", "system", "irq", "softirq")
"""Of what psutil tells; guests count as their users', and systems other than Linux tell less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """CPU seconds up to a moment, ``busy_s`` of each core, ``stolen_s`` of all, ``None`` if uncounted."""

    at_s: float
    busy_s: tuple[float, ...]
    stolen_s: float | None

    @classmethod
    def read(cls) -> Self:
        """What the system has counted up to now."""
        cores = psutil.cpu_times(percpu=True)
        stolen_s = [getattr(times, "steal", None) for times in cores]
        return cls(
            at_s=perf_counter(),
            busy_s=tuple(sum(getattr(times, name, 0.0) for name in _BUSY) for times in cores),
            stolen_s=None if None in stolen_s else sum(filter(None, stolen_s)),
        )


def find_shares(before: Usage, after: Usage, used_s: float) -> tuple[float | None, float]:
    """The cores that were stolen meanwhile, and those that others kept busy.

    Args:
        before: when the program was started.
        after: when it had ended, later.
        used_s: CPU seconds of its whole tree and of the load server.
    """
    elapsed_s = after.at_s - before.at_s
    others_s = max(0.0, sum(list_busy(before, after)) - used_s)
    if after.stolen_s is None or before.stolen_s is None:
        return None, others_s / elapsed_s
    return max(0.0, after.stolen_s - before.stolen_s) / elapsed_s, others_s / elapsed_s


def list_busy(before: Usage, after: Usage) -> list[float]:
    """How long each core was busy between two moments; it may have come or gone meanwhile."""
    return [later - busy for busy, later in zip(before.busy_s, after.busy_s, strict=False)]
