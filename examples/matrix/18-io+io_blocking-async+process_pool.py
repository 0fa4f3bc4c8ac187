"""Twenty pages asynchronously, each then again with a blocking client in a pool of processes."""

import asyncio
from concurrent.futures import Executor, ProcessPoolExecutor

from aiohttp import ClientSession, ClientTimeout
from tasks import PROCESSES, TIMEOUT_S, count_cores, fetch, fetch_async, page_urls, timed
from urllib3 import PoolManager

blocking = PoolManager()  # every process imports this module and so has a client of its own


def fetch_blocking(url: str) -> int:
    return fetch(blocking, url)


async def work(client: ClientSession, pool: Executor, url: str) -> int:
    size = await fetch_async(client, url)
    return size + await asyncio.get_running_loop().run_in_executor(pool, fetch_blocking, url)


async def main() -> None:
    urls = page_urls(20)
    PROCESSES.set_forkserver_preload(["aiohttp", "urllib3"])  # imported once, not by each worker
    with ProcessPoolExecutor(count_cores(), mp_context=PROCESSES) as pool:
        async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
            sizes = await asyncio.gather(*(work(client, pool, url) for url in urls))
    print(f"{len(sizes)} pages twice, {sum(sizes)} bytes")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
