"""What the programs of each job share: calls that wait, functions that compute, and a clock.

Settings come from environment variables; without them the work has full size: TASKS, how many calls,
simulations or card numbers there are; WORKERS, how many threads or processes (the cores); START_METHOD
of processes (forkserver); CALL_MS that a call of the SDK blocks (50); STEPS of a simulation (3000000).
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_setting(name: str, default: int) -> int:
    """The number that an environment variable holds, or its default."""
    return int(os.environ.get(name) or default)


WORKERS = read_setting("WORKERS", count_cores())


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")


# ── 1: a blocking SDK ────────────────────────────────────────────────────────────────────────────

CALLS = range(read_setting("TASKS", 100))
THREADS = read_setting("WORKERS", 40)
CALL_S = read_setting("CALL_MS", 50) / 1000


def call(number: int) -> int:
    """Ask a service through its SDK, which knows nothing of asyncio and blocks until it answers."""
    sleep(CALL_S)
    return number


# ── 3: simulations ───────────────────────────────────────────────────────────────────────────────

SEEDS = range(read_setting("TASKS", 8))
STEPS = read_setting("STEPS", 3_000_000)


def simulate(seed: int) -> int:
    """Walk at random; return how far from its start the walk ended."""
    choose = random.Random(seed).random
    place = 0
    for _ in range(STEPS):
        place += 1 if choose() < 0.5 else -1
    return abs(place)


# ── 4: a tiny function ───────────────────────────────────────────────────────────────────────────

FIRST_CARD = 4_000_000_000_000_000
CARDS = range(FIRST_CARD, FIRST_CARD + read_setting("TASKS", 20_000))


def is_valid(card: int) -> bool:
    """Tell whether the check digit of a card number is right, by Luhn's algorithm."""
    digits = [int(digit) for digit in reversed(str(card))]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0
