"""The blocking call that the services share, and a hundred requests at once, without a network.

Settings come from environment variables: TASKS, how many calls the requests need in all (100); CALLS,
how many of them one request makes (1); CALL_MS that a call blocks (100); WORKERS, how many threads a
pool has that a program creates (100); POOL_SIZE, how many connections a database pool keeps (5) next to
ten more; POOL_TIMEOUT_MS that it lets a thread wait for one (30000).
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, sleep
from typing import Any

import httpx

TASKS = int(os.environ.get("TASKS", "100"))
CALLS = int(os.environ.get("CALLS", "1"))
CALL_S = float(os.environ.get("CALL_MS", "100")) / 1000
THREADS = int(os.environ.get("WORKERS", "100"))
POOL_SIZE = int(os.environ.get("POOL_SIZE", "5"))
POOL_TIMEOUT_S = float(os.environ.get("POOL_TIMEOUT_MS", "30000")) / 1000

callers: set[threading.Thread] = set()


def call() -> int:
    """Block for a while, as a library does that knows nothing of coroutines."""
    callers.add(threading.current_thread())
    sleep(CALL_S)
    return 1


async def send_requests(app: Any) -> list[int]:
    """Send all requests to an ASGI application at once; return their status codes."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        requests = [client.get("/") for _ in range(TASKS // CALLS)]
        return [response.status_code for response in await asyncio.gather(*requests)]


def report(statuses: Sequence[int]) -> str:
    """Return how many calls were asked for, in how many threads they ran, and what failed."""
    calls, failed = CALLS * len(statuses), len(statuses) - statuses.count(200)
    return f"{calls} calls\nthreads {len(callers)} units\nfailed {failed} units"


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
