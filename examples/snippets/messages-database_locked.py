import sqlite3
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    first, second = (sqlite3.connect(f"{folder}/shop.db", timeout=0.1) for _ in range(2))
    first.execute("create table orders (price)")
    first.execute("insert into orders values (1)")  # begins a transaction
    try:
        second.execute("insert into orders values (2)")
    except sqlite3.OperationalError as error:
        print(f"{type(error).__name__}: {error}")
    first.commit()  # the cure: keep transactions short
    second.execute("insert into orders values (2)")
    second.commit()
