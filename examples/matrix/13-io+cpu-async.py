"""Ten pages, a computation after each, all in the event loop: while it computes, nobody waits."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import NUMBER, TIMEOUT_S, fetch_async, fib, page_urls, timed


async def work(client: ClientSession, url: str) -> tuple[int, int]:
    size = await fetch_async(client, url)
    return size, fib(NUMBER)


async def main() -> None:
    urls = page_urls(10)
    async with (
        ClientSession(timeout=ClientTimeout(TIMEOUT_S)) as client,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(work(client, url)) for url in urls]
    sizes, values = zip(*(task.result() for task in tasks), strict=True)
    print(f"{len(sizes)} pages, {sum(sizes)} bytes, Fibonacci sum {sum(values)}")


if __name__ == "__main__":
    with timed():
        asyncio.run(main())
