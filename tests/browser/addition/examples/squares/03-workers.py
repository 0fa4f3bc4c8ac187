"""Sums of squares, a process for each."""

from concurrent.futures import ProcessPoolExecutor

from tasks import LIMITS, PROCESSES, add_squares, describe, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(len(LIMITS), mp_context=PROCESSES) as pool:
        print(describe(list(pool.map(add_squares, LIMITS))))


if __name__ == "__main__":
    main()
