"""Work that the programs of this folder share. Each spreads it over workers in its own way.

Settings come from environment variables; without them the work has the size of the article:
TASKS, how many sums (15); ITERATIONS, passes of the loop of each (10000000); RANDOM, where its
random numbers come from (shared: one generator for all; own: one for each sum; none: no chance);
WORKERS of the pools (16); START_METHOD of processes (forkserver). Python 3.6 can run it too.
"""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "15"))
ITERATIONS = int(os.environ.get("ITERATIONS", "10000000"))
RANDOM = os.environ.get("RANDOM", "shared")
WORKERS = int(os.environ.get("WORKERS", "16"))
START_METHOD = os.environ.get("START_METHOD", "forkserver")

NUMBERS = range(1, TASKS + 1)


def calc(x: int) -> int:
    """The sum of i % x, without the one in a hundred that chance leaves out."""
    total = 0
    if RANDOM == "none":
        for i in range(ITERATIONS):
            total += i % x
        return total
    chance = {"shared": random.random, "own": random.Random(x).random}[RANDOM]
    for i in range(ITERATIONS):
        if chance() < 0.99:
            total += i % x
    return total


def wake_up() -> None:
    """What a new interpreter calls first: to find it, it imports this module."""


def full_sum(x: int) -> int:
    """The sum of i % x with nothing left out: whole rounds of 0 .. x - 1, then the rest."""
    rounds, rest = divmod(ITERATIONS, x)
    return (rounds * x * (x - 1) + rest * (rest - 1)) // 2


def summary(sums: "list[int]") -> str:
    """A result that can be checked: only a shared generator deals other numbers in each run."""
    if RANDOM == "shared":
        skipped = 1 - sum(sums) / sum(map(full_sum, NUMBERS))
        return f"{len(sums)} sums, {100 * skipped:.0f} % skipped"
    return f"{len(sums)} sums, {sum(sums)} in all"


@contextmanager
def timed() -> "Iterator[None]":
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
