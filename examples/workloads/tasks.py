"""What the programs of this folder do: each task waits, then computes, then gives back its data.

Settings come from environment variables; without them the work is that of a hundred small pages: TASKS
(100), WAIT_MS that each waits (20), COMPUTE_MS of pure Python that each computes (1), DATA_KIB that each
gets and gives back (0); WORKERS, how many threads, processes or coroutines work at once; START_METHOD
of processes (forkserver).
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

TURNS_OF_1_MS = 25_000
"""What stands for a millisecond of computing: so many turns of a loop, on every machine."""

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def read_setting(name: str, default: float) -> float:
    """The number that an environment variable holds, or its default."""
    return float(os.environ.get(name) or default)


def count_workers(default: int) -> int:
    """How many work at once: as WORKERS says, or a default."""
    return int(read_setting("WORKERS", default))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


TASKS = int(read_setting("TASKS", 100))
WAIT_S = read_setting("WAIT_MS", 20) / 1000
TURNS = round(read_setting("COMPUTE_MS", 1) * TURNS_OF_1_MS)
DATA_BYTES = int(read_setting("DATA_KIB", 0) * 1024)


def make_data() -> list[bytes]:
    """The data of each task, no two of them alike."""
    return [b"%08d" % number + bytes(DATA_BYTES) for number in range(TASKS)]


def wait() -> None:
    """Wait for an answer, as a blocking client does."""
    if WAIT_S:
        sleep(WAIT_S)


async def wait_async() -> None:
    """Wait for an answer, as a client for asyncio does."""
    if WAIT_S:
        await asyncio.sleep(WAIT_S)


def compute(data: bytes) -> bytes:
    """Compute in pure Python, and give back the data."""
    total = 0
    for turn in range(TURNS):
        total += turn & 7
    return data


def work(data: bytes) -> bytes:
    """Carry out one task."""
    wait()
    return compute(data)


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
