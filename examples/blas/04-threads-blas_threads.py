"""A share of the arrays for each thread, and nothing said: all of them want the threads of BLAS."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tasks import SHARES, WORKERS, describe, handle_share, timed


def main() -> None:
    with ThreadPoolExecutor(WORKERS) as pool, timed():
        print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
