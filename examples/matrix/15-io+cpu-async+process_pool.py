"""Ten pages, a computation after each in a process: the loop waits, the cores compute."""

import asyncio
from concurrent.futures import Executor, ProcessPoolExecutor

from aiohttp import ClientSession, ClientTimeout
from tasks import NUMBER, PROCESSES, TIMEOUT_S, count_cores, fetch_async, fib, page_urls, timed


async def work(client: ClientSession, pool: Executor, url: str) -> tuple[int, int]:
    size = await fetch_async(client, url)
    return size, await asyncio.get_running_loop().run_in_executor(pool, fib, NUMBER)


async def main() -> None:
    urls = page_urls(10)
    PROCESSES.set_forkserver_preload(["aiohttp"])  # imported once, not by each worker
    with ProcessPoolExecutor(count_cores(), mp_context=PROCESSES) as pool:
        async with ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client:
            results = await asyncio.gather(*(work(client, pool, url) for url in urls))
    sizes, values = zip(*results, strict=True)
    print(f"{len(sizes)} pages, {sum(sizes)} bytes, Fibonacci sum {sum(values)}")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
