"""Fifteen sums in a pool of sixteen interpreters: threads of one process, each with its own GIL."""

import os
from concurrent.futures import InterpreterPoolExecutor
from time import sleep

from tasks import NUMBERS, WORKERS, calc, summary, timed, wake_up


def main() -> None:
    go, begin = os.pipe()
    with InterpreterPoolExecutor(WORKERS, initializer=wake_up) as pool:
        first = [pool.submit(os.read, go, 1) for _ in range(WORKERS)]
        while not all(task.running() or task.done() for task in first):
            sleep(0.001)
        os.write(begin, WORKERS * b".")  # all interpreters are there, and read it
        with timed():
            sums = list(pool.map(calc, NUMBERS))
            print(summary(sums))


if __name__ == "__main__":
    main()
