"""Thirty pages at once, a new session for each, but the certificates are loaded once: each session
opens its own connection and never uses it again."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, page_urls, timed


async def fetch(url: str) -> int:
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        client.get(url) as response,
    ):
        response.raise_for_status()
        return len(await response.read())


async def main() -> None:
    urls = page_urls(30)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(fetch(url)) for url in urls]
    sizes = [task.result() for task in tasks]
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
