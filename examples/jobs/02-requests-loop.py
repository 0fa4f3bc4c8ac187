"""An await in a loop: each request begins when the one before it is answered."""

import asyncio

from limited import REQUESTS, report, send_async
from tasks import timed


async def main() -> None:
    with timed():
        statuses = [await send_async(number) for number in REQUESTS]
        print(report(statuses))


if __name__ == "__main__":
    asyncio.run(main())
