"""A table that all tasks need, handed over once to each process, when it starts."""

from concurrent.futures import ProcessPoolExecutor

from tasks import BYTES, PROCESSES, TASKS, WORKERS, make, timed


def keep(given: list) -> None:
    global table  # noqa: PLW0603 - one for each process
    table = given


def look_up(number: int) -> str:
    return table[number % len(table)][1]


def main() -> None:
    initargs = (make(BYTES),)
    with ProcessPoolExecutor(WORKERS, PROCESSES, keep, initargs) as pool, timed():
        names = list(pool.map(look_up, range(TASKS)))
        print(f"{len(names)} names, the last {names[-1]!r}")


if __name__ == "__main__":
    main()
