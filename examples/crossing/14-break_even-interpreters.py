"""How long must a task be for an interpreter pool to be as fast as a plain loop?"""

from collections.abc import Callable
from concurrent.futures import InterpreterPoolExecutor
from time import perf_counter

from tasks import TASKS, WORKERS, compute, timed

LONGEST_S = 0.002
"""A task on which a pool that has not paid yet is given up: on a single core it never does."""
REPEATS = 3
"""Of each measurement the quickest counts: what else the machine does only adds to it."""


def measure(map_tasks: Callable, lengths: list[int]) -> float:
    """Seconds for each task."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        list(map_tasks(compute, lengths))
        times.append(perf_counter() - start)
    return min(times) / len(lengths)


def main() -> None:
    with timed(), InterpreterPoolExecutor(WORKERS) as pool:
        list(pool.map(compute, WORKERS * [1]))  # the interpreters run first
        length, alone_s, pooled_s, shorter_s = 0, 0.0, 1.0, 0.0
        while pooled_s >= alone_s and alone_s < LONGEST_S:
            length, shorter_s = length + length // 2 + 1, alone_s
            lengths = TASKS * [length]
            alone_s = measure(map, lengths)
            pooled_s = measure(pool.map, lengths)
        print(f"{TASKS} tasks of each length")
        if pooled_s < alone_s:
            print(f"pays_from {(shorter_s + alone_s) / 2 * 1e6:.1f} us")
        else:
            print(f"does not pay up to {alone_s * 1e6:.0f} us")


if __name__ == "__main__":
    main()
