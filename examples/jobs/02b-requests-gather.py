"""All requests at once: the server refuses those above its limit."""

import asyncio

from limited import REQUESTS, report, send_async
from tasks import timed


async def main() -> None:
    with timed():
        statuses = await asyncio.gather(*map(send_async, REQUESTS))
        print(report(statuses))


if __name__ == "__main__":
    asyncio.run(main())
