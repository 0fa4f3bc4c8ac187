"""The rows to a process pool, in chunks: the parent reads, parses and pickles all of them."""

import csv
from concurrent.futures import ProcessPoolExecutor

from table import FIELDS, ROWS, charge, table
from tasks import PROCESSES, WORKERS, timed


def main() -> None:
    with table() as path, timed(), path.open(encoding="utf-8", newline="") as file:
        with ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
            rows = csv.DictReader(file, FIELDS)
            cents = sum(pool.map(charge, rows, chunksize=1000))
        print(f"{ROWS} orders, {cents} cents")


if __name__ == "__main__":
    main()
