"""Ask glibc to give free pages back after the work."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, THREADS, answer, report, timed


def main() -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(answer, range(TASKS)))
    ctypes.CDLL(None).malloc_trim(0)
    print(report(results))


if __name__ == "__main__":
    with timed():
        main()
