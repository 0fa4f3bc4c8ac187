"""What the programs of this folder do: serve, and ask the server that they have started.

Settings come from environment variables: TASKS, the number of requests (400); CLIENTS, how many of
them are under way at once (20); WORKERS, the number of copies (the cores); WAIT_MS that an answer
waits for something else (5); FIBONACCI, the number that it then computes (26); START_METHOD of
processes (forkserver).
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from aiohttp import ClientSession, ClientTimeout, TCPConnector

HOST = "127.0.0.1"
TIMEOUT_S = 60
CLIENTS = int(os.environ.get("CLIENTS", "20"))
WAIT_S = float(os.environ.get("WAIT_MS", "5")) / 1000
NUMBER = int(os.environ.get("FIBONACCI", "26"))
TASKS = int(os.environ.get("TASKS", "400"))

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def count_cores() -> int:
    """Cores that this process may use; fewer than the machine has under an affinity."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WORKERS = int(os.environ.get("WORKERS") or count_cores())


def fib(n: int) -> int:
    """The n-th Fibonacci number, computed the slow way on purpose."""
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)


@contextmanager
def serving(run: Callable[..., None], copies: int, *arguments: int) -> Iterator[int]:
    """Processes that ``run`` servers: the port, once each of them has told it to its queue."""
    ready = PROCESSES.Queue()
    servers = [
        PROCESSES.Process(target=run, args=(ready, *arguments), daemon=True) for _ in range(copies)
    ]
    try:
        for server in servers:
            server.start()
        ports = {ready.get(timeout=TIMEOUT_S) for _ in servers}
        yield ports.pop()
    finally:
        for server in servers:
            server.terminate()
            server.join()


def ask(port: int) -> str:
    """Ask TASKS times, CLIENTS at once, each time over a new connection; tell what came back."""
    answers = asyncio.run(fetch_all(f"http://{HOST}:{port}/"))
    (answer,) = set(answers)
    return f"{len(answers)} answers, each {answer}"


async def fetch_all(url: str) -> list[str]:
    async with ClientSession(
        connector=TCPConnector(limit=CLIENTS, force_close=True), timeout=ClientTimeout(TIMEOUT_S)
    ) as client:

        async def fetch() -> str:
            async with client.get(url) as response:
                response.raise_for_status()
                return await response.text()

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(fetch()) for _ in range(TASKS)]
    return [task.result() for task in tasks]


@contextmanager
def timed() -> Iterator[None]:
    """Print how long the block took."""
    start = perf_counter()
    yield
    print(f"time {perf_counter() - start:.6f} s")
