"""Programs are given the cores that we may use, real ones first, and no more than is granted."""

import os
import sys
from pathlib import Path

import pytest

from scripts.harness.machine import read_quota, usable_cores
from tests.harness.tree import CPUS, write

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="/proc and /sys are Linux's")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine of 4 logical CPUs: 2 cores of 2 threads each, ids 0 and 2 on the first."""
    write(tmp_path, {"proc/self/cgroup": "0::/user.slice/session"})
    for cpu in range(4):
        topology = f"{CPUS}/cpu{cpu}/topology"
        write(
            tmp_path, {f"{topology}/physical_package_id": "0", f"{topology}/core_id": str(cpu % 2)}
        )
    return tmp_path


@pytest.fixture
def four_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})


@linux_only
@pytest.mark.usefixtures("four_cpus")
def test_first_cores_are_physical_ones(root: Path) -> None:
    assert usable_cores(root) == (0, 1, 2, 3)
    for cpu, core in enumerate("0011"):
        write(root, {f"{CPUS}/cpu{cpu}/topology/core_id": core})
    assert usable_cores(root) == (0, 2, 1, 3)


@linux_only
def test_affinity_limits_the_cores(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 3})
    assert usable_cores(root) == (1, 3)


@linux_only
@pytest.mark.usefixtures("four_cpus")
@pytest.mark.parametrize(("quota", "count"), [("max", 4), ("250000", 2), ("50000", 1)])
def test_quota_limits_the_cores(root: Path, quota: str, count: int) -> None:
    write(root, {"sys/fs/cgroup/user.slice/cpu.max": f"{quota} 100000"})
    assert len(usable_cores(root)) == count


@pytest.mark.parametrize(("inner", "outer"), [(150000, 250000), (250000, 150000)])
def test_of_two_quotas_the_strictest_counts(root: Path, inner: int, outer: int) -> None:
    write(
        root,
        {
            "sys/fs/cgroup/user.slice/cpu.max": f"{outer} 100000",
            "sys/fs/cgroup/user.slice/session/cpu.max": f"{inner} 100000",
        },
    )
    assert read_quota(root) == (1.5, "v2")


def test_quota_of_version_1_is_read(root: Path) -> None:
    write(
        root,
        {
            "proc/self/cgroup": "4:cpu,cpuacct:/docker/ab\n3:cpuset:/docker/ab\n0::/",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "200000",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000",
        },
    )
    assert read_quota(root) == (2.0, "v1")
