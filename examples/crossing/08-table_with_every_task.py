"""Send a table with every task: it is pickled once per task."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tasks import BYTES, PROCESSES, TASKS, WORKERS, make, timed


def look_up(table: list, number: int) -> str:
    return table[number % len(table)][1]


def main() -> None:
    table = make(BYTES)
    with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool, timed():
        names = list(pool.map(partial(look_up, table), range(TASKS)))
        print(f"{len(names)} names, the last {names[-1]!r}")


if __name__ == "__main__":
    main()
