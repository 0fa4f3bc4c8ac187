"""The heavy work of the services, their copies, and how load.py asks them.

Settings come from environment variables: HEAVY_MS that the heavy endpoint takes (120); STOP_MS after
which a copy is told to end (2000); WORKERS, how many threads, processes or copies there are (the
cores); START_METHOD of processes (forkserver). How many requests come, and how fast, load.py is told.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from time import sleep, thread_time

HOST = "127.0.0.1"
HEAVY_S = float(os.environ.get("HEAVY_MS", "120")) / 1000
STOP_S = float(os.environ.get("STOP_MS", "2000")) / 1000
START_S = 60
LOAD = [sys.executable, str(Path(__file__).with_name("load.py"))]
"""What puts a service under load, in a process of its own; takes the port."""

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


def compute() -> str:
    """Compute for HEAVY_MS of CPU time, which loads a fast machine as much as a slow one."""
    end_s = thread_time() + HEAVY_S
    while thread_time() < end_s:
        fib(10)
    return "heavy"


def wait() -> str:
    """Wait for HEAVY_MS in a call that blocks, such as an old driver of a database."""
    sleep(HEAVY_S)
    return "heavy"


async def put_under_load(port: int, *options: str) -> None:
    """Run load.py against the service, which goes on serving meanwhile."""
    load = await asyncio.create_subprocess_exec(*LOAD, *options, str(port))
    if status := await load.wait():
        raise SystemExit(status)


async def wait_for_end() -> None:
    """Wait until this process is told to end: with SIGTERM, by whoever has started it."""
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    await told.wait()


def run(serve: Callable[..., Coroutine], *arguments: object) -> None:
    """Run a service in the event loop of a process of its own."""
    asyncio.run(serve(*arguments))


@contextmanager
def serving(serve: Callable[..., Coroutine], copies: int, *arguments: object) -> Iterator[list]:
    """Processes with a copy of a service each, once each has told its queue that it is ready."""
    ready = PROCESSES.Queue()
    servers = [
        PROCESSES.Process(target=run, args=(serve, ready, *arguments)) for _ in range(copies)
    ]
    try:
        for server in servers:
            server.start()
        for _ in servers:
            ready.get(timeout=START_S)
        yield servers
    finally:
        for server in servers:
            server.terminate()
            server.join()


def end_under_load(copy: multiprocessing.Process, port: int) -> None:
    """Run load.py against a service, and tell one of its copies to end meanwhile."""
    telling = Timer(STOP_S, copy.terminate)
    telling.start()
    try:
        subprocess.run([*LOAD, str(port)], check=True)
    finally:
        telling.cancel()
