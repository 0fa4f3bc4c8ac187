"""Thirty pages at once, but a new client for each: every client loads the trusted certificates again,
over plain HTTP too, and stops the event loop while it does."""

import asyncio

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from tasks import TIMEOUT_S, make_context, page_urls, timed


async def fetch(url: str) -> int:
    connector = TCPConnector(ssl=make_context())  # many clients do this unasked
    async with (
        ClientSession(connector=connector, timeout=ClientTimeout(TIMEOUT_S)) as client,
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
