"""Next to threads inside one long C call, which hold the GIL until the call returns."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from tasks import INTERVAL_S, WORKERS, wait_often

done = Event()


def compute() -> None:
    while not done.is_set():
        sum(range(1_000_000))


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
