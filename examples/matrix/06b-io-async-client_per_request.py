"""Thirty pages at once, but a new client for each: no connection is ever used twice."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, fetch_async, page_urls, timed


async def work(url: str) -> int:
    async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
        return await fetch_async(client, url)


async def main() -> None:
    sizes = await asyncio.gather(*(work(url) for url in page_urls(30)))
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
