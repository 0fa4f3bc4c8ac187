"""Find a race with a test: start threads together, switch often, repeat."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Barrier, Lock

THREADS, ROUNDS = 8, 500


class Cache:
    def __init__(self, lock):
        self.lock, self.values = lock, {}

    def get(self, key, create):
        with self.lock:
            if key not in self.values:  # without a lock, several threads get here
                self.values[key] = create()
            return self.values[key]


def ask(cache, barrier):
    barrier.wait()  # all threads go on from here together
    return cache.get("table", lambda: [number**2 for number in range(2000)])


def find_race(lock):
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            tables = pool.map(ask, [Cache(lock)] * THREADS, [Barrier(THREADS)] * THREADS)
            if len({id(table) for table in tables}) > 1:
                return "two threads got different tables"
    return "no race found"


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    print("Without a lock:", find_race(nullcontext()))
    print("With a lock:", find_race(Lock()))
