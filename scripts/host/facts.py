"""Facts of the machine, as its system tells them; what cannot be read is ``None``.

Linux: /proc and /sys (proc(5), cgroups(7), the kernel's ``sysfs-devices-system-cpu``), and
``lscpu`` where it is installed; macOS: sysctl(8).
"""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.host.bounds import Bytes, Cores, Name
from scripts.host.cores import CPUS, ROOT, read_core, read_quota, read_text

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
        "cpu_signature": _join_facts(cpuinfo, _SIGNATURE),
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


def read_macos() -> dict[str, Any]:
    """Fields of a ``Machine``, but what Python knows by itself."""

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
    design = {name: _run("sysctl", "-n", f"hw.{name}") or "" for name in ("cputype", "cpufamily")}
    return {
        "cpu_model": model.strip() if model else None,
        "cpu_signature": _join_facts(design, tuple(design)),
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


def _join_facts(facts: Mapping[str, str], names: Sequence[str]) -> str | None:
    """Those that are known, with their names: ``cpu family 25, model 1, stepping 1``."""
    known = [f"{name} {told}" for name in names if (told := facts.get(name, "").strip())]
    return ", ".join(known) or None


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
