"""Many connections in little memory: 20 workers share the URLs, and nothing is kept once it is done."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
WORKERS = 20
TIMEOUT = aiohttp.ClientTimeout(total=30)


def list_urls() -> Iterator[str]:
    for number in range(1000):  # put your own here
        yield f"{SERVER}/?bytes=100000&page={number}"


async def work(client: aiohttp.ClientSession, urls: Iterator[str], totals: Counter[str]) -> None:
    for url in urls:
        try:
            async with client.get(url) as response:
                response.raise_for_status()
                async for piece in response.content.iter_chunked(65536):
                    totals["bytes"] += len(piece)  # write it to a file or a database
        except (aiohttp.ClientError, TimeoutError):
            totals["errors"] += 1


async def main() -> None:
    urls, totals = list_urls(), Counter[str]()
    async with aiohttp.ClientSession(timeout=TIMEOUT) as client, asyncio.TaskGroup() as workers:
        for _ in range(WORKERS):
            workers.create_task(work(client, urls, totals))
    print(f"{totals['bytes']} bytes, {totals['errors']} errors")


if __name__ == "__main__":
    asyncio.run(main())
