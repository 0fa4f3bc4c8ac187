"""Ask a database through a blocking driver in the event loop: each query stops the loop."""

import asyncio
import sqlite3
import time
from contextlib import closing


def connect() -> sqlite3.Connection:
    """Open a connection: put your own driver here."""
    connection = sqlite3.connect(":memory:")
    connection.create_function("wait", 0, lambda: time.sleep(0.05))  # makes a query slow
    return connection


CONNECTION = connect()


async def query(sql: str, *values: object) -> list[tuple]:
    return CONNECTION.execute(sql, values).fetchall()


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(query("SELECT ?, wait()", number)) for number in range(40)]
    print(f"{sum(len(task.result()) for task in tasks)} rows")


if __name__ == "__main__":
    with closing(CONNECTION):
        asyncio.run(main())
