"""Give processes a big table: send it with every task."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

ITEMS = range(50)  # put your own here


def load() -> dict[int, str]:
    """Load the table: put your own here."""
    return {number: f"name {number}" for number in range(100_000)}


def look_up(table: dict[int, str], item: int) -> str:
    """Use the table: put your own work here."""
    return table[item * 1_999]


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        results = list(pool.map(partial(look_up, load()), ITEMS))
    print(f"{len(results)} results, the last {results[-1]!r}")


if __name__ == "__main__":
    main()
