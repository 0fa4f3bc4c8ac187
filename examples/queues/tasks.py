"""The records, the answers and the clock that the programs share.

Settings come from environment variables: TASKS, how many records are to be stored or answers to be
fetched (4000 and 100000); WORKERS that do it (10, and 100 for answers); SIZE of a record in bytes
(100000); ROOM in a queue that has an end (20); STORE_MS that storing a record takes (5); ANSWER_MS
that an answer takes (1).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from time import perf_counter, sleep

RECORDS = int(os.environ.get("TASKS", "4000"))
ANSWERS = int(os.environ.get("TASKS", "100000"))
CONSUMERS = int(os.environ.get("WORKERS", "10"))
LIMIT = int(os.environ.get("WORKERS", "100"))
SIZE = int(os.environ.get("SIZE", "100000"))
ROOM = int(os.environ.get("ROOM", "20"))
STORE_S = float(os.environ.get("STORE_MS", "5")) / 1000
ANSWER_S = float(os.environ.get("ANSWER_MS", "1")) / 1000

AGES_S: list[float] = []
"""How long each record has waited when somebody begins to store it."""


class Record:
    """Some data, and when it was read."""

    def __init__(self, number: int) -> None:
        self.data = bytes([number % 256]) * SIZE
        self.read_at = perf_counter()


def read_records() -> Iterator[Record]:
    """Read the records one by one, far faster than they can be stored."""
    return map(Record, range(RECORDS))


def store(record: Record) -> int:
    """Store a record and tell its size; for a thread."""
    AGES_S.append(perf_counter() - record.read_at)
    sleep(STORE_S)  # a slow database, say
    return len(record.data)


async def store_async(record: Record) -> int:
    """Store a record and tell its size; for a coroutine."""
    AGES_S.append(perf_counter() - record.read_at)
    await asyncio.sleep(STORE_S)
    return len(record.data)


async def ask(number: int) -> int:
    """The answer to a question, which somebody else has to think about."""
    await asyncio.sleep(ANSWER_S)
    return number


def report(sizes: Sized) -> str:
    """How many records were stored, and how long one of them has waited at most."""
    return f"{len(sizes)} records\nwaited {1000 * max(AGES_S):.3f} ms"


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
