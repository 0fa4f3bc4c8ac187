"""One core is allowed: the formula of Gunicorn's documentation, as its example has it."""

import multiprocessing

from tasks import PROCESSES, allow_one_core, compute


def main() -> None:
    allow_one_core()
    workers = multiprocessing.cpu_count() * 2 + 1
    ready = PROCESSES.Barrier(workers + 1)
    with PROCESSES.Pool(workers, ready.wait) as pool:
        ready.wait()
        compute(pool, workers)


if __name__ == "__main__":
    main()
