"""Functions that write files or a database beside themselves."""

import sqlite3
import time
from pathlib import Path

HERE = Path(__file__).parent


def write(number):
    time.sleep(0.005)
    (HERE / f"page-{number}.txt").write_text(str(number))


def log(number):
    time.sleep(0.005)
    with (HERE / "log.txt").open("a") as file:
        file.write(f"{number}\n")


def rewrite(number):
    """Reads a number, waits, and writes it back one larger: with others at work, it loses some."""
    path = HERE / "count.txt"
    count = int(path.read_text()) if path.exists() else 0
    time.sleep(0.005)
    path.write_text(str(count + 1))
    return number


def insert(number):
    with sqlite3.connect(HERE / "orders.db", timeout=0) as database:
        database.execute("create table if not exists orders (number)")
        database.execute("insert into orders values (?)", (number,))
        time.sleep(0.01)
    database.close()
    return number
