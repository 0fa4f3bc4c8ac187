"""Fifteen tasks in a group, which waits for all and cancels the rest if one fails: still in turn."""

import asyncio

from tasks import NUMBERS, calc, summary, timed


async def work(x: int) -> int:
    return calc(x)


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work(x)) for x in NUMBERS]
    print(summary([task.result() for task in tasks]))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
