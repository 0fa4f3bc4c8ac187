"""Fetch 1,000 URLs: one client, at most 100 requests in flight, a time limit, errors collected."""

import asyncio
import os

import aiohttp

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(1000)]  # put your own here
LIMIT = 100
TIMEOUT = aiohttp.ClientTimeout(total=30)


async def main() -> None:
    limit, pages, errors = asyncio.Semaphore(LIMIT), {}, {}

    async def fetch(url: str) -> None:
        try:
            async with limit, client.get(url) as response:
                response.raise_for_status()
                pages[url] = await response.text(errors="replace")
        except (aiohttp.ClientError, TimeoutError) as error:
            errors[url] = error

    async with aiohttp.ClientSession(timeout=TIMEOUT) as client:
        await asyncio.gather(*(fetch(url) for url in URLS))
    print(f"{len(pages)} pages, {len(errors)} errors")
    for url, error in errors.items():
        print(f"{url}: {error!r}")


if __name__ == "__main__":
    asyncio.run(main())
