"""Many waits, all begun at once in a single thread: the event loop sleeps until the first ends."""

import asyncio

from tasks import LATENCIES, timed


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        waits = [group.create_task(asyncio.sleep(latency)) for latency in LATENCIES]
    print(f"{len(waits)} waits")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
