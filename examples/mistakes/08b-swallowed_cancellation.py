"""Catch only errors that a second attempt can fix: the timeout gets through and does its work."""

import asyncio
from time import perf_counter


async def ask() -> str:
    while True:
        try:
            return await asyncio.sleep(60, "the answer")  # the other side is silent
        except ConnectionError:
            print("no answer, asking again", flush=True)


async def main() -> None:
    start = perf_counter()
    try:
        async with asyncio.timeout(0.1):
            print(await ask())
    except TimeoutError:
        print(f"no answer in time, given up\ntime {perf_counter() - start:.6f} s")


if __name__ == "__main__":
    asyncio.run(main())
