"""Slow calls by to_thread, and a name lookup: both use the loop's own pool, and the lookup queues."""

import asyncio

from tasks import TASKS, call, look_up, report, timed


async def main() -> None:
    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(asyncio.to_thread(call)) for _ in range(TASKS)]
        waited_s = await look_up()
    print(report([one.result() for one in calls], waited_s))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
