"""Tickets of a hundred days in a single thread: the event loop waits for many days at once."""

import asyncio
from functools import partial

from tasks import WORKERS, describe, find_cheapest_async, list_days, make_client_async, timed


async def main() -> None:
    free = asyncio.Semaphore(WORKERS)

    async def work(client, day: str) -> int:
        async with free:
            return await find_cheapest_async(client, day)

    async with make_client_async(WORKERS) as client:
        with timed():
            prices = await asyncio.gather(*map(partial(work, client), list_days()))
            print(describe(prices))


if __name__ == "__main__":
    asyncio.run(main())
