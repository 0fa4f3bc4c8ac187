"""Work that the programs of this folder share. Each decides how many processes it starts.

Settings come from environment variables: TASKS, how many numbers there are to compute (60);
FIBONACCI, which one each of them is (26); WORKERS, how many processes compute where a program does
not decide that itself (4); START_METHOD of processes (forkserver). Linux only.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool
from statistics import quantiles
from time import perf_counter, sleep

from quota import read_throttled

TASKS = int(os.environ.get("TASKS", "60"))
FIBONACCI = int(os.environ.get("FIBONACCI", "26"))
WORKERS = int(os.environ.get("WORKERS", "4"))
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))
PAUSE_S = 0.001
"""How long the light work waits each time."""


def allow_one_core() -> None:
    """Let this process and its children run on one core only, as `docker run --cpuset-cpus` does."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def fib(n: int) -> int:
    """The n-th Fibonacci number, computed the slow way on purpose."""
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")


def compute(pool: Pool, workers: int) -> None:
    """Compute in the pool; meanwhile wait for a moment again and again, and print how late that was.

    `late` is the 99th percentile: of a hundred waits one was later. `latest` is the latest of all.
    """
    late_s = [0.0]  # so that there are two at least
    throttled = read_throttled()
    with timed():
        numbers = pool.map_async(fib, TASKS * [FIBONACCI], chunksize=1)
        while not numbers.ready():
            begin = perf_counter()
            sleep(PAUSE_S)
            late_s.append(perf_counter() - begin - PAUSE_S)
        print(f"{len(numbers.get())} numbers, each {numbers.get()[0]}")
        print(f"workers {workers} processes")
        print(f"late {1000 * quantiles(late_s, n=100, method='inclusive')[-1]:.3f} ms")
        print(f"latest {1000 * max(late_s):.3f} ms")
        print(f"throttled {read_throttled() - throttled} periods")
