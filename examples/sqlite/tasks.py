"""The database, the shares of the workers and the report that the programs share.

Settings come from environment variables: TASKS, how many deposits are made (20,000); WORKERS, by how
many workers (8); START_METHOD of processes (spawn). The database lies in a temporary folder, as a
rule on a disk; TMPDIR names another.
"""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

TASKS = int(os.environ.get("TASKS", "20000"))
WORKERS = int(os.environ.get("WORKERS", "8"))
PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "spawn"))


@contextmanager
def database(journal: str) -> Iterator[Path]:
    """Create a database with one empty account, and remove it at the end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bank.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"PRAGMA journal_mode={journal}")  # the file remembers it
            connection.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER)")
            connection.execute("INSERT INTO account VALUES (1, 0)")
        yield path


def shares() -> list[int]:
    """Return how many deposits each worker makes."""
    return [TASKS // WORKERS + (worker < TASKS % WORKERS) for worker in range(WORKERS)]


def report(path: Path, refused: int = 0) -> str:
    """Return what was asked for, and how many deposits were refused and are missing."""
    with closing(sqlite3.connect(path)) as connection:
        (balance,) = connection.execute("SELECT balance FROM account").fetchone()
    return (
        f"{TASKS} deposits asked for\nrefused {refused} deposits\n"
        f"missing {TASKS - balance} deposits"
    )


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
