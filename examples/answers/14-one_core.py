"""Use one core: asyncio overlaps the waits, and the program computes in between."""

import asyncio
import os
from hashlib import pbkdf2_hmac

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(600)]  # put your own here
LIMIT = 50
TIMEOUT = aiohttp.ClientTimeout(total=30)


def compute(page: bytes) -> str:
    return pbkdf2_hmac("sha256", page, b"salt", 2000).hex()  # put your own work here


async def work(client: aiohttp.ClientSession, limit: asyncio.Semaphore, url: str) -> str:
    async with limit, client.get(url) as response:
        response.raise_for_status()
        return compute(await response.read())


async def main() -> None:
    limit, connector = asyncio.Semaphore(LIMIT), aiohttp.TCPConnector(limit=LIMIT)
    async with aiohttp.ClientSession(connector=connector, timeout=TIMEOUT) as client:
        tasks = (work(client, limit, url) for url in URLS)
        results = await asyncio.gather(*tasks, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    print(
        f"{len(results) - len(errors)} results, {len(errors)} errors", *map(repr, errors), sep="\n"
    )


if __name__ == "__main__":
    asyncio.run(main())
