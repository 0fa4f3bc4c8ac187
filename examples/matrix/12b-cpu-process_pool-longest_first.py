"""The pool of processes again, longest tasks first: none is left to finish alone at the end."""

from concurrent.futures import ProcessPoolExecutor

from tasks import NUMBERS, PROCESSES, count_cores, fib, timed


def main() -> None:
    with timed(), ProcessPoolExecutor(count_cores(), mp_context=PROCESSES) as pool:
        values = list(pool.map(fib, reversed(NUMBERS)))
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
