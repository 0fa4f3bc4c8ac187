"""Let all threads share two arenas, as MALLOC_ARENA_MAX=2 in the environment does."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, THREADS, answer, report, timed

M_ARENA_MAX = -8  # from malloc.h


def main() -> None:
    ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)  # before the first thread starts
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(answer, range(TASKS)))
    print(report(results))


if __name__ == "__main__":
    with timed():
        main()
