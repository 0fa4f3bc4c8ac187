"""A share of the arrays for each thread, and BLAS on one thread: as many threads as cores."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tasks import SHARES, WORKERS, describe, handle_share, timed
from threadpoolctl import threadpool_limits


def main() -> None:
    with threadpool_limits(1), ThreadPoolExecutor(WORKERS) as pool, timed():
        print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
