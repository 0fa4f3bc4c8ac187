"""A quota of one core: as many processes as the control group grants."""

import os
from math import ceil

from quota import enter_quota, read_quota
from tasks import PROCESSES, compute


def main() -> None:
    enter_quota(1)
    workers = ceil(min(read_quota() or os.inf, len(os.sched_getaffinity(0))))
    ready = PROCESSES.Barrier(workers + 1)
    with PROCESSES.Pool(workers, ready.wait) as pool:
        ready.wait()
        compute(pool, workers)


if __name__ == "__main__":
    main()
