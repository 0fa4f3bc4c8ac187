"""Compute with one process for each core that this program may use."""

import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from math import ceil
from multiprocessing import get_context
from pathlib import Path

GROUP = Path("/sys/fs/cgroup")  # a container's limit: docker run --cpus, limits in Kubernetes
QUOTAS = [["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]]  # control groups v2, v1
ITEMS = range(40)  # put your own here


def count_cores() -> int:
    if hasattr(os, "process_cpu_count"):  # Python 3.13: by affinity, or by PYTHON_CPU_COUNT
        cores = os.process_cpu_count() or 1
    elif hasattr(os, "sched_getaffinity"):  # Linux
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    for files in QUOTAS:
        with suppress(OSError):  # another version, or no quota
            quota, period = " ".join((GROUP / file).read_text() for file in files).split()
            if quota not in ("max", "-1"):
                cores = min(cores, ceil(int(quota) / int(period)))
    return cores


def compute(item: int) -> int:
    return sum(number * item % 7 for number in range(200_000))  # put your own work here


def main() -> None:
    workers = count_cores()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(compute, ITEMS))
    print(f"{len(results)} results, processes: {workers}")


if __name__ == "__main__":
    main()
