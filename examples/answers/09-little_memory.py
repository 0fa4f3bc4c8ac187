"""Many connections in little memory: 20 workers share the URLs, and nothing is kept that is done."""

import asyncio
import os
from collections.abc import Iterator

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = (f"{SERVER}/?bytes=100000&page={number}" for number in range(1000))  # put your own here
WORKERS = 20


async def work(client: aiohttp.ClientSession, urls: Iterator[str], found: dict[str, int]) -> None:
    for url in urls:
        try:
            async with client.get(url) as response:
                response.raise_for_status()
                async for piece in response.content.iter_chunked(65536):
                    found["bytes"] += len(piece)  # write it to a file or a database
        except (aiohttp.ClientError, TimeoutError):
            found["errors"] += 1


async def main() -> None:
    found = {"bytes": 0, "errors": 0}
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as client:
        await asyncio.gather(*(work(client, URLS, found) for _ in range(WORKERS)))
    print(f"{found['bytes']} bytes, {found['errors']} errors")


if __name__ == "__main__":
    asyncio.run(main())
