import sqlite3
from contextlib import closing
from tempfile import TemporaryDirectory


def connect(path):
    return closing(sqlite3.connect(path, timeout=0.1, isolation_level=None))


with TemporaryDirectory() as folder:
    for journal in ("delete", "wal"):
        path = f"{folder}/{journal}.db"
        with connect(path) as writer, connect(path) as reader:
            writer.execute(f"PRAGMA journal_mode={journal}")
            writer.execute("CREATE TABLE stock (books)")
            writer.execute("INSERT INTO stock VALUES (10)")
            writer.execute("BEGIN EXCLUSIVE")  # as while a commit is written
            writer.execute("UPDATE stock SET books = 9")
            try:
                (books,) = reader.execute("SELECT books FROM stock").fetchone()
                print(f"{journal}: {books} books")
            except sqlite3.OperationalError as error:
                print(f"{journal}: {error}")
            writer.execute("COMMIT")
