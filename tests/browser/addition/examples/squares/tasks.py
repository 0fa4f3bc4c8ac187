"""What the programs of this folder do: TASKS (4) times the sum of squares below LIMIT (1000000)."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

LIMITS = int(os.environ.get("TASKS", "4")) * [int(os.environ.get("LIMIT", "1000000"))]
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def add_squares(limit: int) -> int:
    return sum(number * number for number in range(limit))


def describe(sums: Sequence[int]) -> str:
    return f"{len(sums)} sums of {sums[0]}"


@contextmanager
def timed() -> Iterator[None]:
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
