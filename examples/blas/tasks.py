"""What the programs of this folder compute: always in NumPy, whose BLAS has threads of its own.

Settings come from environment variables; without them the work has full size: TASKS, how many arrays
(32); WORK (product: of a matrix with itself; sort: of numbers; sine or square: of each number); SIZE,
the rows and columns of a matrix, or how many numbers (1024); WORKERS, threads or processes (the
cores); START_METHOD of processes (spawn). Where OPENBLAS_NUM_THREADS is not set, BLAS has a thread
for each core.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

import numpy as np

TASKS = int(os.environ.get("TASKS", "32"))
WORK = os.environ.get("WORK", "product")
SIZE = int(os.environ.get("SIZE", "1024"))
FUNCTIONS = {"sort": np.sort, "sine": np.sin, "square": np.square}
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "spawn"))


def make_array() -> np.ndarray:
    """Whole numbers, so that their products are exact in whatever order they are added."""
    shape = (SIZE, SIZE) if WORK == "product" else SIZE
    return np.random.default_rng(SIZE).integers(1 << 20, size=shape).astype(float)


ARRAY = make_array()


def handle(array: np.ndarray) -> float:
    """One call into NumPy, from which only a number comes back."""
    if WORK == "product":
        return float((array @ array)[-1, -1])
    return float(FUNCTIONS[WORK](array)[-1])


def handle_share(count: int) -> Counter[float]:
    """Handle so many copies, one after another; count how often came what."""
    array = ARRAY.copy()
    return Counter(handle(array) for _ in range(count))


def wake_up(_: int) -> None:
    """The first task of each worker, long enough that none takes two: it waits for the imports."""
    sleep(0.1)


def describe(results: Counter[float]) -> str:
    """What a program prints in the end; raises an error if not all arrays gave the same."""
    if list(results.values()) != [TASKS]:
        raise ValueError(f"{TASKS} equal results expected, not {results}")
    return f"{TASKS} arrays handled"


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())
SHARES = [TASKS // WORKERS + (number < TASKS % WORKERS) for number in range(WORKERS)]
"""How many arrays each worker handles."""


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
