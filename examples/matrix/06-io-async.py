"""Thirty pages, all asked for at once in a single thread: the event loop waits for all of them."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, fetch_async, page_urls, timed


async def main() -> None:
    urls = page_urls(30)
    async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
        sizes = await asyncio.gather(*(fetch_async(client, url) for url in urls))
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
