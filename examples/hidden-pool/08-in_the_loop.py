"""Query in the loop itself, one after another: nothing else gets a turn."""

import asyncio
from contextlib import closing
from sqlite3 import Connection

from tasks import TASKS, connect, look_up, query, report, timed


async def ask(connection: Connection) -> str:
    return query(connection)


async def main() -> None:
    with closing(connect()) as connection:
        async with asyncio.TaskGroup() as group:
            titles = [group.create_task(ask(connection)) for _ in range(TASKS)]
            waited_s = await look_up()
    print(report([one.result() for one in titles], waited_s))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
