"""A task for each lookup in a cache: it starts at the loop's next turn, even if it never waits."""

import asyncio

from cache import look_up
from tasks import BATCHES, timed


async def main() -> None:
    found = 0
    for keys in map(range, BATCHES):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(look_up(key)) for key in keys]
        found += len([task.result() for task in tasks])
    print(f"{found} found")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
