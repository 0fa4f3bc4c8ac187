"""Sums of squares, a thread for each."""

from concurrent.futures import ThreadPoolExecutor

from tasks import LIMITS, add_squares, describe, timed


def main() -> None:
    with timed(), ThreadPoolExecutor(len(LIMITS)) as pool:
        print(describe(list(pool.map(add_squares, LIMITS))))


if __name__ == "__main__":
    main()
