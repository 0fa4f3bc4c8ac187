"""Next to threads that hash in C and release the GIL meanwhile."""

import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Event

from tasks import INTERVAL_S, WORKERS, wait_often

BLOCK = bytes(1_000_000)

done = Event()


def compute() -> None:
    while not done.is_set():
        sha256(BLOCK)


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
