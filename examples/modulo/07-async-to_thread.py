"""Fifteen sums handed to threads, the pool as it comes: the event loop is free, the GIL is not."""

import asyncio

from tasks import NUMBERS, calc, summary, timed


async def main() -> None:
    sums = await asyncio.gather(*(asyncio.to_thread(calc, x) for x in NUMBERS))
    print(summary(sums))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
