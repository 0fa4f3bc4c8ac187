"""The machine: where programs run, described by the system itself, never by a guess."""

import hashlib
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import psutil
from msgspec import Meta

from poolwise.metrics import LONGEST_RUN_S

# A text that is or may become the name of a file, or a part of an address.
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+_-]*$(?!\n)", max_length=200)]
# As long as a text of a declaration may be: parameters go from there into records.
Line = Annotated[str, Meta(max_length=1000)]
Version = Annotated[
    str, Meta(pattern=r"^\d{1,3}\.\d{1,3}\.\d{1,3}[A-Za-z0-9.+-]*$(?!\n)", max_length=100)
]
Cores = Annotated[int, Meta(ge=1, le=8192)]  # at most as many as Linux can be built for
Cpu = Annotated[int, Meta(ge=0, lt=8192)]
Seconds = Annotated[float, Meta(gt=0, le=LONGEST_RUN_S)]  # how long a run took
Bytes = Annotated[int, Meta(ge=0, le=1 << 50)]


SYSTEM_ROOT = Path("/")
CPUS = "sys/devices/system/cpu"


def usable_cores(root: Path = SYSTEM_ROOT) -> tuple[int, ...]:
    """List the CPU ids that programs may be given: those of the affinity, as many as the quota grants.

    Physical cores come first and SMT siblings last, so that the first n are as many real cores
    as there are.
    """
    if sys.platform == "darwin":
        return tuple(range(os.cpu_count() or 1))
    taken: dict[object, int] = {}
    order = []
    for cpu in sorted(os.sched_getaffinity(0)):
        core = read_core(root, cpu) or cpu
        taken[core] = taken.get(core, 0) + 1
        order.append((taken[core], cpu))
    quota_cores, _ = read_quota(root)
    count = max(1, int(quota_cores or len(order)))
    return tuple(cpu for _, cpu in sorted(order)[:count])


def read_quota(root: Path = SYSTEM_ROOT) -> tuple[float | None, Literal["v1", "v2"] | None]:
    """CPUs' time granted by the strictest control group above us, and the version that said so."""
    base = root / "sys/fs/cgroup"
    strictest: float | None = None
    version: Literal["v1", "v2"] | None = None
    for line in (read_fact(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = base / controllers
        if not mount.exists():
            mount = base / "cpu"
        group = mount / path.strip("/")
        # In a container the path may be that of the host, and only the mount itself is there.
        for folder in (group, *group.parents):
            if folder.is_relative_to(mount) and (limit := _read_limit(folder)):
                version = "v1" if controllers else "v2"
                if limit != math.inf:
                    strictest = min(limit, strictest or limit)
    return strictest, version


def read_core(root: Path, cpu: int) -> tuple[str, str] | None:
    """Which package and core a logical CPU belongs to."""
    topology = root / CPUS / f"cpu{cpu}/topology"
    package, core = read_fact(topology / "physical_package_id"), read_fact(topology / "core_id")
    if package is None or core is None:
        return None
    return package, core


def read_fact(path: Path) -> str | None:
    """Read a file without the space around its text; ``None`` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _read_limit(folder: Path) -> float | None:
    """CPUs' time that one group grants, infinity if it does not limit, ``None`` if it is silent."""
    names = ("cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")  # the first is v2's, "100 200"
    words = " ".join(read_fact(folder / name) or "" for name in names).split()
    if len(words) < 2:
        return None
    quota, period = words
    if quota in ("max", "-1"):
        return math.inf
    return int(quota) / int(period)


Times = Annotated[tuple[Seconds, ...], Meta(min_length=5, max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Wall times of one program measured as two: how much a machine can tell apart by itself.

    Trials of both sides stand in the order in which they ran, side by side.
    """

    first_s: Times
    second_s: Times
    measured_at: Annotated[datetime, Meta(tz=True)]


# Names of /proc/cpuinfo: the first are of x86, the others of Arm.
_SIGNATURE = (
    *("cpu family", "model", "stepping"),
    *("CPU implementer", "CPU part", "CPU variant", "CPU revision"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """One kind of the processor's caches: ``instances`` of ``size_bytes`` each."""

    name: Name
    size_bytes: Bytes
    instances: Cores | None


def read_linux(root: Path) -> dict[str, Any]:
    """Fields of a ``Machine``, but what Python knows by itself."""
    cpuinfo, lscpu = _read_pairs(read_fact(root / "proc/cpuinfo") or ""), {}
    if root == SYSTEM_ROOT:
        lscpu = _read_pairs(_run("lscpu"))
    # One that is offline has no topology.
    cpus = [int(path.parent.name[3:]) for path in (root / CPUS).glob("cpu[0-9]*/topology")]
    cores = [core for cpu in cpus if (core := read_core(root, cpu))]
    frequency_boost = None
    for name, on in (("intel_pstate/no_turbo", "0"), ("cpufreq/boost", "1")):
        if fact := read_fact(root / CPUS / name):
            frequency_boost = fact == on
    quota_cores, cgroup = read_quota(root)
    hypervisor = lscpu.get("Hypervisor vendor") or read_fact(root / "sys/hypervisor/type")
    flags = cpuinfo.get("flags", "").split()
    virtualisation = None
    if hypervisor or "hypervisor" in flags:
        virtualisation = "virtual machine"
    elif flags:
        virtualisation = "none"
    marks = {".dockerenv": "docker", "run/.containerenv": "podman"}
    os_name = platform.system()
    with suppress(OSError):
        os_name = platform.freedesktop_os_release()["PRETTY_NAME"]
    container = next((marks[mark] for mark in marks if (root / mark).exists()), None)
    return {
        "cpu_model": cpuinfo.get("model name") or lscpu.get("Model name"),
        "cpu_signature": _join_facts(cpuinfo, _SIGNATURE),
        "physical_cores": len(set(cores)) or None,
        "smt": max(map(cores.count, cores), default=None),
        "frequency_boost": frequency_boost,
        "governor": read_fact(root / CPUS / "cpu0/cpufreq/scaling_governor"),
        "caches": _read_caches(root),
        "affinity": tuple(sorted(os.sched_getaffinity(0))),
        "quota_cores": quota_cores,
        "cgroup": cgroup,
        "os": os_name,
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "virtualisation": virtualisation,
        "hypervisor": hypervisor,
        "container": container or read_fact(root / "run/systemd/container"),
    }


_LINUX_ONLY = (
    *("affinity", "cgroup", "container", "frequency_boost", "governor", "hypervisor", "libc"),
    *("quota_cores", "virtualisation"),
)


def read_macos() -> dict[str, Any]:
    """Fields of a ``Machine``, but what Python knows by itself."""
    physical = psutil.cpu_count(logical=False)
    return {
        "cpu_model": _run("sysctl", "-n", "machdep.cpu.brand_string").strip() or None,
        "physical_cores": physical,
        "smt": physical and (psutil.cpu_count() or 1) // physical,
        "caches": (),
        "os": f"macOS {platform.mac_ver()[0]}",
        **dict.fromkeys(_LINUX_ONLY),
    }


def _join_facts(facts: Mapping[str, str], names: Sequence[str]) -> str | None:
    """Join those that are known, with their names: ``cpu family 25, model 1, stepping 1``."""
    known = [f"{name} {fact}" for name in names if (fact := facts.get(name, "").strip())]
    return ", ".join(known) or None


def _read_caches(root: Path) -> tuple[Cache, ...]:
    """Read the caches of sysfs, one an index and CPU; a shared one is counted once."""
    shared: dict[tuple[str, int], set[str | None]] = {}
    for index in (root / CPUS).glob("cpu[0-9]*/cache/index[0-9]*"):
        level, kind, size = (read_fact(index / name) for name in ("level", "type", "size"))
        if level and kind and size:
            name = f"L{level}" + {"Data": "d", "Instruction": "i"}.get(kind, "")
            key = name, int(size.removesuffix("K")) << 10  # the kernel knows no other unit
            shared.setdefault(key, set()).add(read_fact(index / "shared_cpu_list"))
    return tuple(
        Cache(name=name, size_bytes=size, instances=len(cpus))
        for (name, size), cpus in sorted(shared.items())
    )


def _read_pairs(text: str) -> dict[str, str]:
    """Lines of ``key : value``; of repeated keys the first counts."""
    pairs: dict[str, str] = {}
    for line in text.splitlines():
        key, separator, value = line.partition(":")
        if separator:
            pairs.setdefault(key.strip(), value.strip())
    return pairs


def _run(*command: str) -> str:
    """The words of a command; none if it is not there or fails."""
    if shutil.which(command[0]) is None:
        return ""
    env = dict(os.environ) | {"LC_ALL": "C"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        return ""
    return done.stdout


GIB = 1 << 30

_NOISE = re.compile(r"\((r|tm)\)|@.*|\b(cpu|processor|\d+-core)\b", re.IGNORECASE)

# What of a machine makes it that machine. The kernel and the frequency change on the same one.
# Clouds give processors of several generations one name: only their design differs.
_IDENTITY = (
    *("cpu_model", "architecture", "logical_cores", "physical_cores", "smt", "affinity"),
    *("quota_cores", "system", "virtualisation", "container", "governor", "cpu_signature"),
    "caches",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine and the limits that we run under.

    ``id`` stays the same from boot to boot. ``cpu_signature`` is the processor's design in the words
    of the system. ``smt`` is the number of threads a core has, ``affinity`` the CPU ids allowed to us,
    ``quota_cores`` how many CPUs' time the control group grants (``None``: no limit), ``cgroup`` the
    version of control groups. ``cpu_mhz`` is the frequency at the moment of reading. ``pair`` is of
    the last day on which anything was measured.
    """

    id: Name
    cpu_model: Line | None
    architecture: Line
    byte_order: Literal["little", "big"]
    logical_cores: Cores
    physical_cores: Cores | None
    smt: Cores | None
    cpu_mhz: Annotated[float, Meta(ge=0, le=100_000)] | None
    frequency_boost: bool | None
    governor: Line | None
    caches: Annotated[tuple[Cache, ...], Meta(max_length=100)]
    affinity: Annotated[tuple[Cpu, ...], Meta(min_length=1, max_length=8192)] | None
    quota_cores: Annotated[float, Meta(gt=0, le=8192)] | None
    cgroup: Literal["v1", "v2"] | None
    memory_bytes: Bytes
    swap_bytes: Bytes | None
    system: Line
    os: Line
    kernel: Line
    libc: Line | None
    virtualisation: Literal["none", "virtual machine"] | None
    hypervisor: Line | None
    container: Line | None
    cpu_signature: Line | None = None
    pair: Pair | None = None

    @property
    def has_own_id(self) -> bool:
        """Tell whether the id is what these facts make."""
        return self.id == make_machine_id(self)

    @property
    def model(self) -> str:
        """The processor without what its name says of cores, frequency and trade marks."""
        return " ".join(_NOISE.sub(" ", self.cpu_model or "unknown").split())

    @property
    def granted_cores(self) -> float | None:
        """How many cores' time is granted, where that is not all of the machine's."""
        allowed = len(self.affinity or ()) or self.logical_cores
        granted = min(allowed, self.quota_cores or allowed)
        if granted < self.logical_cores:
            return granted
        return None


def describe_machine(root: Path = SYSTEM_ROOT) -> Machine:
    """Describe the machine at hand. ``root`` is where those of /proc and /sys are that we read."""
    facts = read_macos() if sys.platform == "darwin" else read_linux(root)
    cpu_mhz = None
    # Where it does not know, psutil says so in any of these ways.
    with suppress(OSError, RuntimeError, AttributeError):
        cpu_mhz = psutil.cpu_freq().current or None
    machine = Machine(
        id="",  # made of the rest
        logical_cores=psutil.cpu_count() or 1,
        cpu_mhz=cpu_mhz,
        memory_bytes=psutil.virtual_memory().total,
        swap_bytes=psutil.swap_memory().total,
        architecture=platform.machine(),
        byte_order=sys.byteorder,
        system=platform.system(),
        kernel=platform.release(),
        **facts,
    )
    return replace(machine, id=make_machine_id(machine))


def make_machine_id(machine: Machine) -> str:
    """A slug such as ``amd-epyc-2c-24g-linux-kvm-ab12cd``, or ``…-1of2c-…`` where it is limited.

    Memory counts in whole GiB, rounded up, because kernels differ in the megabytes that they keep
    for themselves. The last part is a digest of everything that makes the machine.
    """
    cores = f"{machine.logical_cores}c"
    if granted := machine.granted_cores:
        cores = f"{granted:g}of{cores}"
    memory_gib = -(-machine.memory_bytes // GIB)
    place = machine.hypervisor or machine.container or "unknown"
    if place == "unknown" and machine.virtualisation == "none":
        place = "metal"
    facts = [memory_gib, *(getattr(machine, name) for name in _IDENTITY)]
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:6]
    words = [machine.model, cores, f"{memory_gib}g", machine.system, place, digest]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")
