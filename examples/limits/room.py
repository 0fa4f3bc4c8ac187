"""How much room is left under the limits of this machine, less a reserve for all who share it.

What /proc and the control groups do not tell, as on macOS, counts as no limit.
"""

from __future__ import annotations

import os
import resource
from functools import cache
from pathlib import Path

RESERVE = 0.1
"""The part of every limit, memory included, that is not for us."""
ENDLESS = 2**60
PROC, GROUPS = Path("/proc"), Path("/sys/fs/cgroup")


def memory_room() -> int:
    """Bytes that the machine has, and that control groups and ulimit -v allow."""
    facts = {name: int(size.split()[0]) * 1024 for name, size in read_pairs(PROC / "meminfo", ":")}
    total = facts.get("MemTotal")
    rooms = [room(total, total - facts["MemAvailable"])] if total else []
    for folder, limit in find_groups("memory", "memory.max", "memory.limit_in_bytes"):
        used = read_number(folder / "memory.current", folder / "memory.usage_in_bytes") or 0
        parts = dict(read_pairs(folder / "memory.stat"))
        files = int(parts.get("total_inactive_file") or parts.get("inactive_file") or 0)
        rooms.append(room(limit, used - files))
    if limit := soft_limit("AS"):
        pages = int((read(PROC / "self/statm") or "0").split()[0])
        rooms.append(room(limit, pages * resource.getpagesize()))
    return min(rooms, default=ENDLESS)


def system_rooms() -> dict[str, int]:
    """Threads, those of processes too, that the machine and the control groups allow."""
    running = int((read(PROC / "loadavg") or "0/0").split("/")[1].split()[0])
    groups = find_groups("pids", "pids.max")
    rooms = [room(limit, read_number(folder / "pids.current") or 0) for folder, limit in groups]
    return {
        "threads-max": room(read_number(PROC / "sys/kernel/threads-max"), running),
        "pid_max": room(read_number(PROC / "sys/kernel/pid_max"), running),
        "cgroup pids": min(rooms, default=ENDLESS),
    }


def own_rooms(kind: str) -> dict[str, int]:
    """Threads or processes that the limits of this user and of this process allow."""
    everyone = [dict(read_pairs(path, ":")) for path in PROC.glob("[0-9]*/status")]
    mine = [one for one in everyone if one.get("Uid", "-").split()[0] == str(os.getuid())]
    rooms = {"ulimit -u": room(soft_limit("NPROC"), sum(int(one["Threads"]) for one in mine))}
    if kind == "threads":  # three maps each: the stack, the page that guards its end, the frames
        maps = len(read(PROC / "self/maps").splitlines())
        rooms["max_map_count"] = room(read_number(PROC / "sys/vm/max_map_count"), maps) // 3
    else:  # the parent keeps two pipes to each child
        rooms["ulimit -n"] = room(soft_limit("NOFILE"), 20) // 2
    return rooms


def room(limit: int | None, used: int) -> int:
    return ENDLESS if limit is None else int(limit * (1 - RESERVE)) - used


def soft_limit(name: str) -> int | None:
    soft, _ = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))
    return None if soft == resource.RLIM_INFINITY else soft


@cache
def find_groups(controller: str, *files: str) -> list[tuple[Path, int]]:
    """The control groups around this process that have a limit, of both versions, with it."""
    found = []
    for line in read(PROC / "self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers in ("", controller):
            root = GROUPS / controllers
            own = root / path.lstrip("/")
            for folder in (own, *own.parents):
                limit = read_number(*(folder / file for file in files))
                if folder.is_relative_to(root) and limit is not None and limit < ENDLESS:
                    found.append((folder, limit))
    return found


def read_number(*paths: Path) -> int | None:
    """What the first of these files says that holds a number."""
    return next((int(text) for path in paths if (text := read(path).strip()).isdigit()), None)


def read_pairs(path: Path, separator: str | None = None) -> list[tuple[str, str]]:
    lines = (line.split(separator, 1) for line in read(path).splitlines())
    return [(name, value.strip()) for name, value in lines]


def read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
