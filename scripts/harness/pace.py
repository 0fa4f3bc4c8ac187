"""Pace: what of their best pace the cores lacked that a program computed on; see ``pacer``."""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from statistics import median
from typing import Self

from scripts.harness import pacer
from scripts.harness.metrics import MOST_SLOWED

STARTS_IN_S = 30.0  # a pacer that takes longer to start is given up
FEWEST_PIECES = 5  # fewer on a core say nothing of its pace
FAR_SHARE = 0.25
"""A trial is slowed far beyond the usual if it lacked this much more of the best pace than the median
trial before it: about what a neighbour on a shared core takes."""
ENOUGH_TRIALS = 20
"""The number of trials after which the usual pace of a machine is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The work timed on a core so far: number of pieces, sum of their speeds, best speed."""

    count: float
    total: float
    best: float


Readings = Mapping[int, Reading]


def find_slowed(before: Readings, after: Readings, busy_s: Sequence[float]) -> float | None:
    """The share of their best pace that the cores lacked between two readings: 0.5 is half as fast.

    Args:
        before: by core.
        after: of the same cores, later.
        busy_s: how long each core of the machine was busy meanwhile, by its id: each counts for as
            much. Of those that it does not tell, or if none was, all count alike.

    Returns:
        ``None`` where too few pieces were timed on each.
    """
    shares: list[tuple[float, float]] = []
    for core, ended in after.items():
        count = ended.count - before[core].count
        if count >= FEWEST_PIECES and ended.best > 0:  # it may be read before it is known
            speed = (ended.total - before[core].total) / count
            weight = busy_s[core] if core < len(busy_s) else 0.0
            shares.append((weight, min(1.0, speed / ended.best)))
    if not shares:
        return None
    if not any(weight for weight, _ in shares):
        shares = [(1.0, share) for _, share in shares]
    paced = sum(weight * share for weight, share in shares) / sum(weight for weight, _ in shares)
    return min(1 - paced, MOST_SLOWED)


class Pacer:
    """The pace of some cores, maybe of none, from the first time that somebody reads it.

    A context manager: leaving it ends the process that times them.
    """

    def __init__(self, cores: Sequence[int]) -> None:
        self._cores = cores
        self._process: subprocess.Popen[bytes] | None = None
        self._shared: mmap | None = None
        self._is_tried = False
        self._slowed_shares: list[float] = []

    def __enter__(self) -> Self:
        return self

    def is_far(self, slowed_share: float | None) -> bool:
        """Return whether a trial was slowed far beyond those asked about before it."""
        if slowed_share is None:
            return False
        known = self._slowed_shares
        is_far = len(known) >= ENOUGH_TRIALS and slowed_share > median(known) + FAR_SHARE
        known.append(slowed_share)
        return is_far

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
        if self._shared is not None:
            self._shared.close()

    def read(self) -> Readings:
        """Return the work timed so far, by core; empty where the pace of cores means nothing."""
        if not self._is_tried:
            self._is_tried = True
            with suppress(OSError):  # no more files or processes: then nobody tells the pace
                self._start()
        if self._shared is None:
            return {}
        readings: dict[int, Reading] = {}
        for place, core in enumerate(self._cores):
            offset = pacer.HEADER.size + place * pacer.CORE.size
            count, total, best = pacer.CORE.unpack_from(self._shared, offset)
            readings[core] = Reading(count=count, total=total, best=best)
        return readings

    def _start(self) -> None:
        """Start the process, and wait until it has told whether cores are independent."""
        if not self._cores or not hasattr(os, "sched_setaffinity"):
            return  # on macOS a thread cannot be held to a core
        size = pacer.HEADER.size + len(self._cores) * pacer.CORE.size
        with tempfile.NamedTemporaryFile(prefix="pace-") as file:
            file.write(pacer.HEADER.pack(math.nan) + bytes(size - pacer.HEADER.size))
            file.flush()
            shared = mmap(file.fileno(), 0)
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(Path(pacer.__file__)), file.name),
                    *map(str, self._cores),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            until_s = time.monotonic() + STARTS_IN_S
            while math.isnan(told := pacer.HEADER.unpack_from(shared)[0]):
                if self._process.poll() is not None or time.monotonic() > until_s:
                    break
                time.sleep(0.01)
        if told == 1.0:
            self._shared = shared
        else:
            shared.close()
            self._process.kill()
