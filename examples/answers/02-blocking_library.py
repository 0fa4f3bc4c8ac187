"""Call a blocking library from asyncio: in a thread pool that nothing else uses."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import requests  # the library that blocks: put your own here

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(80)]
POOL = ThreadPoolExecutor(max_workers=40, thread_name_prefix="library")


def call(url: str) -> str:
    response = requests.get(url, timeout=10)
    response.raise_for_status()
    return response.text


async def call_in_thread(url: str) -> str:
    loop, context = asyncio.get_running_loop(), copy_context()  # request ids, tracing
    return await loop.run_in_executor(POOL, context.run, call, url)


async def main() -> None:
    calls = (call_in_thread(url) for url in URLS)
    answers = await asyncio.gather(*calls, return_exceptions=True)
    errors = [answer for answer in answers if isinstance(answer, BaseException)]
    print(
        f"{len(answers) - len(errors)} answers, {len(errors)} errors", *map(repr, errors), sep="\n"
    )


if __name__ == "__main__":
    asyncio.run(main())
