"""The pool of processes again, longest tasks first: none is left to finish alone at the end."""

from concurrent.futures import ProcessPoolExecutor

from tasks import NUMBERS, PROCESSES, count_cores, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


def main() -> None:
    cores = count_cores()
    ready = PROCESSES.Barrier(cores).wait  # none begins before all of them are there
    with ProcessPoolExecutor(cores, mp_context=PROCESSES, initializer=ready) as pool:
        list(pool.map(int, range(cores)))  # they start before the clock does
        with timed():
            values = list(pool.map(fib, reversed(NUMBERS)))
            print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
