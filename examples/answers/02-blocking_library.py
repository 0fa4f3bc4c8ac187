"""Call a blocking library from asyncio: in threads of a pool that no one else uses."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import requests  # the library that blocks: put your own here

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?wait=1&page={number}" for number in range(80)]
POOL = ThreadPoolExecutor(max_workers=40, thread_name_prefix="library")


def call(url: str) -> str:
    response = requests.get(url, timeout=10)
    response.raise_for_status()
    return response.text


async def call_in_thread(url: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(POOL, call, url)


async def main() -> None:
    calls = (call_in_thread(url) for url in URLS)
    results = await asyncio.gather(*calls, return_exceptions=True)
    errors = [result for result in results if isinstance(result, Exception)]
    print(f"{len(results) - len(errors)} answers, {len(errors)} errors")
    for error in errors:
        print(repr(error))


if __name__ == "__main__":
    asyncio.run(main())
