"""At most 500 tasks of asyncio at once: they wait at the same time, and the event loop computes in turn."""

import asyncio

from tasks import compute, count_workers, make_data, timed, wait_async


async def work(limit: asyncio.Semaphore, item: bytes) -> bytes:
    async with limit:
        await wait_async()
        return compute(item)


async def main(data: list[bytes]) -> None:
    limit = asyncio.Semaphore(count_workers(500))
    results = await asyncio.gather(*(work(limit, item) for item in data))
    print(f"{len(results)} results")


if __name__ == "__main__":
    data = make_data()
    with timed():
        asyncio.run(main(data))
