"""Fifteen coroutines, gathered: without an await inside, each runs to its end before the next."""

import asyncio

from tasks import NUMBERS, calc, summary, timed


async def work(x: int) -> int:
    return calc(x)


async def main() -> None:
    sums = await asyncio.gather(*(work(x) for x in NUMBERS))
    print(summary(sums))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
