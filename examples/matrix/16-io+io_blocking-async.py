"""Twenty pages asynchronously, each then again with a blocking client: the whole loop waits."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, page_urls, timed
from urllib3 import PoolManager


def fetch_blocking(client: PoolManager, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


async def work(client: ClientSession, blocking: PoolManager, url: str) -> int:
    async with client.get(url) as response:
        response.raise_for_status()
        size = len(await response.read())
    return size + fetch_blocking(blocking, url)


async def main(blocking: PoolManager) -> None:
    urls = page_urls(20)
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(work(client, blocking, url)) for url in urls]
    sizes = [task.result() for task in tasks]
    print(f"{len(sizes)} pages twice, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed(), PoolManager() as blocking:
        asyncio.run(main(blocking))
