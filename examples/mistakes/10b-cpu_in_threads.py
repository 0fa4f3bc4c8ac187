"""A process that computes has its own GIL, and the event loop keeps running."""

import asyncio
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter


async def tick() -> None:
    for _ in range(5):
        await asyncio.sleep(0.01)


async def main(pool: Executor) -> None:
    ticker = asyncio.create_task(tick())
    await asyncio.get_running_loop().run_in_executor(pool, sum, range(30_000_000))
    print("all ticks came" if ticker.done() else "ticks were missed")
    await ticker


if __name__ == "__main__":
    start = perf_counter()
    with ProcessPoolExecutor(mp_context=get_context("forkserver")) as pool:
        asyncio.run(main(pool))
    print(f"time {perf_counter() - start:.6f} s")
