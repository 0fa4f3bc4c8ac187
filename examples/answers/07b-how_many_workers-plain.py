"""Compute with twice as many processes as cores, plus one: a rule for workers that mostly wait."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

ITEMS = range(40)  # put your own here


def compute(item: int) -> int:
    return sum(number * item % 7 for number in range(200_000))  # put your own work here


def main() -> None:
    workers = 2 * (os.cpu_count() or 1) + 1
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(compute, ITEMS))
    print(f"{len(results)} results, processes: {workers}")


if __name__ == "__main__":
    main()
