"""A table of orders in a temporary file, and a function for each row: TASKS is how many rows (800000)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tasks import read_setting

ROWS = read_setting("TASKS", 800_000)
FIELDS = ("order", "customer", "country", "cents", "quantity", "discount")
COUNTRIES = ("AT", "DE", "FR", "IT", "PL")


@contextmanager
def table() -> Iterator[Path]:
    """Write the table to a temporary file, and remove it at the end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "orders.csv"
        with path.open("w", encoding="utf-8") as file:
            for order in range(ROWS):
                customer, country = order % 977, COUNTRIES[order % 5]
                cents, quantity, discount = 100 + order % 9000, 1 + order % 7, order % 30
                file.write(f"{order},{customer},{country},{cents},{quantity},{discount}\n")
        yield path


def charge(row: dict[str, str]) -> int:
    """Return what an order costs, in cents."""
    full = int(row["cents"]) * int(row["quantity"])
    return full * (100 - int(row["discount"])) // 100
