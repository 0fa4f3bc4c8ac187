"""A share of the arrays for each process, and BLAS limited to one thread before it is loaded."""

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SHARES, WORKERS, describe, handle_share, timed, wake_up
from threadpoolctl import threadpool_limits


def main() -> None:
    with ProcessPoolExecutor(
        WORKERS, mp_context=PROCESSES, initializer=threadpool_limits, initargs=[1]
    ) as pool:
        list(pool.map(wake_up, range(WORKERS)))
        with timed():
            print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
