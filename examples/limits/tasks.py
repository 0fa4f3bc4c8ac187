"""What the programs of this folder have in common; which units they make is their own matter.

Settings come from environment variables: TASKS, how many units to make (1000000); CEILING, how
many at most, whatever the machine has room for (by kind, see guard.py); SECONDS, how long the
making may take (60); START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "1000000"))
CEILING = int(os.environ.get("CEILING", "0"))
SECONDS = float(os.environ.get("SECONDS", "60"))

READY_S = 10
"""A process that takes longer to begin will not begin."""
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
