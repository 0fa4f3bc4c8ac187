"""Count in four threads without a lock: `+= 1` reads, adds and stores in three steps."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)

hits = {"home": 0}


def count(visits: int) -> None:
    for _ in range(visits):
        hits["home"] += 1


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(count, share_out(VISITS)))
        report(VISITS, "visits", VISITS - hits["home"])


if __name__ == "__main__":
    main()
