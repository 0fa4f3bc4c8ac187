"""Usage: the memory or the cores that a program took, over the time of a traced trial."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scripts.harness.record import Record, TracePoint

Quantity = Literal["memory", "cpu"]

BINS, BIN_S = 40, 0.05
"""CPU time is told in clock ticks: cores are counted over no less than this, and not too often."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Bytes at each of ``times_s``, or cores kept busy between one of them and the next."""

    times_s: NDArray[np.float64]
    values: NDArray[np.float64]


def read_usage(record: Record, of: Quantity) -> Usage | None:
    """Read the last traced trial; ``None`` if it has too few points."""
    points = record.traced[-1].trace if record.traced else ()
    if of == "cpu":
        return _count_cores(points)
    if len(points) < 2:
        return None
    return Usage(*np.array([(seconds, pss_bytes) for seconds, pss_bytes, _ in points]).T)


def _count_cores(points: Sequence[TracePoint]) -> Usage | None:
    """CPU seconds used in each of equal spans of time, divided by that time."""
    used = [(seconds, cpu_s) for seconds, _, cpu_s in points if cpu_s is not None]
    if len(used) < 2:
        return None
    times, cpu_s = np.array(used).T
    duration = times[-1] - times[0]
    spans = max(1, int(duration / max(BIN_S, duration / BINS)))
    edges = np.linspace(times[0], times[-1], spans + 1)
    return Usage(edges, np.diff(np.interp(edges, times, cpu_s)) / (duration / spans))
