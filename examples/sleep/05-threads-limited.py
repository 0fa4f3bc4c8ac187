"""Many waits in a pool of a given number of threads: that many overlap, the rest queue."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from tasks import LATENCIES, WORKERS, timed, wait


def main() -> None:
    ready = Barrier(WORKERS).wait  # none begins before all of them are there
    with ThreadPoolExecutor(WORKERS, initializer=ready) as pool:
        list(pool.map(int, range(WORKERS)))  # they start before the clock does
        with timed():
            waits = list(pool.map(wait, LATENCIES))
            print(f"{len(waits)} waits")


if __name__ == "__main__":
    main()
