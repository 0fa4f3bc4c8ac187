"""What the programs of this folder do. How they spread it over workers is their own matter.

Settings come from environment variables; without them the work has the size of the article:
TASKS (1000), LATENCY of each (0.1 seconds), WORKERS of the programs that limit them (200),
START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

TASKS = int(os.environ.get("TASKS", "1000"))
WORKERS = int(os.environ.get("WORKERS", "200"))
LATENCIES = TASKS * [float(os.environ.get("LATENCY", "0.1"))]
"""How long each task waits, in seconds: as a request would wait for an answer."""

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def wait(latency: float) -> float:
    """Wait so many seconds, and give them as the result."""
    time.sleep(latency)
    return latency


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
    start = time.perf_counter()
    yield
    print(f"time {time.perf_counter() - start:.6f} s")
