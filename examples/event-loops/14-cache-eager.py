"""Eager tasks start at once and find what is cached without a turn of the loop."""

import asyncio

from cache import look_up
from tasks import BATCHES, timed


async def main() -> None:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    found = 0
    for keys in map(range, BATCHES):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(look_up(key)) for key in keys]
        found += len([task.result() for task in tasks])
    print(f"{found} found")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
