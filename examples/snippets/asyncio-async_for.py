import asyncio
from contextlib import aclosing
from time import perf_counter


async def pages(count):
    try:
        for number in range(count):
            await asyncio.sleep(0.1)  # the next page is on its way
            yield number
    finally:
        print("connection closed")


async def main():
    start = perf_counter()
    async with aclosing(pages(100)) as found:
        async for number in found:
            print(f"page {number} after {perf_counter() - start:.1f} s")
            if number == 2:
                break


asyncio.run(main())
