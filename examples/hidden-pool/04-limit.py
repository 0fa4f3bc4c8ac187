"""Let fewer slow calls start than the default pool has threads: some stay free."""

import asyncio

from tasks import LIMIT, TASKS, call, look_up, report, timed


async def call_in_turn(limit: asyncio.Semaphore) -> int:
    async with limit:
        return await asyncio.to_thread(call)


async def main() -> None:
    limit = asyncio.Semaphore(LIMIT)
    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(call_in_turn(limit)) for _ in range(TASKS)]
        waited_s = await look_up()
    print(report([one.result() for one in calls], waited_s))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
