"""Begin with BEGIN: a transaction that has read can't always write, however long its timeout is."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from tasks import WORKERS, database, report, shares, timed


def deposit(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN")  # deferred: locks nothing yet
        (balance,) = connection.execute("SELECT balance FROM account WHERE id = 1").fetchone()
        connection.execute("UPDATE account SET balance = ? WHERE id = 1", [balance + 1])


def work(path: Path, count: int) -> int:
    refused = 0
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=NORMAL")
        for _ in range(count):
            try:
                deposit(connection)
            except sqlite3.OperationalError:  # database is locked
                refused += 1
    return refused


if __name__ == "__main__":
    with database("wal") as path, timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            refused = sum(pool.map(work, [path] * WORKERS, shares()))
        print(report(path, refused))
