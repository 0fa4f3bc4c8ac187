"""The machine is described as it is, keeps its id, and grants the cores that it has, real ones first."""

import dataclasses
import os
import re
import sys
from pathlib import Path

import pytest

from poolwise.machine import (
    Cache,
    Machine,
    describe_machine,
    make_machine_id,
    read_quota,
    usable_cores,
)

GIB = 1 << 30
CPUS = "sys/devices/system/cpu"

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="/proc and /sys are Linux's")


def write(root: Path, files: dict[str, str]) -> None:
    """Write each text into the file of that name below ``root``, as /proc and /sys have them."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


@pytest.fixture
def root(tmp_path):
    """A machine of 4 logical CPUs: 2 cores of 2 threads each, ids 0 and 2 on the first."""
    write(
        tmp_path,
        {
            "proc/cpuinfo": "processor\t: 0\n"
            "model name\t: Intel(R) Core(TM) i5-4210U CPU @ 1.7GHz\n"
            "flags\t\t: fpu vme\n\nprocessor\t: 1",
            "proc/self/cgroup": "0::/user.slice/session",
            f"{CPUS}/cpu0/cpufreq/scaling_governor": "powersave",
            f"{CPUS}/intel_pstate/no_turbo": "0",
        },
    )
    for cpu in range(4):
        first, last = (f"{CPUS}/cpu{cpu}/cache/index{index}" for index in (0, 3))
        write(
            tmp_path,
            {
                f"{CPUS}/cpu{cpu}/topology/physical_package_id": "0",
                f"{CPUS}/cpu{cpu}/topology/core_id": str(cpu % 2),
                f"{first}/level": "1",
                f"{first}/type": "Data",
                f"{first}/size": "32K",
                f"{first}/shared_cpu_list": f"{cpu % 2},{cpu % 2 + 2}",
                f"{last}/level": "3",
                f"{last}/type": "Unified",
                f"{last}/size": "3072K",
                f"{last}/shared_cpu_list": "0-3",
            },
        )
    return tmp_path


@pytest.fixture
def four_cpus(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})


@linux_only
@pytest.mark.usefixtures("four_cpus")
def test_processor_is_described_from_proc_and_sys(root):
    machine = describe_machine(root)
    assert machine.cpu_model == "Intel(R) Core(TM) i5-4210U CPU @ 1.7GHz"
    assert (machine.physical_cores, machine.smt) == (2, 2)
    assert (machine.governor, machine.frequency_boost) == ("powersave", True)
    assert machine.caches == (
        Cache(name="L1d", size_bytes=32 << 10, instances=2),
        Cache(name="L3", size_bytes=3 << 20, instances=1),
    )
    assert (machine.virtualisation, machine.hypervisor) == ("none", None)
    assert machine.affinity == (0, 1, 2, 3)


@linux_only
@pytest.mark.parametrize(
    ("name", "told", "is_on"),
    [
        ("cpufreq/boost", "0", False),
        ("cpufreq/boost", "1", True),
        ("intel_pstate/no_turbo", "1", False),
    ],
)
def test_a_boost_that_is_off_is_told_as_off(tmp_path, name, told, is_on):
    write(tmp_path, {f"{CPUS}/{name}": told})
    assert describe_machine(tmp_path).frequency_boost is is_on


@linux_only
def test_what_cannot_be_read_is_none_and_not_guessed(tmp_path):
    machine = describe_machine(tmp_path)
    unknown = [
        *("cpu_model", "physical_cores", "smt", "frequency_boost", "governor"),
        *("quota_cores", "cgroup", "virtualisation", "hypervisor", "container"),
    ]
    assert {name: getattr(machine, name) for name in unknown} == dict.fromkeys(unknown)
    assert machine.caches == ()


def change(machine: Machine, **changes: object) -> Machine:
    return dataclasses.replace(machine, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "is_another"),
    [
        ({"kernel": "9.9"}, False),
        ({"cpu_mhz": 1.0}, False),
        ({"memory_bytes": 24 * GIB - (700 << 20)}, False),
        ({"cpu_model": "another"}, True),
        ({"affinity": (7,)}, True),
        ({"governor": "performance!"}, True),
        ({"memory_bytes": 999 * GIB}, True),
        ({"cpu_signature": "cpu family 999, model 2, stepping 1"}, True),
        ({"caches": (Cache(name="L1d", size_bytes=7 << 10, instances=2),)}, True),
    ],
)
def test_id_tells_machines_and_limits_apart_and_survives_what_changes_between_boots(
    changes, is_another
):
    machine = change(describe_machine(), memory_bytes=24 * GIB - (600 << 20))
    machine = change(machine, id=make_machine_id(machine))
    assert machine.has_own_id
    assert change(machine, **changes).has_own_id is not is_another


X86 = "processor: 0\ncpu family: 26\nmodel: 2\nmodel name: AMD EPYC\nstepping: 1\n"
ARM = "processor: 0\nCPU implementer: 0x41\nCPU variant: 0x3\nCPU part: 0xd0c\nCPU revision: 1\n"


@pytest.mark.parametrize(
    ("cpuinfo", "signature"),
    [
        (X86, "cpu family 26, model 2, stepping 1"),
        (ARM, "CPU implementer 0x41, CPU part 0xd0c, CPU variant 0x3, CPU revision 1"),
        ("processor: 0\nmodel name: AMD EPYC\n", None),
    ],
)
def test_what_a_processor_says_of_its_design_is_told_and_nothing_is_guessed(
    tmp_path, cpuinfo, signature
):
    write(tmp_path, {"proc/cpuinfo": cpuinfo})
    assert describe_machine(tmp_path).cpu_signature == signature


def test_id_reads_well():
    machine = change(
        describe_machine(),
        cpu_model="Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz",
        logical_cores=4,
        affinity=(0, 1, 2, 3),
        quota_cores=None,
        memory_bytes=16 * GIB - 1,
        system="Linux",
        hypervisor="KVM",
    )
    assert make_machine_id(machine)[:-6] == "intel-xeon-platinum-8370c-4c-16g-linux-kvm-"


@pytest.mark.parametrize(
    ("limits", "granted", "told"),
    [
        ({"affinity": (0, 1, 2, 3), "quota_cores": None}, None, "-4c-"),
        ({"affinity": (0, 1, 2, 3), "quota_cores": 8.0}, None, "-4c-"),
        ({"affinity": (2,), "quota_cores": None}, 1, "-1of4c-"),
        ({"affinity": None, "quota_cores": 0.5}, 0.5, "-0-5of4c-"),
    ],
)
def test_a_machine_limited_by_affinity_or_quota_says_so_in_its_id(limits, granted, told):
    machine = change(describe_machine(), logical_cores=4, **limits)
    assert machine.granted_cores == granted
    assert told in make_machine_id(machine)
    assert re.fullmatch(r"[a-z0-9-]+", make_machine_id(machine))


@linux_only
@pytest.mark.usefixtures("four_cpus")
def test_first_cores_are_physical_ones(root):
    assert usable_cores(root) == (0, 1, 2, 3)
    for cpu, core in enumerate("0011"):
        write(root, {f"{CPUS}/cpu{cpu}/topology/core_id": core})
    assert usable_cores(root) == (0, 2, 1, 3)


@linux_only
@pytest.mark.usefixtures("four_cpus")
@pytest.mark.parametrize(("quota", "count"), [("max", 4), ("250000", 2), ("50000", 1)])
def test_quota_limits_the_cores(root, quota, count):
    write(root, {"sys/fs/cgroup/user.slice/cpu.max": f"{quota} 100000"})
    assert len(usable_cores(root)) == count


@pytest.mark.parametrize(
    ("limits", "quota"),
    [
        ({"user.slice/cpu.max": "max 100000"}, (None, "v2")),
        ({"user.slice/cpu.max": "1 2", "user.slice/session/cpu.max": "3 2"}, (0.5, "v2")),
        ({"user.slice/cpu.max": "3 2", "user.slice/session/cpu.max": "1 2"}, (0.5, "v2")),
        ({"cpu,cpuacct/cpu.cfs_quota_us": "4", "cpu,cpuacct/cpu.cfs_period_us": "2"}, (2.0, "v1")),
    ],
)
def test_the_strictest_quota_of_either_version_counts(root, limits, quota):
    groups = "4:cpu,cpuacct:/docker/ab\n3:cpuset:/docker/ab\n0::/user.slice/session"
    write(root, {"proc/self/cgroup": groups})
    write(root, {f"sys/fs/cgroup/{name}": text for name, text in limits.items()})
    assert read_quota(root) == quota
