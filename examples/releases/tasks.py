"""Work that the programs of this folder share: orders, and what one costs on average.

Settings come from environment variables; without them the work has full size: TASKS, how many orders, a
multiple of 100 (each program says how many); WORKERS, threads (the cores). Python 3.13 can run it, with
the GIL or without.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

WORKERS = int(os.environ.get("WORKERS") or os.process_cpu_count() or 1)


def count_orders(usual: int) -> int:
    """Return how many orders are asked for, or else the usual number."""
    return int(os.environ.get("TASKS", usual))


def share_out(orders: int) -> list[range]:
    """Share the orders out: each thread has as many as the others, one after another."""
    ends = [orders * number // WORKERS for number in range(WORKERS + 1)]
    return [range(ends[number], ends[number + 1]) for number in range(WORKERS)]


def report(orders: int, total: float) -> None:
    """Print how many orders there are, and what one costs on average."""
    print(f"{orders} orders, {total / orders:.2f} on average")


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
