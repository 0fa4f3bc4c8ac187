"""A thread computes in one long call and keeps the GIL: the event loop gets no turn."""

import asyncio
from time import perf_counter


async def tick() -> None:
    for _ in range(5):
        await asyncio.sleep(0.01)


async def main() -> None:
    ticker = asyncio.create_task(tick())
    await asyncio.to_thread(sum, range(30_000_000))
    print("all ticks came" if ticker.done() else "ticks were missed")
    await ticker


if __name__ == "__main__":
    start = perf_counter()
    asyncio.run(main())
    print(f"time {perf_counter() - start:.6f} s")
