"""A server that allows 20 requests at once, and the clients that ask it.

Settings come from environment variables: TASKS, how many requests are sent (200); REQUEST_MS that the
server takes to answer one (50).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Semaphore
from time import sleep

from tasks import read_setting

REQUESTS = range(read_setting("TASKS", 200))
REQUEST_S = read_setting("REQUEST_MS", 50) / 1000
LIMIT = 20
_places = Semaphore(LIMIT)


def send(_: int) -> int:
    """Send a request with a blocking client; return the status: 200, or 429 if there are too many."""
    if not _places.acquire(blocking=False):
        return 429
    sleep(REQUEST_S)
    _places.release()
    return 200


async def send_async(_: int) -> int:
    """Send a request with a client for asyncio; return the status as ``send`` does."""
    if not _places.acquire(blocking=False):
        return 429
    await asyncio.sleep(REQUEST_S)
    _places.release()
    return 200


def report(statuses: Sequence[int]) -> str:
    """How many requests were sent, and how many of them the server refused."""
    return f"{len(statuses)} requests\nfailed {statuses.count(429)} units"
