"""Many waits in a single thread, by a given number of workers: each takes the next when it is free."""

import asyncio
from collections.abc import Iterator

from tasks import LATENCIES, WORKERS, timed


async def work(latencies: Iterator[float]) -> int:
    done = 0
    for latency in latencies:  # the others take from it as well
        await asyncio.sleep(latency)
        done += 1
    return done


async def main() -> None:
    latencies = iter(LATENCIES)
    async with asyncio.TaskGroup() as group:
        workers = [group.create_task(work(latencies)) for _ in range(WORKERS)]
    print(f"{sum(worker.result() for worker in workers)} waits")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
