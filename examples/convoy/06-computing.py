"""Threads that only compute: the price of switching more often."""

import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from tasks import INTERVAL_S, TASKS, WORKERS, fib


def main() -> None:
    sys.setswitchinterval(INTERVAL_S)
    start = perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        numbers = list(pool.map(fib, TASKS * [20]))
    print(f"{len(numbers)} numbers, each {numbers[0]}")
    print(f"time {perf_counter() - start:.6f} s")


if __name__ == "__main__":
    main()
