"""Ask a database through a blocking driver in an async service: its own threads, a connection in each."""

import asyncio
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from contextvars import copy_context

CONNECTIONS = 8  # as many as the database allows you
POOL = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="database")
THREAD, OPENED = threading.local(), ExitStack()


def connect() -> sqlite3.Connection:
    """Open a connection: put your own driver here."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)  # another thread closes it
    connection.create_function("wait", 0, lambda: time.sleep(0.05))  # makes a query slow
    return connection


def execute(sql: str, values: tuple) -> list[tuple]:
    if not hasattr(THREAD, "connection"):  # the first query of this thread
        THREAD.connection = OPENED.enter_context(closing(connect()))
    return THREAD.connection.execute(sql, values).fetchall()


async def query(sql: str, *values: object) -> list[tuple]:
    loop, context = asyncio.get_running_loop(), copy_context()  # for request ids in the log
    return await loop.run_in_executor(POOL, context.run, execute, sql, values)


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(query("SELECT ?, wait()", number)) for number in range(40)]
    print(f"{sum(len(task.result()) for task in tasks)} rows")


if __name__ == "__main__":
    with OPENED, POOL:  # closes the pool, then the connections
        asyncio.run(main())
