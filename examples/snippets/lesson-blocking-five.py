import asyncio
from time import perf_counter, sleep


async def answer():
    sleep(0.2)  # a library that blocks


async def answer_in_a_thread():
    await asyncio.to_thread(sleep, 0.2)


async def measure(handler):
    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(handler())
    print(f"{handler.__name__}: {perf_counter() - start:.1f} s")


asyncio.run(measure(answer))
asyncio.run(measure(answer_in_a_thread))
