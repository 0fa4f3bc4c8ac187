"""Twenty pages asynchronously, each then again with a blocking client in a thread of a pool."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from aiohttp import ClientSession, ClientTimeout
from tasks import TIMEOUT_S, count_cores, page_urls, timed
from urllib3 import PoolManager

workers = min(32, count_cores() + 4)  # what ThreadPoolExecutor() takes since Python 3.13
pool = ThreadPoolExecutor(workers)
blocking = PoolManager(maxsize=workers)


def fetch_blocking(url: str) -> int:
    response = blocking.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


async def work(client: ClientSession, url: str) -> int:
    async with client.get(url) as response:
        response.raise_for_status()
        size = len(await response.read())
    return size + await asyncio.get_running_loop().run_in_executor(pool, fetch_blocking, url)


async def main() -> None:
    urls = page_urls(20)
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(work(client, url)) for url in urls]
    sizes = [task.result() for task in tasks]
    print(f"{len(sizes)} pages twice, {sum(sizes)} bytes")


if __name__ == "__main__":
    with pool, blocking, timed():
        asyncio.run(main())
