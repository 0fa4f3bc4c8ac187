"""What the programs of this folder hand over, and what the other side does with it.

Settings come from environment variables; without them the work has full size: TASKS, into how many
objects or tasks it is cut (256); BYTES, what all objects have together (67108864); KIND of an object
(bytes, or rows: a list of tuples); ROUNDS, what all tasks compute together (4194304 numbers);
CHUNK, how many tasks a message to a process holds (1); WORKERS of pools that compute (the cores);
START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "256"))
BYTES = int(os.environ.get("BYTES", "67108864"))
SIZE = BYTES // TASKS
"""Of each object, in bytes."""
KIND = os.environ.get("KIND", "bytes")
ROW_BYTES = 200
"""About what a row takes: a tuple, an int, a text and a float, and its place in the list."""
PAGE_BYTES = 4096
"""In such pieces the system gives memory out: reading one byte of each is enough to need it."""

ROUNDS = int(os.environ.get("ROUNDS", "4194304"))
LENGTHS = TASKS * [ROUNDS // TASKS]
"""How much each task computes: the same for all."""
CHUNK = int(os.environ.get("CHUNK", "1"))

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def make(size: int) -> bytes | list[tuple[int, str, float]]:
    """An object that takes about so many bytes of memory."""
    if KIND == "bytes":
        return size * b"\1"
    return [(number, f"row {number}", number / 7) for number in range(size // ROW_BYTES or 1)]


def look_at(data: Sequence) -> int:
    """What the other side does with an object: reads a little of every page, and tells its size."""
    if isinstance(data, list):
        return len(data)
    touched = sum(data[::PAGE_BYTES])
    return len(data) if touched else 0


def describe(sizes: Sequence[int]) -> str:
    """What a program prints in the end; raises an error if one object came otherwise."""
    expected = SIZE if KIND == "bytes" else SIZE // ROW_BYTES or 1
    if set(sizes) != {expected}:
        raise ValueError(f"Objects of size {expected} expected, not {sorted(set(sizes))}")
    return f"{len(sizes)} objects handed over"


def compute(length: int) -> int:
    """A task that only computes, and as long as it is told."""
    return sum(number % 7 for number in range(length))


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
