import asyncio
from time import perf_counter

limit = asyncio.Semaphore(3)


async def fetch(_):
    async with limit:
        await asyncio.sleep(0.1)  # the request


async def main():
    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        for page in range(9):
            group.create_task(fetch(page))
    print(f"nine requests, three at a time: {perf_counter() - start:.1f} s")


asyncio.run(main())
