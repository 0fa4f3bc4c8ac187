"""Thousands of waits in asyncio, for code that you can rewrite: a task for each wait."""

import asyncio
import os
import resource

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
COUNT = int(os.environ.get("TASKS", "2000"))
URLS = [f"{SERVER}/?page={number}" for number in range(COUNT)]  # put your own here
TIMEOUT = aiohttp.ClientTimeout(total=60)


async def call(client: aiohttp.ClientSession, url: str) -> str:
    async with client.get(url) as response:
        return await response.text()


async def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # each connection is an open file,
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10_240), hard))  # and often 1,024 may be
    connector = aiohttp.TCPConnector(limit=COUNT)
    async with aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as client:
        calls = (call(client, url) for url in URLS)
        pages = await asyncio.gather(*calls, return_exceptions=True)
    errors = [page for page in pages if isinstance(page, BaseException)]
    print(f"{len(pages) - len(errors)} pages, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    asyncio.run(main())
