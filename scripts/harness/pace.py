"""Pace: what of their best pace the cores lack, timed just before and just after each trial.

The neighbours of a rented machine share units of its cores: for a tenth of a second or for ten, a core
then computes at half its pace, and no system counts that as stolen. So some 2 ms of work are timed on
each core of a trial, in CPU seconds, which do not count what else runs there. Nothing of ours computes
meanwhile, so a program never slows the pace that it is told of.
"""

import os
import threading
import time
from collections.abc import Sequence
from hashlib import pbkdf2_hmac
from statistics import mean, median

from scripts.harness.metrics import MOST_SLOWED

ITERATIONS = 6000
MOST_CORES = 8  # with more cores a trial would wait long for its readings
FAR_SHARE = 0.25
"""A trial is slowed far beyond the usual if it lacked this much more of the best pace than the median
trial before it: about what a neighbour on a shared core takes."""
ENOUGH_TRIALS = 20
"""The number of trials after which the usual pace of a machine is known."""


class Pacer:
    """Reads the pace of cores, and knows the best of each and the usual one of trials."""

    def __init__(self) -> None:
        self._best_ns: dict[int, int] = {}
        self._slowed_shares: list[float] = []

    def read(self, cores: Sequence[int]) -> float | None:
        """Return the share of their best pace that cores lack now; 0.5 is half as fast.

        ``None`` where a thread cannot be held to a core, as on macOS.
        """
        if not cores or not hasattr(os, "sched_setaffinity"):
            return None
        shares = []
        for core in cores[:MOST_CORES]:
            time_ns = time_work(core)
            best_ns = self._best_ns[core] = min(time_ns, self._best_ns.get(core, time_ns))
            shares.append(min(1 - best_ns / time_ns, MOST_SLOWED))
        return mean(shares)

    def is_far(self, slowed_share: float | None) -> bool:
        """Return whether a trial was slowed far beyond those asked about before it."""
        if slowed_share is None:
            return False
        known = self._slowed_shares
        is_far = len(known) >= ENOUGH_TRIALS and slowed_share > median(known) + FAR_SHARE
        known.append(slowed_share)
        return is_far


def time_work(core: int) -> int:
    """Return the CPU nanoseconds that the work takes on a core."""
    times_ns: list[int] = []

    def work() -> None:
        os.sched_setaffinity(0, {core})
        pbkdf2_hmac("sha256", b"pace", b"core", ITERATIONS // 10)  # warms the core and its caches
        began_ns = time.thread_time_ns()
        pbkdf2_hmac("sha256", b"pace", b"core", ITERATIONS)
        times_ns.append(max(1, time.thread_time_ns() - began_ns))

    thread = threading.Thread(target=work)  # of its own, as the binding is a thread's
    thread.start()
    thread.join()
    return times_ns[0]
