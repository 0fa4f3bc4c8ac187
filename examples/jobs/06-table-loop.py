"""The rows in a loop, as they are read: one core works."""

import csv

from table import FIELDS, ROWS, charge, table
from tasks import timed


def main() -> None:
    with table() as path, timed(), path.open(encoding="utf-8", newline="") as file:
        cents = sum(map(charge, csv.DictReader(file, FIELDS)))
        print(f"{ROWS} orders, {cents} cents")


if __name__ == "__main__":
    main()
