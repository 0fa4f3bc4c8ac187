"""What the programs of this folder have in common: orders, and what they add up to.

Settings come from environment variables; without them the work has full size: TASKS, how many orders
(each program says how many); WORKERS, threads or processes (the cores); START_METHOD of processes
(forkserver). Python 3.9 can run it too, with the GIL or without.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def count_orders(usual: int) -> int:
    """How many orders are asked for, or else the usual number."""
    return int(os.environ.get("TASKS", usual))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())


def share_out(orders: int) -> list[range]:
    """Which of the orders each worker has: as many as the others, one after another."""
    ends = [orders * number // WORKERS for number in range(WORKERS + 1)]
    return [range(ends[number], ends[number + 1]) for number in range(WORKERS)]


def price(order: int) -> int:
    """What an order costs, in cents: a little arithmetic that touches nothing shared."""
    cents = order
    for _ in range(8):
        cents = (cents * 31 + 7) % 9973
    return cents


def load_fees() -> dict[int, float]:
    """What delivery to each zone costs: a new table, as if it had been read from a file."""
    return {zone: 4.5 + 2.5 * zone for zone in range(4)}


def report(orders: int, total: float) -> None:
    """Print how many orders there are, and what they add up to."""
    print(f"{orders} orders, {total:.0f} in all")


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
