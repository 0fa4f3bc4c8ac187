"""One core is allowed: as many processes as the affinity has cores."""

import os

from tasks import PROCESSES, allow_one_core, compute


def main() -> None:
    allow_one_core()
    workers = len(os.sched_getaffinity(0))  # since Python 3.13 os.process_cpu_count() says it too
    ready = PROCESSES.Barrier(workers + 1)
    with PROCESSES.Pool(workers, ready.wait) as pool:
        ready.wait()
        compute(pool, workers)


if __name__ == "__main__":
    main()
