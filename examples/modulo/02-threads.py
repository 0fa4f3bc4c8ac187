"""Fifteen sums in a pool of sixteen threads: under the GIL they take turns, and gain nothing."""

from concurrent.futures import ThreadPoolExecutor

from tasks import NUMBERS, WORKERS, calc, summary, timed


def main() -> None:
    with ThreadPoolExecutor(WORKERS) as pool, timed():
        sums = list(pool.map(calc, NUMBERS))
        print(summary(sums))


if __name__ == "__main__":
    main()
