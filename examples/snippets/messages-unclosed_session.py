import asyncio
import aiohttp


async def main():
    aiohttp.ClientSession()  # never closed
    async with aiohttp.ClientSession():  # the cure
        pass


asyncio.run(main())
