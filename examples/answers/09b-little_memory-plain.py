"""Many connections: a task for each URL, and every page is kept until the end."""

import asyncio
import os

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?bytes=100000&page={number}" for number in range(1000)]  # put your own here


async def fetch(client: aiohttp.ClientSession, url: str) -> bytes:
    async with client.get(url) as response:
        response.raise_for_status()
        return await response.read()


async def main() -> None:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as client:
        fetches = (fetch(client, url) for url in URLS)
        results = await asyncio.gather(*fetches, return_exceptions=True)
    pages = [page for page in results if isinstance(page, bytes)]
    print(f"{sum(map(len, pages))} bytes, {len(results) - len(pages)} errors")


if __name__ == "__main__":
    asyncio.run(main())
