"""The same thread next to computing threads: it waits for the GIL before it can go on."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tasks import INTERVAL_S, WORKERS, fib, wait_often

done = Event()


def compute() -> None:
    while not done.is_set():
        fib(15)


def main() -> None:
    sys.setswitchinterval(INTERVAL_S)
    with ThreadPoolExecutor(WORKERS) as pool:
        computing = [pool.submit(compute) for _ in range(WORKERS)]
        try:
            wait_often()
        finally:
            done.set()
        for one in computing:
            one.result()


if __name__ == "__main__":
    main()
