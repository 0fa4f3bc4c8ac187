"""Tickets of a hundred days in a single thread: the event loop waits for many days at once."""

import asyncio

from tasks import WORKERS, describe, find_cheapest_async, list_days, make_client_async, timed


async def main() -> None:
    free = asyncio.Semaphore(WORKERS)

    async def work(client, day: str) -> int:
        async with free:
            return await find_cheapest_async(client, day)

    async with make_client_async(WORKERS) as client:
        with timed():
            days = list_days()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(work(client, day)) for day in days]
            print(describe([task.result() for task in tasks]))


if __name__ == "__main__":
    asyncio.run(main())
