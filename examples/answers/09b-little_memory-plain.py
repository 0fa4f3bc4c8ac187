"""Many connections: a task for each URL, and all that they bring is kept until the end."""

import asyncio
import os

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?bytes=100000&page={number}" for number in range(1000)]  # put your own here


async def fetch(client: aiohttp.ClientSession, url: str) -> bytes:
    async with client.get(url) as response:
        response.raise_for_status()
        return await response.read()


async def main() -> None:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as client:
        pages = await asyncio.gather(*(fetch(client, url) for url in URLS), return_exceptions=True)
    found = [page for page in pages if isinstance(page, bytes)]
    print(f"{sum(map(len, found))} bytes, {len(pages) - len(found)} errors")


if __name__ == "__main__":
    asyncio.run(main())
