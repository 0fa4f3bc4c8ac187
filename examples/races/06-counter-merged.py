"""Count in each thread separately, and add up at the end: threads share nothing."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)


def count(visits: int) -> dict:
    hits = {}
    for _ in range(visits):
        hits["home"] = hits.get("home", 0) + 1
    return hits


def main() -> None:
    with timed():
        hits = Counter()
        with ThreadPoolExecutor(WORKERS) as pool:
            for part in pool.map(count, share_out(VISITS)):
                hits.update(part)
        report(VISITS, "visits", VISITS - hits["home"])


if __name__ == "__main__":
    main()
