"""Give processes a big table: each loads it once, when it starts."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

ITEMS = range(50)  # put your own here
TABLE: dict[int, str] = {}


def load() -> dict[int, str]:
    """Load the table: put your own here."""
    return {number: f"name {number}" for number in range(100_000)}


def prepare() -> None:
    """Fill the table: each process of the pool calls this once, when it starts."""
    TABLE.update(load())


def look_up(item: int) -> str:
    """Use the table: put your own work here."""
    return TABLE[item * 1_999]


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=prepare) as pool:
        results = list(pool.map(look_up, ITEMS))
    print(f"{len(results)} results, the last {results[-1]!r}")


if __name__ == "__main__":
    main()
