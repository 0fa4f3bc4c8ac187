"""Tickets of a hundred days in a single thread: the event loop waits for many days at once."""

import asyncio

from tasks import WORKERS, list_days, make_client_async, read_prices, timed


async def find_cheapest(client, free: asyncio.Semaphore, url: str) -> int:
    async with free, client.get(url) as response:
        response.raise_for_status()
        return min(read_prices(await response.read()))


async def main() -> None:
    free = asyncio.Semaphore(WORKERS)
    async with make_client_async(WORKERS) as client:
        with timed():
            days = list_days()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(find_cheapest(client, free, day)) for day in days]
            prices = [task.result() for task in tasks]
            print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    asyncio.run(main())
