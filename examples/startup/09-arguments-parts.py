"""Each worker is handed the rows that it works on, and no others."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, TASKS, make_table, timed


def main() -> None:
    rows = list(make_table().values())
    parts = [rows[number::TASKS] for number in range(TASKS)]
    with timed(), ProcessPoolExecutor(TASKS, PROCESSES) as pool:
        total = sum(pool.map(sum, parts))
        print(f"the rows add up to {total}")


if __name__ == "__main__":
    main()
