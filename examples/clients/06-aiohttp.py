"""Fetch addresses with aiohttp: one ClientSession with as many connections as requests in flight."""

import asyncio

import aiohttp
from tasks import LIMIT, TIMEOUT_S, list_urls, report, timed, trust


async def fetch(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> bytes:
    async with limit, client.get(url) as response:
        response.raise_for_status()
        return await response.read()


async def main(urls: list[str]) -> None:
    limit = asyncio.Semaphore(LIMIT)
    connector = aiohttp.TCPConnector(limit=LIMIT, ssl=trust())
    timeout = aiohttp.ClientTimeout(TIMEOUT_S)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as client:
        bodies = await asyncio.gather(*(fetch(client, limit, url) for url in urls))
    print(report(bodies))


if __name__ == "__main__":
    addresses = list_urls()
    with timed():
        asyncio.run(main(addresses))
