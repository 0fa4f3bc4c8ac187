"""Ten pages, a computation after each in a thread: the loop stays free, the GIL does not."""

import asyncio
from concurrent.futures import Executor, ThreadPoolExecutor

from aiohttp import ClientSession, ClientTimeout
from tasks import NUMBER, TIMEOUT_S, count_cores, page_urls, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


async def work(client: ClientSession, pool: Executor, url: str) -> tuple[int, int]:
    async with client.get(url) as response:
        response.raise_for_status()
        size = len(await response.read())
    return size, await asyncio.get_running_loop().run_in_executor(pool, fib, NUMBER)


async def main(pool: Executor) -> None:
    urls = page_urls(10)
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(work(client, pool, url)) for url in urls]
    sizes, values = zip(*(task.result() for task in tasks), strict=True)
    print(f"{len(sizes)} pages, {sum(sizes)} bytes, Fibonacci sum {sum(values)}")


if __name__ == "__main__":
    workers = min(32, count_cores() + 4)  # what ThreadPoolExecutor() takes since Python 3.13
    with ThreadPoolExecutor(workers) as pool, timed():  # closed when no loop has to wait for it
        asyncio.run(main(pool))
