"""The waiting thread and the settings that the programs share.

Settings come from environment variables: TASKS, how many waits, or of the program that only computes
how many numbers (30); WORKERS, how many threads or processes compute (1); SWITCH_MS, the switch
interval in milliseconds (5, as by default); START_METHOD of processes (forkserver). Python 3.7 can
run it too.
"""

from __future__ import annotations

import multiprocessing
import os
from statistics import median
from time import perf_counter, sleep

TASKS = int(os.environ.get("TASKS", "30"))
WORKERS = int(os.environ.get("WORKERS", "1"))
INTERVAL_S = float(os.environ.get("SWITCH_MS", "5")) / 1000
PAUSE_S = 0.001
"""As long as the network may take for an answer."""

PROCESSES = multiprocessing.get_context(os.environ.get("START_METHOD", "forkserver"))


def fib(n: int) -> int:
    """The n-th Fibonacci number, computed the slow way on purpose."""
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)


def wait_often() -> None:
    """Wait again and again for the same short time; print how much later than that it went on."""
    late_s = []
    start = perf_counter()
    for _ in range(TASKS):
        begin = perf_counter()
        sleep(PAUSE_S)
        late_s.append(perf_counter() - begin - PAUSE_S)
    whole_s = perf_counter() - start
    print(f"{TASKS} waits")
    print(f"late {1000 * median(late_s):.3f} ms\nlatest {1000 * max(late_s):.3f} ms")
    print(f"time {whole_s:.6f} s")
