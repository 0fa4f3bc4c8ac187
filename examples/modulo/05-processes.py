"""Fifteen sums in a pool of sixteen processes: every core computes, whatever the GIL says."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import set_start_method

from tasks import NUMBERS, START_METHOD, WORKERS, calc, summary, timed


def main() -> None:
    set_start_method(START_METHOD)  # the pool of Python 3.6 takes no context of its own
    with timed(), ProcessPoolExecutor(WORKERS) as pool:
        sums = list(pool.map(calc, NUMBERS))
        print(summary(sums))


if __name__ == "__main__":
    main()
