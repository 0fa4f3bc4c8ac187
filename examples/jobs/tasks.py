"""What the programs of each job share: the calls that wait, the functions that compute, and the clock.

Settings come from environment variables; without them the work has full size: TASKS, how many calls,
requests, simulations … there are; WORKERS, how many threads, processes or requests at once (the cores);
START_METHOD of processes (forkserver). CALL_MS that a call of the SDK blocks (50); REQUEST_MS that a
request takes (100) and LIMIT, how many at once the server allows (20); STEPS of a simulation (2000000).
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "100"))
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")


# ── 1: a blocking SDK ────────────────────────────────────────────────────────────────────────────

CALL_S = float(os.environ.get("CALL_MS", "50")) / 1000


def call(number: int) -> int:
    """Ask a service through its SDK, which knows nothing of asyncio and blocks until it answers."""
    sleep(CALL_S)
    return number
