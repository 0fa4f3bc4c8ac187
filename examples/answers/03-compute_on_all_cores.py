"""Compute on all cores: a process pool takes the items in chunks."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

ITEMS = range(0, 600_000, 3_000)  # put your own here


def compute(start: int) -> int:
    """Count the primes among 3,000 numbers: put your own work here."""
    found = 0
    for number in range(max(start, 2), start + 3_000):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        results = list(pool.map(compute, ITEMS, chunksize=5))
    print(f"{len(results)} results, sum {sum(results)}")


if __name__ == "__main__":  # without this line, each process would run main, too
    main()
