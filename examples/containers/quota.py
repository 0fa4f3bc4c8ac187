"""A quota as a container has one: how much CPU time a control group may use in each period.

Setting one takes systemd, which every user may ask, or root. Of both versions of control groups.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

PERIOD_US = 100_000
CGROUPS = Path("/sys/fs/cgroup")


def find_group() -> Path:
    """The folder of the control group that this process is in, as far as CPU time is concerned."""
    lines = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()
    groups = {names: path.lstrip("/") for _, names, path in (line.split(":", 2) for line in lines)}
    for names, path in groups.items():
        if "cpu" in names.split(","):  # version 1
            return CGROUPS / "cpu" / path
    return CGROUPS / groups.get("", "")


def read_quota() -> float | None:
    """How many cores' time this process's own group may use; ``None`` for no quota."""
    group = find_group()
    with suppress(OSError, ValueError):  # "max" is no number: there is no quota
        quota, period = map(int, (group / "cpu.max").read_text(encoding="ascii").split())
        return quota / period
    with suppress(OSError):
        quota, period = (
            int((group / f"cpu.cfs_{name}_us").read_text(encoding="ascii"))
            for name in ("quota", "period")
        )
        return quota / period if quota > 0 else None
    return None


def read_throttled() -> int:
    """Count the periods in which the group had to stand still; 0 where the kernel counts none."""
    with suppress(OSError):
        for line in (find_group() / "cpu.stat").read_text(encoding="ascii").splitlines():
            if line.startswith("nr_throttled "):
                return int(line.split()[1])
    return 0


def enter_quota(cores: float) -> None:
    """Start this program again under a quota, and end as it ends; do nothing once that is done."""
    if os.environ.get("UNDER_QUOTA"):
        if read_quota() != cores:
            refuse("systemd has set no quota, for it may not")
        return
    with make_group(cores) as command:
        inside = os.environ | {"UNDER_QUOTA": "1"}
        done = subprocess.run([*command, sys.executable, *sys.argv], env=inside, check=False)
    sys.exit(done.returncode)


@contextmanager
def make_group(cores: float) -> Iterator[list[str]]:
    """Yield the start of a command line that runs the rest under a quota."""
    scope = ["systemd-run", "--scope", "--quiet", f"--property=CPUQuota={cores:.0%}"]
    scope += ["--user"] if os.getuid() else []
    if (
        shutil.which("systemd-run")
        and not subprocess.run([*scope, "true"], check=False, capture_output=True).returncode
    ):
        yield scope
        return
    top = CGROUPS / "cpu" if (CGROUPS / "cpu").exists() else CGROUPS
    group = top / f"quota-{os.getpid()}"
    quota_us = int(cores * PERIOD_US)
    try:
        group.mkdir()
        if (group / "cpu.cfs_quota_us").exists():
            (group / "cpu.cfs_quota_us").write_text(f"{quota_us}")
        else:
            (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
    except OSError as error:
        refuse(f"no quota can be set without systemd or root: {error.strerror}")
    try:
        yield ["sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh"]
    finally:
        remove(group)


def remove(group: Path) -> None:
    """Remove a group once the last of its processes has ended."""
    for _ in range(50):
        with suppress(OSError):
            group.rmdir()
            return
        sleep(0.1)


def refuse(why: str) -> None:
    """Say why, and end with the status for what is unavailable here."""
    print(why, file=sys.stderr)
    sys.exit(os.EX_UNAVAILABLE)
