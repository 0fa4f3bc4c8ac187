"""Count in several threads: they share one counter, with a lock around every step."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

VISITS = [f"page {number % 100}" for number in range(1_000_000)]  # put your own here
THREADS = 4
HITS = Counter[str]()
LOCK = Lock()


def count(visits: list[str]) -> None:
    for visit in visits:
        with LOCK:  # += reads, adds and writes: three steps
            HITS[visit] += 1


def main() -> None:
    shares = [VISITS[number::THREADS] for number in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(count, shares))
    print(f"{HITS.total()} visits of {len(HITS)} pages")


if __name__ == "__main__":
    main()
