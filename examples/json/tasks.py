"""What the programs of this folder do. How they spread it over workers is their own matter.

Settings come from environment variables; without them the work has the size of the article:
TASKS (10), JSON_SIZE of each (1000000 numbers), COLLECTOR of garbage (off, or on),
START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "10"))
SIZES = TASKS * [int(os.environ.get("JSON_SIZE", "1000000"))]
"""How many numbers each text holds: the same for all, so the tasks are equal."""

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def serialize(size: int) -> int:
    """Make a list of so many numbers, write it as JSON, and give the length of the text."""
    return len(json.dumps(list(range(size))))


def describe(lengths: Sequence[int]) -> str:
    """What a program prints in the end; raises an error if one text differs from the others."""
    if len(set(lengths)) != 1:
        raise ValueError(f"Texts of one length expected, not {lengths}")
    return f"{len(lengths)} texts of {lengths[0]} characters"


def set_collector() -> None:
    """Do without garbage collection, unless COLLECTOR=on.

    Call it in main(): that leaves a new interpreter with its collector on, so of the child
    processes only forked ones do without it as well.
    """
    if os.environ.get("COLLECTOR", "off") == "off":
        gc.disable()


@contextmanager
def counted_collections() -> Iterator[None]:
    """Print how often the garbage collector of this process was called in the block."""
    calls: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            calls.append(info["generation"])

    gc.callbacks.append(note)
    yield
    gc.callbacks.remove(note)
    print(f"collections {len(calls)} times")


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
