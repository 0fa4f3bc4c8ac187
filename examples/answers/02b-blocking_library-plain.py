"""Call a blocking library right in a coroutine: the event loop stands still during each call."""

import asyncio
import os

import requests  # the library that blocks: put your own here

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?wait=1&page={number}" for number in range(80)]


async def call(url: str) -> str:
    response = requests.get(url, timeout=10)  # noqa: ASYNC210 - this is the mistake
    response.raise_for_status()
    return response.text


async def main() -> None:
    calls = (call(url) for url in URLS)
    results = await asyncio.gather(*calls, return_exceptions=True)
    errors = [result for result in results if isinstance(result, Exception)]
    print(f"{len(results) - len(errors)} answers, {len(errors)} errors")
    for error in errors:
        print(repr(error))


if __name__ == "__main__":
    asyncio.run(main())
