"""What the programs of this folder compute: always in C, and in pieces of equal size.

Settings come from environment variables; without them the work has full size: TASKS, how many pieces
(4096); WORK (hash: SHA-256; zlib: compression; sort: of numbers); BYTES, what all pieces have
together (1073741824); PIECE, what each has, instead; WORKERS, threads or processes (the cores);
START_METHOD of processes (forkserver).
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "4096"))
WORK = os.environ.get("WORK", "hash")
SIZE = int(os.environ.get("PIECE") or int(os.environ.get("BYTES", "1073741824")) // TASKS)
"""Of each piece, in bytes."""
LINE = b"1975-04-04T12:00:00 host-17 INFO request served in 0.173 s, 200 OK\n"

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def make_piece() -> bytes:
    """A piece: of a log, or eight random bytes for each number."""
    if WORK == "sort":
        return random.Random(SIZE).randbytes(SIZE)
    return (LINE * (SIZE // len(LINE) + 1))[:SIZE]


def handle(piece: bytes) -> int:
    """One call into C, or for sorting two, from which only a number comes back."""
    if WORK == "hash":
        return hashlib.sha256(piece).digest()[0]
    if WORK == "zlib":
        return len(zlib.compress(piece))
    numbers = memoryview(piece).cast("Q").tolist()
    numbers.sort()
    return numbers[len(numbers) // 2]


def handle_share(count: int) -> Counter[int]:
    """So many pieces, one after another, without telling anybody between: how often came what."""
    piece = make_piece()
    return Counter(handle(piece) for _ in range(count))


def wake_up(_: int) -> None:
    """The first task of each process, long enough that none takes two."""
    sleep(0.1)


def describe(results: Counter[int]) -> str:
    """What a program prints in the end; raises an error if not all pieces gave the same."""
    if list(results.values()) != [TASKS]:
        raise ValueError(f"{TASKS} equal results expected, not {results}")
    return f"{TASKS} pieces handled"


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())
SHARES = [TASKS // WORKERS + (number < TASKS % WORKERS) for number in range(WORKERS)]
"""How many pieces each worker handles, if they are dealt out beforehand."""


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
