"""Cores: which CPUs programs may be given, by affinity and by the quota of control groups.

Linux: sched_setaffinity(2), cgroups(7) and the kernel's ``sysfs-devices-system-cpu``; macOS has
neither affinity nor control groups.
"""

import math
import os
import sys
from pathlib import Path
from typing import Literal

ROOT = Path("/")
CPUS = "sys/devices/system/cpu"


def usable_cores(root: Path = ROOT) -> tuple[int, ...]:
    """CPU ids that programs may be given: those of the affinity, as many as the quota grants.

    Physical cores come first and SMT siblings last, so that the first n are as many real cores
    as there are.
    """
    if sys.platform == "darwin":
        return tuple(range(os.cpu_count() or 1))
    allowed = sorted(os.sched_getaffinity(0))
    taken: dict[object, int] = {}
    order = []
    for cpu in allowed:
        core = read_core(root, cpu) or cpu
        taken[core] = taken.get(core, 0) + 1
        order.append((taken[core], cpu))
    quota_cores, _ = read_quota(root)
    count = max(1, int(quota_cores)) if quota_cores else len(order)
    return tuple(cpu for _, cpu in sorted(order)[:count])


def read_quota(root: Path = ROOT) -> tuple[float | None, Literal["v1", "v2"] | None]:
    """CPUs' time granted by the strictest control group above us, and the version that said so."""
    base = root / "sys/fs/cgroup"
    strictest: float | None = None
    version: Literal["v1", "v2"] | None = None
    for line in (read_text(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        mount = base / controllers if (base / controllers).exists() else base / "cpu"
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
    package, core = read_text(topology / "physical_package_id"), read_text(topology / "core_id")
    return (package, core) if package is not None and core is not None else None


def read_text(path: Path) -> str | None:
    """What a file holds, without the space around it; ``None`` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _read_limit(folder: Path) -> float | None:
    """CPUs' time that one group grants, infinity if it does not limit, ``None`` if it is silent."""
    names = ("cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us")  # the first is v2's, "100 200"
    words = " ".join(read_text(folder / name) or "" for name in names).split()
    if len(words) < 2:
        return None
    quota, period = words
    return math.inf if quota in ("max", "-1") else int(quota) / int(period)
