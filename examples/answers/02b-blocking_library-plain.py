"""Call a blocking library directly in a coroutine: each call stops the event loop."""

import asyncio
import os

import requests  # the library that blocks: put your own here

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(80)]


async def call(url: str) -> str:
    response = requests.get(url, timeout=10)  # noqa: ASYNC210 - this is the mistake
    response.raise_for_status()
    return response.text


async def main() -> None:
    calls = (call(url) for url in URLS)
    answers = await asyncio.gather(*calls, return_exceptions=True)
    errors = [answer for answer in answers if isinstance(answer, BaseException)]
    print(
        f"{len(answers) - len(errors)} answers, {len(errors)} errors", *map(repr, errors), sep="\n"
    )


if __name__ == "__main__":
    asyncio.run(main())
