"""The blocking call waits in its own thread, and the event loop goes on."""

import asyncio
import time

ticks: list[int] = []


async def tick() -> None:
    for number in range(5):
        await asyncio.sleep(0.01)
        ticks.append(number)


async def main() -> None:
    ticker = asyncio.create_task(tick())
    await asyncio.to_thread(time.sleep, 0.3)  # a client that knows nothing of asyncio
    print(f"{len(ticks)} of 5 ticks came meanwhile")
    await ticker


if __name__ == "__main__":
    start = time.perf_counter()
    asyncio.run(main())
    print(f"time {time.perf_counter() - start:.6f} s")
