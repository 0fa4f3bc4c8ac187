"""All requests as tasks, and a semaphore that lets in as many as the server allows."""

import asyncio

from limited import LIMIT, REQUESTS, report, send_async
from tasks import timed


async def main() -> None:
    limit = asyncio.Semaphore(LIMIT)

    async def send_politely(number: int) -> int:
        async with limit:
            return await send_async(number)

    with timed():
        statuses = await asyncio.gather(*map(send_politely, REQUESTS))
        print(report(statuses))


if __name__ == "__main__":
    asyncio.run(main())
