"""Report on a copy, which is made in one step, while another thread changes the table."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tasks import count_tasks, report, timed

REPORTS = count_tasks(3_000)

sent_bytes = dict.fromkeys(range(1000), 1500)
done = Event()


def open_and_close() -> None:
    while not done.is_set():
        for number in range(1000, 1100):
            sent_bytes[number] = 0
        for number in range(1000, 1100):
            del sent_bytes[number]


def add_up_all() -> int:
    failed = 0
    for _ in range(REPORTS):
        try:
            total = 0
            for sent in sent_bytes.copy().values():
                total += sent
        except RuntimeError:  # dictionary changed size during iteration
            failed += 1
    return failed


def main() -> None:
    with timed(), ThreadPoolExecutor(1) as pool:
        others = pool.submit(open_and_close)
        try:
            report(REPORTS, "reports", add_up_all())
        finally:
            done.set()
        others.result()


if __name__ == "__main__":
    main()
