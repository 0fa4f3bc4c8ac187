"""Wait for a connection in the loop, and take a thread only once there is one."""

import asyncio

from tasks import CONNECTIONS, TASKS, connect, look_up, query, report, timed


async def ask(connections: asyncio.Queue) -> str:
    connection = await connections.get()  # waits without a thread
    try:
        return await asyncio.to_thread(query, connection)
    finally:
        connections.put_nowait(connection)


async def main() -> None:
    connections = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connections.put_nowait(connect())
    async with asyncio.TaskGroup() as group:
        titles = [group.create_task(ask(connections)) for _ in range(TASKS)]
        waited_s = await look_up()
    print(report([one.result() for one in titles], waited_s))
    while not connections.empty():
        connections.get_nowait().close()


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
