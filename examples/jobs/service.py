"""The load of a service: small requests all the time, and now and then one for an image.

Settings come from environment variables: TASKS, how many small requests come, one every 10 ms (100);
IMAGE_MS of CPU time that an image takes (200). An image is asked for every 250 ms.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from statistics import median
from time import perf_counter, thread_time

from tasks import read_setting, timed

SMALL_REQUESTS = read_setting("TASKS", 100)
SMALL_EVERY_S = 0.01
IMAGE_S = read_setting("IMAGE_MS", 200) / 1000
IMAGE_EVERY_S = 0.25
IMAGES = max(1, int(SMALL_REQUESTS * SMALL_EVERY_S / IMAGE_EVERY_S))


def draw() -> int:
    """Draw an image in pure Python, which takes as much CPU time on a fast machine as on a slow one."""
    end_s = thread_time() + IMAGE_S
    pixels = 0
    while thread_time() < end_s:
        pixels += sum(number % 7 for number in range(100))
    return pixels


async def receive(count: int, every_s: float) -> AsyncIterator[float]:
    """Receive requests that come at fixed times; yield how late the loop has come to each."""
    start = perf_counter()
    for number in range(count):
        due = start + number * every_s
        await asyncio.sleep(due - perf_counter())
        yield perf_counter() - due


async def answer_small_requests() -> list[float]:
    return [late_s async for late_s in receive(SMALL_REQUESTS, SMALL_EVERY_S)]


async def serve(answer_image: Callable[[], Awaitable[int]]) -> None:
    """Answer small requests and requests for images; print how late half of the small ones were."""
    with timed():
        small = asyncio.create_task(answer_small_requests())
        async for _ in receive(IMAGES, IMAGE_EVERY_S):
            await answer_image()
        late_s = await small
        print(f"{len(late_s)} small requests\nlate {1000 * median(late_s):.3f} ms")
