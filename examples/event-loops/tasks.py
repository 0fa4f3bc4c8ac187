"""The settings and the clock that the programs share.

Settings come from environment variables: TASKS, how many messages, waits or look-ups there are (its
own number of each program); WORKERS, how many connections, waits or look-ups there are at a time, or
how many loops; SIZE of a message in bytes (1000); WAIT_MS and FIBONACCI, for how long a server waits
before each answer and what it computes (0 and 0: it does neither); UNKNOWN, how many of a hundred
look-ups find nothing in the cache (0); START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

MESSAGES = int(os.environ.get("TASKS", "20000"))
CONNECTIONS = int(os.environ.get("WORKERS", "20"))
MESSAGE = bytes(int(os.environ.get("SIZE", "1000")))
WAIT_S = float(os.environ.get("WAIT_MS", "0")) / 1000
FIBONACCI = int(os.environ.get("FIBONACCI", "0"))

WAITS = int(os.environ.get("TASKS", "100000"))
SLEEPERS = int(os.environ.get("WORKERS", "1000"))
PAUSE_S = 0.001
DEADLINE_S = 60

LOOKUPS = int(os.environ.get("TASKS", "100000"))
BATCH = int(os.environ.get("WORKERS", "100"))
UNKNOWN = int(os.environ.get("UNKNOWN", "0"))

LOOPS = int(os.environ.get("WORKERS") or os.cpu_count() or 1)
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def split(count: int, parts: int) -> list[int]:
    """A number as so many nearly equal ones, without those that are zero."""
    return [len(range(first, count, parts)) for first in range(min(count, parts))]


def compute() -> None:
    """What the server computes before each answer, the slow way on purpose."""
    if FIBONACCI:
        fib(FIBONACCI)


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)


BATCHES = split(LOOKUPS, -(-LOOKUPS // BATCH))
"""How many look-ups there are at a time, never more than a batch."""


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
