"""How much room is left under the limits of this machine, less a reserve for all who share it.

A limit that cannot be read counts as none. Where there is one, but not how much of it is in use,
there is no room; on macOS, where that is the rule, half of the memory and of the processes is ours.
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


def memory_room(reckoned: int) -> int:
    """Bytes that the machine has, and that control groups and ulimit -v allow.

    ``reckoned`` is what we should have taken so far, for systems that do not tell what is in use.
    """
    facts = {name: int(size.split()[0]) * 1024 for name, size in read_pairs(PROC / "meminfo", ":")}
    if total := facts.get("MemTotal"):
        rooms = [room(total, total - facts.get("MemAvailable", 0))]
    else:  # as on macOS: half of all is left to others
        rooms = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2 - reckoned]
    for folder, limit in find_groups(
        "memory", "memory.max", "memory.high", "memory.limit_in_bytes"
    ):
        used = read_number(folder / "memory.current", folder / "memory.usage_in_bytes")
        parts = dict(read_pairs(folder / "memory.stat"))
        files = int(parts.get("total_inactive_file") or parts.get("inactive_file") or 0)
        rooms.append(room(limit, None if used is None else used - files))
    if limit := soft_limit("AS"):
        pages = read(PROC / "self/statm").split()
        rooms.append(room(limit, int(pages[0]) * resource.getpagesize() if pages else None))
    return min(rooms)


def system_rooms() -> dict[str, int]:
    """Threads, those of processes too, that the machine and the control groups allow."""
    load = read(PROC / "loadavg")
    running = int(load.split("/")[1].split()[0]) if load else None
    groups = find_groups("pids", "pids.max")
    rooms = [room(limit, read_number(folder / "pids.current")) for folder, limit in groups]
    return {
        "threads-max": room(read_number(PROC / "sys/kernel/threads-max"), running),
        "pid_max": room(read_number(PROC / "sys/kernel/pid_max"), running),
        "cgroup pids": min(rooms, default=ENDLESS),
    }


def own_rooms(kind: str) -> dict[str, int]:
    """Threads or processes that the limits of this user and of this process allow."""
    everyone = [dict(read_pairs(path, ":")) for path in PROC.glob("[0-9]*/status")]
    mine = [one for one in everyone if one.get("Uid", "-").split()[0] == str(os.getuid())]
    rooms, limit = {}, soft_limit("NPROC")
    if mine:
        rooms["ulimit -u"] = room(limit, sum(int(one["Threads"]) for one in mine))
    elif kind == "processes":  # macOS limits no threads; half of the processes are left to others
        rooms["ulimit -u"] = room(limit, (limit or 0) // 2)
    if kind == "threads":  # three maps each, to be safe: the stack, its guard page, the frames
        maps = len(read(PROC / "self/maps").splitlines()) or None
        rooms["max_map_count"] = room(read_number(PROC / "sys/vm/max_map_count"), maps) // 3
    else:  # the parent keeps two pipes to each child
        rooms["ulimit -n"] = room(soft_limit("NOFILE"), 20) // 2
    return rooms


def room(limit: int | None, used: int | None) -> int:
    if limit is None:
        return ENDLESS
    return 0 if used is None else int(limit * (1 - RESERVE)) - used


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
                limits = [read_number(folder / file) for file in files]
                limit = min((one for one in limits if one is not None), default=ENDLESS)
                if folder.is_relative_to(root) and limit < ENDLESS:
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
