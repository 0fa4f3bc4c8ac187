"""A separate task for each piece: every piece goes to a thread through a queue, however small it is."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from tasks import TASKS, WORKERS, describe, handle, make_piece, timed


def main() -> None:
    with ThreadPoolExecutor(WORKERS) as pool, timed():
        print(describe(Counter(pool.map(handle, repeat(make_piece(), TASKS)))))


if __name__ == "__main__":
    main()
