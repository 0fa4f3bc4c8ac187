"""Twenty pages asynchronously, each then again with a blocking client in a pool of processes."""

import asyncio
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache

from aiohttp import ClientSession, ClientTimeout
from tasks import PROCESSES, TIMEOUT_S, count_cores, page_urls, timed
from urllib3 import PoolManager

get_client = cache(PoolManager)  # made when a process first asks for it, so each has its own


def fetch_blocking(url: str) -> int:
    response = get_client().request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


async def work(client: ClientSession, pool: Executor, url: str) -> int:
    async with client.get(url) as response:
        response.raise_for_status()
        size = len(await response.read())
    return size + await asyncio.get_running_loop().run_in_executor(pool, fetch_blocking, url)


async def main(pool: Executor) -> None:
    urls = page_urls(20)
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(work(client, pool, url)) for url in urls]
    print(f"{len(tasks)} pages twice, {sum(task.result() for task in tasks)} bytes")


if __name__ == "__main__":
    cores = count_cores()
    PROCESSES.set_forkserver_preload(["__main__", "aiohttp", "urllib3"])  # imported once
    ready = PROCESSES.Barrier(cores).wait  # none begins before all of them are there
    with ProcessPoolExecutor(cores, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(cores)))  # a service starts its workers before it serves
        with timed():
            asyncio.run(main(pool))
