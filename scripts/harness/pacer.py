"""The pacer: a process of its own that tells, while a program runs, how fast each core computes.

The neighbours of a rented machine share units of its cores: for a tenth of a second or for ten, a core
then computes at half its pace, and no system counts that as stolen. So a piece of work of some twenty
microseconds is timed on each core, a hundred times a second, in CPU seconds, which do not count what
else runs there; one before it warms the caches. That takes a few per cent of a core.

Cores that slow each other, as two threads of one core do, would take a program's own doing for
somebody else's. So it is tried first whether they do: work that takes longer than on one core alone
while all cores work, at best, tells that they do; then the pace tells nothing.

It knows the standard library alone, as it runs apart: ``pacer.py FILE CORE...``. It writes native
doubles to the file, which has room for them: whether the cores are independent (1), or not (0), then of
each core how many pieces were timed, the sum of their speeds in 1/ns, and the best speed.
"""

import math
import os
import struct
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import pbkdf2_hmac
from mmap import mmap

HEADER = struct.Struct("d")
CORE = struct.Struct("3d")
PERIOD_S = 0.01
MOST_A_SECOND = 2000
"""Pieces of work a second on all cores together: with many cores, each gets fewer."""
ITERATIONS = 60
LONG = 250
"""How many times longer the pieces are that show whether cores slow each other, about 5 ms. Shorter ones
would hardly overlap."""
TRIES = 10
MOST_TRIED = 4
"""How many cores are also timed alone, one after the other."""
TOGETHER_S = 0.06
SLOWED = 1.05
"""Cores are independent if work takes no longer than this many times while the others work."""
RESOLUTION = 200
"""The resolution of the best speed: one part in so many."""
BEST = 0.05
"""The share of pieces that reach the best speed: the very fastest are chance."""
RENEWED = 50
"""After so many pieces the best speed is renewed only every so many, as that takes longer than a piece."""


def time_piece(repeat: int = 1) -> int:
    """CPU nanoseconds that a piece of work takes this thread."""
    began_ns = time.thread_time_ns()
    pbkdf2_hmac("sha256", b"pace", b"core", ITERATIONS * repeat)
    return max(1, time.thread_time_ns() - began_ns)


def are_independent(cores: Sequence[int]) -> bool:
    """Return whether work on one core takes no longer while all the others work."""
    alone = dict.fromkeys(cores[:MOST_TRIED], math.inf)
    together = dict(alone)
    usable = os.sched_getaffinity(0)
    with ThreadPoolExecutor(len(cores)) as pool:
        for _ in range(TRIES):
            for core in alone:
                alone[core] = min(alone[core], _time_long(core, 0.0))
            found = pool.map(_time_long, cores, [TOGETHER_S] * len(cores))
            for core, least in zip(cores, found, strict=True):
                together[core] = min(together.get(core, math.inf), least)
    os.sched_setaffinity(0, usable)
    return all(together[core] <= SLOWED * least for core, least in alone.items())


def _time_long(core: int, lasting_s: float) -> int:
    """The quickest of some long pieces on a core: for so long, but three at least."""
    os.sched_setaffinity(0, {core})
    until_s = time.monotonic() + lasting_s
    times_ns: list[int] = []
    while len(times_ns) < 3 or time.monotonic() < until_s:
        times_ns.append(time_piece(LONG))
    return min(times_ns)


class Speeds:
    """The speeds of a core: how many were found, their sum, and the best."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self._places: dict[int, int] = {}

    def add(self, time_ns: int) -> None:
        """One more."""
        self.count += 1
        self.total += 1 / time_ns
        place = math.floor(math.log(time_ns) * RESOLUTION)
        self._places[place] = self._places.get(place, 0) + 1

    @property
    def best(self) -> float:
        """The speed that ``BEST`` of all have."""
        found = 0
        for place, count in sorted(self._places.items()):
            found += count
            if found >= BEST * self.count:
                return math.exp(-place / RESOLUTION)
        return 0.0


def pace(core: int, shared: mmap, offset: int, period_s: float) -> None:
    """Time a core for ever."""
    os.sched_setaffinity(0, {core})
    speeds, best = Speeds(), 0.0
    while True:
        time.sleep(period_s)
        time_piece()
        speeds.add(time_piece())
        if speeds.count < RENEWED or speeds.count % RENEWED == 0:
            best = speeds.best
        CORE.pack_into(shared, offset, speeds.count, speeds.total, best)


def main(path: str, *names: str) -> None:
    """Pace all cores until nobody holds the other end of stdin any more."""
    cores = [int(name) for name in names]
    with open(path, "r+b") as file:  # noqa: PTH123 - it starts sooner without pathlib
        shared = mmap(file.fileno(), 0)
    told = float(are_independent(cores))
    period_s = max(PERIOD_S, len(cores) / MOST_A_SECOND)
    for place, core in enumerate(cores):
        offset = HEADER.size + place * CORE.size
        args = (core, shared, offset, period_s)
        threading.Thread(target=pace, args=args, daemon=True).start()
    HEADER.pack_into(shared, 0, told)
    sys.stdin.buffer.read()
    os._exit(0)  # without waiting for threads that never end


if __name__ == "__main__":
    main(*sys.argv[1:])
