"""Thirty pages, asynchronously but awaited one by one: async alone makes nothing concurrent."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, page_urls, timed


async def fetch(client: ClientSession, url: str) -> int:
    async with client.get(url) as response:
        response.raise_for_status()
        return len(await response.read())


async def main() -> None:
    async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
        sizes = [await fetch(client, url) for url in page_urls(30)]
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
