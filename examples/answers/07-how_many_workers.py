"""How many workers? One for each core that this program may use, by its affinity and its quota."""

import os
from concurrent.futures import ProcessPoolExecutor
from math import ceil
from multiprocessing import get_context
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container: docker run --cpus, limits in Kubernetes
ITEMS = range(40)  # put your own here


def count_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # Linux has it
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    if QUOTA.exists():
        quota, period = QUOTA.read_text().split()
        if quota != "max":
            cores = min(cores, ceil(int(quota) / int(period)))
    return cores


def compute(item: int) -> int:
    return sum(number * item % 7 for number in range(200_000))  # put your own work here


def main() -> None:
    workers = count_cores()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(compute, ITEMS))
    print(f"{len(results)} results by {workers} processes on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
