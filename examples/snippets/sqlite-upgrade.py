import sqlite3
from contextlib import closing
from tempfile import TemporaryDirectory
from time import perf_counter


def open_shop(folder):
    return closing(sqlite3.connect(f"{folder}/shop.db", timeout=30, isolation_level=None))


with TemporaryDirectory() as folder, open_shop(folder) as first, open_shop(folder) as second:
    first.execute("PRAGMA journal_mode=WAL")
    first.execute("CREATE TABLE stock (books)")
    first.execute("INSERT INTO stock VALUES (10)")

    second.execute("BEGIN")  # deferred
    (books,) = second.execute("SELECT books FROM stock").fetchone()
    first.execute("UPDATE stock SET books = 9")  # another writer is faster

    start = perf_counter()
    try:
        second.execute("UPDATE stock SET books = ?", [books - 1])
    except sqlite3.OperationalError as error:
        print(error.sqlite_errorname, "-", error)
        print("waited for 30 s:", perf_counter() - start > 29)
    second.execute("ROLLBACK")

    second.execute("BEGIN IMMEDIATE")  # reads what is true now, and nobody writes in between
    (books,) = second.execute("SELECT books FROM stock").fetchone()
    second.execute("UPDATE stock SET books = ?", [books - 1])
    second.execute("COMMIT")
    print("books:", *first.execute("SELECT books FROM stock").fetchone())
