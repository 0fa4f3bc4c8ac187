"""Twenty pages asynchronously, each then again with a blocking client: the whole loop waits."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, fetch, fetch_async, page_urls, timed
from urllib3 import PoolManager


async def work(client: ClientSession, blocking: PoolManager, url: str) -> int:
    size = await fetch_async(client, url)
    return size + fetch(blocking, url)


async def main() -> None:
    urls = page_urls(20)
    with PoolManager() as blocking:
        async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
            sizes = await asyncio.gather(*(work(client, blocking, url) for url in urls))
    print(f"{len(sizes)} pages twice, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
