"""Many tasks that sleep for a moment again and again, each time with a deadline."""

import asyncio

from tasks import DEADLINE_S, PAUSE_S, SLEEPERS, WAITS, split


async def wait_often(count: int) -> int:
    for _ in range(count):
        async with asyncio.timeout(DEADLINE_S):
            await asyncio.sleep(PAUSE_S)
    return count


async def wait() -> int:
    """All waits; how many there were."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(wait_often(count)) for count in split(WAITS, SLEEPERS)]
    return sum(task.result() for task in tasks)
