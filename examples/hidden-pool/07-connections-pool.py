"""Give the database a separate pool, with a connection in each thread."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import local

from tasks import CONNECTIONS, TASKS, connect, look_up, query, report, timed

thread = local()


def open_connection(opened: ExitStack) -> None:
    thread.connection = opened.enter_context(closing(connect()))


def ask() -> str:
    return query(thread.connection)


async def main(database: ThreadPoolExecutor) -> None:
    loop = asyncio.get_running_loop()
    titles = [loop.run_in_executor(database, ask) for _ in range(TASKS)]
    waited_s = await look_up()
    print(report(await asyncio.gather(*titles), waited_s))


if __name__ == "__main__":
    with (
        timed(),
        ExitStack() as opened,  # closes the connections once all threads are done
        ThreadPoolExecutor(CONNECTIONS, "db", open_connection, (opened,)) as database,
    ):
        asyncio.run(main(database))
