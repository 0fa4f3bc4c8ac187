"""Fifteen sums in a pool of sixteen processes: every core computes, whatever the GIL says."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tasks import NUMBERS, START_METHOD, WORKERS, calc, summary, timed


def main() -> None:
    processes = get_context(START_METHOD)
    ready = processes.Barrier(WORKERS).wait  # none begins before all of them are there
    with ProcessPoolExecutor(WORKERS, mp_context=processes, initializer=ready) as pool:
        list(pool.map(int, range(WORKERS)))  # they start before the clock does
        with timed():
            sums = list(pool.map(calc, NUMBERS))
            print(summary(sums))


if __name__ == "__main__":
    main()
