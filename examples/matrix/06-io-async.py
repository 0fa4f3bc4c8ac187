"""Thirty pages, all asked for at once in a single thread: the event loop waits for all of them."""

import asyncio

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from tasks import TIMEOUT_S, TLS, make_context, page_urls, timed


async def fetch(client: ClientSession, url: str) -> int:
    async with client.get(url) as response:
        response.raise_for_status()
        return len(await response.read())


async def main() -> None:
    urls = page_urls(30)
    connector = TCPConnector(ssl=make_context() if TLS else True)
    async with (
        ClientSession(connector=connector, timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(fetch(client, url)) for url in urls]
    sizes = [task.result() for task in tasks]
    print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
