"""A share of the pieces for each thread: in parallel as far as the C function lets go of the GIL."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tasks import SHARES, WORKERS, describe, handle_share, timed


def main() -> None:
    with ThreadPoolExecutor(WORKERS) as pool, timed():
        print(describe(sum(pool.map(handle_share, SHARES), Counter())))


if __name__ == "__main__":
    main()
