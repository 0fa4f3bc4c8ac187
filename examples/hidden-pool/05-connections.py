"""More threads than connections: most hold a place in the pool to wait for one."""

import asyncio
from queue import Queue

from tasks import CONNECTIONS, TASKS, connect, look_up, query, report, timed


def ask(connections: Queue) -> str:
    connection = connections.get()  # waits in the thread
    try:
        return query(connection)
    finally:
        connections.put(connection)


async def main() -> None:
    connections = Queue()
    for _ in range(CONNECTIONS):
        connections.put(connect())
    async with asyncio.TaskGroup() as group:
        titles = [group.create_task(asyncio.to_thread(ask, connections)) for _ in range(TASKS)]
        waited_s = await look_up()
    print(report([one.result() for one in titles], waited_s))
    while not connections.empty():
        connections.get().close()


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
