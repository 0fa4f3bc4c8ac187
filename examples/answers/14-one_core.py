"""One core only: asyncio overlaps the waits, and what has to be computed is computed in between."""

import asyncio
import os
from hashlib import pbkdf2_hmac

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(600)]  # put your own here
LIMIT = 50


def compute(page: bytes) -> str:
    return pbkdf2_hmac("sha256", page, b"salt", 2000).hex()  # put your own work here


async def main() -> None:
    limit, results, errors = asyncio.Semaphore(LIMIT), {}, {}

    async def work(url: str) -> None:
        try:
            async with limit, client.get(url) as response:
                response.raise_for_status()
                results[url] = compute(await response.read())
        except (aiohttp.ClientError, TimeoutError) as error:
            errors[url] = error

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as client:
        await asyncio.gather(*(work(url) for url in URLS))
    print(f"{len(results)} results, {len(errors)} errors")


if __name__ == "__main__":
    asyncio.run(main())
