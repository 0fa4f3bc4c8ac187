"""The pool of threads again, longest tasks first: with the GIL the order changes nothing."""

from concurrent.futures import ThreadPoolExecutor

from tasks import NUMBERS, count_cores, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


def main() -> None:
    workers = min(32, count_cores() + 4)  # what ThreadPoolExecutor() takes since Python 3.13
    with ThreadPoolExecutor(workers) as pool, timed():
        values = list(pool.map(fib, reversed(NUMBERS)))
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
