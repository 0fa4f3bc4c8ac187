"""Report each visit to a single counting thread: only the queue is shared."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)
END = None

seen = Queue(maxsize=1000)


def watch(visits: int) -> None:
    for _ in range(visits):
        seen.put("home")


def count() -> Counter:
    return Counter(iter(seen.get, END))


def main() -> None:
    with timed():
        with ThreadPoolExecutor(1) as counting:
            counted = counting.submit(count)
            try:
                with ThreadPoolExecutor(WORKERS) as pool:
                    list(pool.map(watch, share_out(VISITS)))
            finally:
                seen.put(END)
        report(VISITS, "visits", VISITS - counted.result()["home"])


if __name__ == "__main__":
    main()
