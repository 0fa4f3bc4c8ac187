"""A quota of one core: as many processes as the process may use cores, of which no quota is known."""

import os

from quota import enter_quota
from tasks import PROCESSES, compute


def main() -> None:
    enter_quota(1)
    workers = len(os.sched_getaffinity(0))  # since Python 3.13 os.process_cpu_count() says it too
    ready = PROCESSES.Barrier(workers + 1)
    with PROCESSES.Pool(workers, ready.wait) as pool:
        ready.wait()
        compute(pool, workers)


if __name__ == "__main__":
    main()
