"""Count only the cores that this program may use, by affinity and quota: a worker for each."""

import os
from contextlib import suppress
from math import ceil
from multiprocessing import active_children, get_context
from pathlib import Path
from time import perf_counter

GROUP = Path("/sys/fs/cgroup")
QUOTAS = [["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]]  # cgroup v2, v1


def usable_cores() -> int:
    cores = len(os.sched_getaffinity(0))  # since Python 3.13 also os.process_cpu_count()
    for files in QUOTAS:
        with suppress(OSError):  # not this version, or no quota
            quota, period = " ".join((GROUP / file).read_text() for file in files).split()
            if quota not in ("max", "-1"):
                cores = min(cores, ceil(int(quota) / int(period)))
    return cores


def main() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # as in a container with one core
    workers = usable_cores()
    with get_context("forkserver").Pool(workers) as pool:
        print(f"sum {sum(pool.map(abs, range(-100, 0)))}")
        crowded = len(active_children()) > len(os.sched_getaffinity(0))
    print("more workers than cores" if crowded else "a core for each worker")


if __name__ == "__main__":
    start = perf_counter()
    main()
    print(f"time {perf_counter() - start:.6f} s")
