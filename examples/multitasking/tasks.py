"""What the programs of this folder do. How they spread it over workers is their own matter.

Settings come from environment variables: TASKS (3); WORK, the seconds that each task computes
(0.08); START_METHOD of processes (forkserver).

A task notes when it runs. It computes by looking at the clock again and again: where two looks are
further apart than GAP_S, it did not run in between.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "3"))
WORK_S = float(os.environ.get("WORK", "0.08"))
"""How long each task computes. The time in which others run instead does not count."""
GAP_S = 0.001
MOST_LINES = 150

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


class Lane:
    """When one task ran: pairs of moments, on a clock that all processes of a machine share."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.slices: list[tuple[float, float]] = []

    def compute(self, seconds: float) -> None:
        """Compute for so long, and note when that was."""
        begin = last = perf_counter()
        while seconds > 0:
            now = perf_counter()
            if now - last < GAP_S:
                seconds -= now - last
            else:  # others ran meanwhile
                self.add(begin, last)
                begin = now
            last = now
        self.add(begin, last)

    def add(self, begin: float, end: float) -> None:
        """Note that it ran then; a single look at the clock does not count."""
        if end > begin:
            self.slices.append((begin, end))


def report(lanes: Iterable[Lane]) -> None:
    """Print when each lane ran, counted from the first moment of all."""
    lanes = list(lanes)
    start = min(begin for lane in lanes for begin, _ in lane.slices)
    gap_s, joined = GAP_S, [join(lane.slices, GAP_S) for lane in lanes]
    while sum(map(len, joined)) > MOST_LINES:
        gap_s *= 2
        joined = [join(lane.slices, gap_s) for lane in lanes]
    for lane, slices in zip(lanes, joined, strict=True):
        for begin, end in slices:
            print(f"{lane.name} ran from {begin - start:.6f} to {end - start:.6f} s")


def join(slices: Iterable[tuple[float, float]], gap_s: float) -> list[tuple[float, float]]:
    """The same slices, those no further apart than ``gap_s`` made one."""
    joined: list[tuple[float, float]] = []
    for begin, end in slices:
        if joined and begin - joined[-1][1] < gap_s:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    return joined


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
