import asyncio
from time import perf_counter


async def save(page):
    await asyncio.sleep(0.2)  # the network
    return page


async def main():
    start = perf_counter()
    for page in ("news", "tea", "weather"):
        await save(page)
    print(f"await in a plain loop: {perf_counter() - start:.1f} s")

    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        for page in ("news", "tea", "weather"):
            group.create_task(save(page))
    print(f"tasks of a group: {perf_counter() - start:.1f} s")


asyncio.run(main())
