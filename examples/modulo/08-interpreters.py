"""Fifteen sums in a pool of sixteen interpreters: threads of one process, each with its own GIL."""

from concurrent.futures import InterpreterPoolExecutor

from tasks import NUMBERS, WORKERS, calc, summary, timed


def main() -> None:
    with timed(), InterpreterPoolExecutor(WORKERS) as pool:
        sums = list(pool.map(calc, NUMBERS))
        print(summary(sums))


if __name__ == "__main__":
    main()
