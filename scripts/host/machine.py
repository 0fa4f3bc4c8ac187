"""The machine: where programs run, described by the system itself, never by a guess.

Linux: /proc and /sys (proc(5), cgroups(7), the kernel's ``sysfs-devices-system-cpu``), and
``lscpu`` where it is installed; macOS: sysctl(8). What cannot be read is ``None``.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from scripts.host.bounds import Bytes, Cores, Cpu, Line, Megahertz, Name, Quota
from scripts.host.cores import CPUS, ROOT, read_core, read_quota, read_text
from scripts.host.pair import Pair

GIB = 1 << 30

_NOISE = re.compile(r"\((r|tm)\)|@.*|\b(cpu|processor|\d+-core)\b", re.IGNORECASE)

# What of a machine makes it that machine. The kernel and the frequency change on the same one.
_IDENTITY = (
    *("cpu_model", "architecture", "logical_cores", "physical_cores", "smt", "affinity"),
    *("quota_cores", "system", "virtualisation", "container", "governor"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """One kind of the processor's caches: ``instances`` of ``size_bytes`` each."""

    name: Name
    size_bytes: Bytes
    instances: Cores | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine and the limits that we run under.

    ``id`` stays the same from boot to boot. ``smt`` is the number of threads a core has,
    ``affinity`` the CPU ids allowed to us, ``quota_cores`` how many CPUs' time the control group
    grants (``None``: no limit), ``cgroup`` the version of control groups that said so.
    ``cpu_mhz`` is the frequency at the moment of reading. ``pair`` is of the last day on which
    anything was measured; records older than it have none.
    """

    id: Name
    cpu_model: Line | None
    architecture: Line
    byte_order: Literal["little", "big"]
    logical_cores: Cores
    physical_cores: Cores | None
    smt: Cores | None
    cpu_mhz: Megahertz | None
    frequency_boost: bool | None
    governor: Line | None
    caches: Annotated[tuple[Cache, ...], Meta(max_length=100)]
    affinity: Annotated[tuple[Cpu, ...], Meta(min_length=1, max_length=8192)] | None
    quota_cores: Quota | None
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
    pair: Pair | None = None


def describe_machine(root: Path = ROOT) -> Machine:
    """Describe the machine at hand. ``root`` is where /proc and /sys are found."""
    facts = _read_macos() if sys.platform == "darwin" else _read_linux(root)
    machine = Machine(
        id="",  # made of the rest
        architecture=platform.machine(),
        byte_order=sys.byteorder,
        system=platform.system(),
        kernel=platform.release(),
        **facts,
    )
    return replace(machine, id=make_id(machine))


def make_id(machine: Machine) -> str:
    """A slug such as ``amd-epyc-2c-24g-linux-kvm-ab12cd``.

    Memory counts in whole GiB, rounded up, because kernels differ in the megabytes that they keep
    for themselves. The last part is a digest of everything that makes the machine.
    """
    model = _NOISE.sub(" ", machine.cpu_model or "unknown")
    memory_gib = -(-machine.memory_bytes // GIB)
    metal = "metal" if machine.virtualisation == "none" else "unknown"
    place = machine.hypervisor or machine.container or metal
    facts = [memory_gib, *(getattr(machine, name) for name in _IDENTITY)]
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:6]
    words = [model, f"{machine.logical_cores}c", f"{memory_gib}g", machine.system, place, digest]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def _read_linux(root: Path) -> dict[str, Any]:
    cpuinfo = _read_pairs(read_text(root / "proc/cpuinfo"))
    memory = _read_pairs(read_text(root / "proc/meminfo"))
    lscpu = _read_pairs(_run("lscpu")) if root == ROOT else {}
    online = _parse_list(read_text(root / CPUS / "online") or f"0-{(os.cpu_count() or 1) - 1}")
    cores = [core for cpu in online if (core := read_core(root, cpu))]
    quota_cores, cgroup = read_quota(root)
    hypervisor = lscpu.get("Hypervisor vendor") or read_text(root / "sys/hypervisor/type")
    flags = cpuinfo.get("flags", "").split()
    machine_is_known = bool(hypervisor or flags)
    is_virtual = bool(hypervisor) or "hypervisor" in flags
    mhz = cpuinfo.get("cpu MHz")
    khz = read_text(root / CPUS / f"cpu{online[0]}/cpufreq/scaling_cur_freq")
    return {
        "cpu_model": cpuinfo.get("model name") or lscpu.get("Model name"),
        "logical_cores": len(online),
        "physical_cores": len(set(cores)) or None,
        "smt": max(map(cores.count, cores), default=None),
        "cpu_mhz": float(mhz) if mhz else int(khz) / 1000 if khz else None,
        "frequency_boost": _read_boost(root),
        "governor": read_text(root / CPUS / f"cpu{online[0]}/cpufreq/scaling_governor"),
        "caches": _read_caches(root),
        "affinity": tuple(sorted(os.sched_getaffinity(0))),
        "quota_cores": quota_cores,
        "cgroup": cgroup,
        "memory_bytes": _parse_size(memory["MemTotal"]),
        "swap_bytes": _parse_size(memory["SwapTotal"]) if "SwapTotal" in memory else None,
        "os": _read_os_name(),
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "virtualisation": ("virtual machine" if is_virtual else "none")
        if machine_is_known
        else None,
        "hypervisor": hypervisor,
        "container": _read_container(root),
    }


def _read_macos() -> dict[str, Any]:
    def number(name: str) -> int | None:
        text = _run("sysctl", "-n", name)
        return int(text) if text and text.strip().isdigit() else None

    physical = number("hw.physicalcpu")
    logical = number("hw.logicalcpu") or os.cpu_count() or 1
    hertz = number("hw.cpufrequency")
    virtual = number("kern.hv_vmm_present")
    swap = re.search(r"total = ([\d.]+)M", _run("sysctl", "-n", "vm.swapusage") or "")
    sizes = {name: number(f"hw.{name.lower()}cachesize") for name in ("L1d", "L1i", "L2", "L3")}
    model = _run("sysctl", "-n", "machdep.cpu.brand_string")
    return {
        "cpu_model": model.strip() if model else None,
        "logical_cores": logical,
        "physical_cores": physical,
        "smt": logical // physical if physical else None,
        "cpu_mhz": hertz / 1e6 if hertz else None,
        "frequency_boost": None,
        "governor": None,
        "caches": tuple(
            Cache(name=name, size_bytes=size, instances=None)
            for name, size in sizes.items()
            if size
        ),
        "affinity": None,
        "quota_cores": None,
        "cgroup": None,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "swap_bytes": int(float(swap.group(1)) * (1 << 20)) if swap else None,
        "os": f"macOS {platform.mac_ver()[0]}",
        "libc": None,
        "virtualisation": None if virtual is None else "virtual machine" if virtual else "none",
        "hypervisor": None,
        "container": None,
    }


def _read_caches(root: Path) -> tuple[Cache, ...]:
    """Caches as sysfs tells them, one an index and CPU; a shared one is counted once."""
    shared: dict[tuple[str, int], set[str | None]] = {}
    for index in (root / CPUS).glob("cpu[0-9]*/cache/index[0-9]*"):
        level, kind, size = (read_text(index / name) for name in ("level", "type", "size"))
        if level and kind and size:
            name = f"L{level}" + {"Data": "d", "Instruction": "i"}.get(kind, "")
            key = name, _parse_size(size)
            shared.setdefault(key, set()).add(read_text(index / "shared_cpu_list"))
    return tuple(
        Cache(name=name, size_bytes=size, instances=len(cpus))
        for (name, size), cpus in sorted(shared.items())
    )


def _read_boost(root: Path) -> bool | None:
    boost = read_text(root / CPUS / "cpufreq/boost")
    no_turbo = read_text(root / CPUS / "intel_pstate/no_turbo")
    if boost is not None:
        return boost == "1"
    return no_turbo == "0" if no_turbo is not None else None


def _read_container(root: Path) -> str | None:
    if (root / ".dockerenv").exists():
        return "docker"
    if (root / "run/.containerenv").exists():
        return "podman"
    return read_text(root / "run/systemd/container")


def _read_os_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def _read_pairs(text: str | None) -> dict[str, str]:
    """Lines of ``key : value``; of repeated keys the first counts."""
    pairs: dict[str, str] = {}
    for line in (text or "").splitlines():
        key, separator, value = line.partition(":")
        if separator:
            pairs.setdefault(key.strip(), value.strip())
    return pairs


def _parse_list(text: str) -> list[int]:
    """CPU ids of a list such as ``0-3,8``."""
    ranges = (part.partition("-") for part in text.split(","))
    return [cpu for a, _, b in ranges for cpu in range(int(a), int(b or a) + 1)]


def _parse_size(text: str) -> int:
    """Bytes of ``32K``, ``512 kB`` or ``8M``; all binary."""
    match = re.match(r"(\d+)\s*([KMG]?)", text, re.IGNORECASE)
    assert match, text
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2].upper()]


def _run(*command: str) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(
        command, env=dict(os.environ) | {"LC_ALL": "C"}, capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else None
