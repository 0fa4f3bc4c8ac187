"""The settings, the client and the report that the programs share.

Settings come from environment variables: TASKS, how many additions, seats, reports or services
there are (1000000 additions; each program says what it has without); WORKERS, the number of
threads (4). Python 3.7 can run it too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

WORKERS = int(os.environ.get("WORKERS", "4"))

made = []
"""Of each client that was made, its address; list.append is a single step."""


def count_tasks(usual: int) -> int:
    """How many tasks are asked for, or else the usual number."""
    return int(os.environ.get("TASKS", usual))


def share_out(tasks: int) -> list[int]:
    """How many of the tasks each thread has; all of them together, as even as can be."""
    return [tasks // WORKERS + (number < tasks % WORKERS) for number in range(WORKERS)]


def connect(address: str) -> object:
    """A new client, which takes a while: what it talks to is far away."""
    time.sleep(0.001)
    made.append(address)
    return object()


def report(asked: int, things: str, wrong: int) -> None:
    """Print what was asked for, and how much of it went wrong."""
    print(f"{asked} {things}\nwrong {wrong} {things}")


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = time.perf_counter()
    yield
    print(f"time {time.perf_counter() - start:.6f} s")
