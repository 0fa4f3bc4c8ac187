"""The same with a larger default pool: the lookup queues once that is full too."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, THREADS, call, look_up, report, timed


async def main() -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(asyncio.to_thread(call)) for _ in range(TASKS)]
        waited_s = await look_up()
    print(report([one.result() for one in calls], waited_s))


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
