"""Hand deposits to one writer, which commits all that wait at once: fewer commits than in 04."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from queue import Queue, ShutDown

from tasks import WORKERS, database, report, shares, timed


def work(deposits: Queue[int], count: int) -> None:
    for _ in range(count):
        deposits.put(1)


def write(path: Path, deposits: Queue[int]) -> None:
    opened = closing(sqlite3.connect(path, timeout=30, isolation_level=None))
    with opened as connection, suppress(ShutDown):
        while True:
            amounts = [deposits.get()]  # waits for the first
            amounts += [deposits.get() for _ in range(deposits.qsize())]
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                for amount in amounts:
                    deposit(connection, amount)


def deposit(connection: sqlite3.Connection, amount: int) -> None:
    (balance,) = connection.execute("SELECT balance FROM account WHERE id = 1").fetchone()
    connection.execute("UPDATE account SET balance = ? WHERE id = 1", [balance + amount])


if __name__ == "__main__":
    deposits: Queue[int] = Queue(maxsize=1000)
    with database("delete") as path, timed(), ThreadPoolExecutor(1) as writer:
        written = writer.submit(write, path, deposits)
        written.add_done_callback(lambda _: deposits.shutdown(immediate=True))
        try:
            with ThreadPoolExecutor(WORKERS) as pool, suppress(ShutDown):
                list(pool.map(work, [deposits] * WORKERS, shares()))
        finally:
            deposits.shutdown()  # after Ctrl-C, too: the writer ends
        written.result()  # raises what the writer raised
        print(report(path))
