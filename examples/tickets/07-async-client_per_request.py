"""Tickets of a hundred days in a single thread, but a new client for each day: over TLS every client
loads the trusted certificates again and stops the event loop while it does."""

import asyncio

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from tasks import TIMEOUT_S, TLS, WORKERS, list_days, make_context, read_prices, timed


async def find_cheapest(free: asyncio.Semaphore, url: str) -> int:
    async with free:
        connector = TCPConnector(ssl=make_context() if TLS else True)  # many make one unasked
        async with (
            ClientSession(connector=connector, timeout=ClientTimeout(TIMEOUT_S)) as client,
            client.get(url) as response,
        ):
            response.raise_for_status()
            return min(read_prices(await response.read()))


async def main() -> None:
    free = asyncio.Semaphore(WORKERS)
    days = list_days()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(find_cheapest(free, day)) for day in days]
    prices = [task.result() for task in tasks]
    print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
