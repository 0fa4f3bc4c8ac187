"""Ten pages, a computation after each, all in the event loop: a computation stops all the waiting."""

import asyncio

from aiohttp import ClientSession, ClientTimeout
from tasks import NUMBER, TIMEOUT_S, page_urls, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


async def work(client: ClientSession, url: str) -> tuple[int, int]:
    async with client.get(url) as response:
        response.raise_for_status()
        size = len(await response.read())
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
