"""Make read, call and store one step, for all threads that take the same lock."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)

hits = {"home": 0}
lock = Lock()


def count(visits: int) -> None:
    for _ in range(visits):
        with lock:
            hits["home"] = hits.get("home", 0) + 1


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(count, share_out(VISITS)))
        report(VISITS, "visits", VISITS - hits["home"])


if __name__ == "__main__":
    main()
