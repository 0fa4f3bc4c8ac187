"""Await to_thread under gevent's patch: alone, and next to a timer that wakes the loop."""

from gevent import monkey

monkey.patch_all()

import asyncio
from time import perf_counter, sleep


async def call() -> str:
    start = perf_counter()
    async with asyncio.timeout(2):
        await asyncio.to_thread(sleep, 0.1)
    return "answered" if perf_counter() - start < 1 else "only when the timeout of 2 s fired"


async def main() -> None:
    print(f"alone: {await call()}")
    timer = asyncio.create_task(asyncio.sleep(0.3))
    print(f"next to a timer of 0.3 s: {await call()}")
    await timer


if __name__ == "__main__":
    asyncio.run(main())
