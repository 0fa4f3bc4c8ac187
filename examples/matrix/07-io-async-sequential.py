"""Thirty pages, asynchronously but awaited one by one: async alone makes nothing concurrent."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, fetch_async, page_urls, timed


async def main() -> None:
    async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
        sizes = [await fetch_async(client, url) for url in page_urls(30)]
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
