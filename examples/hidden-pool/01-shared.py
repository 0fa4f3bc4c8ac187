"""Run slow calls and a name lookup in the loop's default pool: the lookup queues."""

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
