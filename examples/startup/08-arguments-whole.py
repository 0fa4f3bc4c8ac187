"""Each worker is handed the whole table: forked it has it already, otherwise it gets a copy."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, TASKS, make_table, timed

table: dict[str, int] = {}


def receive(handed: dict[str, int]) -> None:
    table.update(handed)


def add_up(part: int) -> int:
    return sum(list(table.values())[part::TASKS])


def main() -> None:
    rows = make_table()
    pool = ProcessPoolExecutor(TASKS, PROCESSES, initializer=receive, initargs=(rows,))
    with timed(), pool:
        total = sum(pool.map(add_up, range(TASKS)))
        print(f"the rows add up to {total}")


if __name__ == "__main__":
    main()
