"""Fifteen tasks, all made before the first is awaited: none ever waits, so they run in turn."""

import asyncio

from tasks import NUMBERS, calc, summary, timed


async def work(x: int) -> int:
    return calc(x)


async def main() -> None:
    tasks = [asyncio.create_task(work(x)) for x in NUMBERS]
    sums = [await task for task in tasks]
    print(summary(sums))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
