"""Compute in threads, with the GIL and without: run this with python3.14 and with python3.14t."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

ITEMS = range(0, 450_000, 3_000)  # put your own here
CORES = getattr(os, "process_cpu_count", os.cpu_count)()  # Python 3.13 counts those it may use


def compute(start: int) -> int:
    """Count the primes among 3,000 numbers: put your own work here."""
    found = 0
    for number in range(max(start, 2), start + 3_000):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    with ThreadPoolExecutor(CORES) as pool:
        results = list(pool.map(compute, ITEMS))
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{len(results)} results, sum {sum(results)}, {'with' if has_gil else 'without'} the GIL")


if __name__ == "__main__":
    main()
