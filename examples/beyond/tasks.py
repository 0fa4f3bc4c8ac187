"""The task and the clock that the programs share.

Settings come from environment variables: TASKS, how many there are (1000); LENGTH, how many numbers
each of them adds up (10, which is next to nothing); WORKERS (the cores); START_METHOD of processes
(spawn, as on other machines there is nobody to fork).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "1000"))
LENGTHS = TASKS * [int(os.environ.get("LENGTH", "10"))]
"""How much each task computes: the same for all."""
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "spawn"))


def compute(length: int) -> int:
    """A task that only computes, and as long as it is told."""
    return sum(number % 7 for number in range(length))


def wake_up(_: int) -> None:
    """The first task of each worker, long enough that none takes two."""
    sleep(0.1)


def compute_chunk(lengths: Sequence[int]) -> list[int]:
    """Many tasks in one."""
    return list(map(compute, lengths))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())


@contextmanager
def timed(begun: float | None = None) -> Iterator[None]:
    """Print how long the block took, and how long workers took to be ready if they have ``begun``."""
    start = perf_counter()
    yield
    took_s = perf_counter() - start
    if begun is not None:
        print(f"started {1000 * (start - begun):.3f} ms")
    print(f"time {took_s:.6f} s")
