"""The event loop waits for up to 500 tasks at once; a process for each core computes."""

import asyncio
from concurrent.futures import Executor, ProcessPoolExecutor

from tasks import PROCESSES, compute, count_cores, count_workers, make_data, timed, wait_async

WORKERS = count_workers(count_cores())


async def work(limit: asyncio.Semaphore, pool: Executor, item: bytes) -> bytes:
    async with limit:
        await wait_async()
        return await asyncio.get_running_loop().run_in_executor(pool, compute, item)


async def main(pool: Executor, data: list[bytes]) -> None:
    limit = asyncio.Semaphore(500)
    results = await asyncio.gather(*(work(limit, pool, item) for item in data))
    print(f"{len(results)} results")


if __name__ == "__main__":
    data = make_data()
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as executor:
        asyncio.run(main(executor, data))
