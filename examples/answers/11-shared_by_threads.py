"""Count in several threads: each has its own counter, and the program merges them at the end."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

VISITS = [f"page {number % 100}" for number in range(1_000_000)]  # put your own here
THREADS = 4


def count(visits: list[str]) -> Counter[str]:
    """Return the counts of a share: nothing is shared, so there is no lock and nothing to lose."""
    hits = Counter[str]()
    for visit in visits:
        hits[visit] += 1
    return hits


def main() -> None:
    shares = [VISITS[number::THREADS] for number in range(THREADS)]
    hits = Counter[str]()
    with ThreadPoolExecutor(THREADS) as pool:
        for part in pool.map(count, shares):
            hits.update(part)
    print(f"{hits.total()} visits of {len(hits)} pages")


if __name__ == "__main__":
    main()
