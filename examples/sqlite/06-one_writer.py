"""Hand deposits to one writer, which commits all that wait at once: fewer commits than in 04."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import Queue, ShutDown

from tasks import WORKERS, database, report, shares, timed


def work(deposits: Queue, count: int) -> None:
    for _ in range(count):
        deposits.put(1)


def write(path: Path, deposits: Queue) -> None:
    try:
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
            while True:
                amounts = [deposits.get()]  # waits for the first
                while deposits.qsize():
                    amounts.append(deposits.get())
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    for amount in amounts:
                        deposit(connection, amount)
    except ShutDown:  # all are done
        return
    finally:
        deposits.shutdown(immediate=True)  # if the writer failed, nobody waits for it


def deposit(connection: sqlite3.Connection, amount: int) -> None:
    (balance,) = connection.execute("SELECT balance FROM account WHERE id = 1").fetchone()
    connection.execute("UPDATE account SET balance = ? WHERE id = 1", [balance + amount])


if __name__ == "__main__":
    deposits = Queue(maxsize=1000)
    with database("delete") as path, timed():
        with ThreadPoolExecutor(1) as writer:
            written = writer.submit(write, path, deposits)
            with ThreadPoolExecutor(WORKERS) as pool:
                list(pool.map(work, [deposits] * WORKERS, shares()))
            deposits.shutdown()
        written.result()
        print(report(path))
