import os
from contextlib import suppress
from math import ceil
from pathlib import Path

GROUP = Path("/sys/fs/cgroup")
QUOTAS = [["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]]  # cgroup v2, v1


def usable_cores():
    cores = len(os.sched_getaffinity(0))
    for files in QUOTAS:
        with suppress(OSError):  # not this version, or no quota
            quota, period = " ".join((GROUP / file).read_text() for file in files).split()
            if quota not in ("max", "-1"):
                cores = min(cores, ceil(int(quota) / int(period)))
    return cores


print("os.cpu_count():", os.cpu_count())
print("usable_cores():", usable_cores())
