"""Fetch 1,000 URLs: one client, at most 100 requests in flight, a time limit, two more tries."""

import asyncio
import os

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(1000)]  # put your own here
LIMIT = 100
TIMEOUT = aiohttp.ClientTimeout(total=30)
PAUSES_S = (1, 4)


async def get(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> str:
    async with limit, client.get(url) as response:
        response.raise_for_status()
        return await response.text(errors="replace")


async def fetch(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> str:
    for pause_s in PAUSES_S:
        try:
            return await get(client, limit, url)
        except (aiohttp.ClientError, TimeoutError):
            await asyncio.sleep(pause_s)
    return await get(client, limit, url)


async def main() -> None:
    limit, connector = asyncio.Semaphore(LIMIT), aiohttp.TCPConnector(limit=LIMIT)
    async with aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as client:
        fetches = (fetch(client, limit, url) for url in URLS)
        pages = await asyncio.gather(*fetches, return_exceptions=True)
    errors = [page for page in pages if isinstance(page, BaseException)]
    print(f"{len(pages) - len(errors)} pages, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    asyncio.run(main())
