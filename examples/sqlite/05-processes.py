"""Do the same as 03 in processes: SQLite still lets one write at a time."""

import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

from tasks import PROCESSES, WORKERS, database, report, shares, timed


def deposit(connection: sqlite3.Connection) -> None:
    with connection:  # commits, or rolls back after an error
        connection.execute("BEGIN IMMEDIATE")
        (balance,) = connection.execute("SELECT balance FROM account WHERE id = 1").fetchone()
        connection.execute("UPDATE account SET balance = ? WHERE id = 1", [balance + 1])


def work(path: Path, count: int) -> None:
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=NORMAL")
        for _ in range(count):
            deposit(connection)


if __name__ == "__main__":
    with database("wal") as path, timed():
        with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
            list(pool.map(work, [path] * WORKERS, shares()))
        print(report(path))
