"""Many waits in a single thread, a given number at a time: a semaphore holds the others back."""

import asyncio

from tasks import LATENCIES, WORKERS, timed


async def work(limit: asyncio.Semaphore, latency: float) -> None:
    async with limit:
        await asyncio.sleep(latency)


async def main() -> None:
    limit = asyncio.Semaphore(WORKERS)
    async with asyncio.TaskGroup() as group:
        waits = [group.create_task(work(limit, latency)) for latency in LATENCIES]
    print(f"{len(waits)} waits")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
