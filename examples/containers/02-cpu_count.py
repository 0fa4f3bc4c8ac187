"""One core is allowed: as many processes as the machine has cores, by os.cpu_count()."""

import os

from tasks import PROCESSES, allow_one_core, compute


def main() -> None:
    allow_one_core()
    workers = os.cpu_count() or 1
    ready = PROCESSES.Barrier(workers + 1)
    with PROCESSES.Pool(workers, ready.wait) as pool:
        ready.wait()
        compute(pool, workers)


if __name__ == "__main__":
    main()
