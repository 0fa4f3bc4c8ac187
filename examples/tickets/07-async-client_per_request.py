"""Tickets of a hundred days in a single thread, but a new client for each day: over TLS every one
loads the trusted certificates anew, and the event loop stands still while it does."""

import asyncio

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from tasks import (
    TIMEOUT_S,
    TLS,
    WORKERS,
    describe,
    find_cheapest_async,
    list_days,
    make_context,
    timed,
)


async def work(day: str, free: asyncio.Semaphore) -> int:
    async with free:
        connector = TCPConnector(ssl=make_context() if TLS else True)  # many make one unasked
        async with ClientSession(connector=connector, timeout=ClientTimeout(TIMEOUT_S)) as client:
            return await find_cheapest_async(client, day)


async def main() -> None:
    free = asyncio.Semaphore(WORKERS)
    days = list_days()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(day, free)) for day in days]
    print(describe([task.result() for task in tasks]))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
