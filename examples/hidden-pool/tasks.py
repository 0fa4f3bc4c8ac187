"""The slow call, the name lookup and the database that the programs share.

Settings come from environment variables: TASKS, how many slow calls or queries there are (64);
CALL_MS that a call takes (250), QUERY_MS a query (50); WORKERS, how many threads, connections or
calls at a time a program has that limits them (its own number).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "64"))
CALL_S = float(os.environ.get("CALL_MS", "250")) / 1000
QUERY_S = float(os.environ.get("QUERY_MS", "50")) / 1000
THREADS = int(os.environ.get("WORKERS", "32"))
LIMIT = int(os.environ.get("WORKERS", "3"))
CONNECTIONS = int(os.environ.get("WORKERS", "4"))

"localhost".encode("idna")  # loads the codec, which is not what a lookup waits for


def call() -> int:
    """Something slow that blocks: a library that knows nothing of coroutines."""
    sleep(CALL_S)
    return 1


async def look_up() -> float:
    """Look up a name, as every new connection has to; tell how many seconds that took."""
    start = perf_counter()
    await asyncio.sleep(0)  # what was begun before has its turn first
    await asyncio.get_running_loop().getaddrinfo("localhost", 80)
    return perf_counter() - start


def connect() -> sqlite3.Connection:
    """A connection to a small database, whose answers take their time."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    connection.execute("INSERT INTO book VALUES (1, 'Ulysses')")
    connection.create_function("pause", 0, pause)
    return connection


def pause() -> int:
    if QUERY_S:
        sleep(QUERY_S)
    return 0


def query(connection: sqlite3.Connection) -> str:
    """Ask the database for a title; blocks until it answers."""
    rows = connection.execute("SELECT title FROM book WHERE id = ? AND pause() = 0", [1])
    (title,) = rows.fetchone()
    return title


def report(results: Sequence[object], waited_s: float) -> str:
    """How many calls or queries were answered, and how long the lookup waited."""
    return f"{len(results)} done\nwaited {1000 * waited_s:.3f} ms"


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
