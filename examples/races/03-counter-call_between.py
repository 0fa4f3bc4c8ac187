"""Count in four threads without a lock, with a call between read and store."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)

hits = {"home": 0}


def count(visits: int) -> None:
    for _ in range(visits):
        hits["home"] = hits.get("home", 0) + 1


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(count, share_out(VISITS)))
        report(VISITS, "visits", VISITS - hits["home"])


if __name__ == "__main__":
    main()
