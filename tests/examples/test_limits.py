"""The guard of the limits stops a program in time, and nothing but the system's no passes for one."""

import errno
import importlib
import os
import resource
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from scripts.site.paths import EXAMPLES

FOLDER = EXAMPLES / "limits"
KIB, GIB = 1 << 10, 1 << 30
OURS = f"Name:\tpython3\nUid:\t{os.getuid()}\t0\t0\t0\nThreads:\t"
NOT_OURS = f"Name:\tsshd\nUid:\t{os.getuid() + 1}\t0\t0\t0\nThreads:\t"

LINUX = {
    "proc/meminfo": f"MemTotal: {10 * GIB // KIB} kB\nMemAvailable: {8 * GIB // KIB} kB\n",
    "proc/loadavg": "0.10 0.20 0.30 2/300 4567\n",
    "proc/sys/kernel/threads-max": "100000\n",
    "proc/sys/kernel/pid_max": "200000\n",
    "proc/sys/vm/max_map_count": "60000\n",
    "proc/self/maps": "a map\n" * 1000,
    "proc/self/statm": "5000 1000 500 1 0 400 0\n",
    "proc/self/cgroup": "0::/user/session\n",
    "proc/self/oom_score_adj": "0\n",
    "proc/10/status": f"{OURS}30\n",
    "proc/11/status": f"{OURS}20\n",
    "proc/12/status": f"{NOT_OURS}7000\n",
}
"""A machine that has room for everything, of which nothing limits a group."""

SIZES = {"SC_PHYS_PAGES": 8 * GIB // 4096, "SC_PAGE_SIZE": 4096}
"""What sysconf(3) knows, also on macOS, where there is no /proc."""
V2 = "groups/user/session"
GROUP_MEMORY = {f"{V2}/memory.max": str(4 * GIB), f"{V2}/memory.current": str(3 * GIB)}
GROUP_HIGH = GROUP_MEMORY | {f"{V2}/memory.high": str(3 * GIB), f"{V2}/memory.current": "0"}
GROUP_PIDS = {f"{V2}/pids.max": "5000", f"{V2}/pids.current": "10"}
V1 = {
    "proc/self/cgroup": "5:memory:/box\n4:pids:/box\n",
    "groups/memory/box/memory.limit_in_bytes": str(4 * GIB),
    "groups/memory/box/memory.usage_in_bytes": str(GIB),
    "groups/memory/memory.limit_in_bytes": str(2**63 - 4096),  # no limit
    "groups/pids/box/pids.max": "1000",
    "groups/pids/box/pids.current": "50",
}
ENDLESS = 2**60
THREAD_BYTES = 50_000


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def limit_softly(monkeypatch: pytest.MonkeyPatch, soft: dict[int, int]) -> None:
    endless = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda which: (soft.get(which, endless), endless))


@pytest.fixture
def guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of the guard, on a made-up machine."""
    names = ("guard", "room", "tasks")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(FOLDER)
    guard = importlib.import_module("guard")
    room = sys.modules["room"]
    write(tmp_path, LINUX)
    limit_softly(monkeypatch, {})
    monkeypatch.setattr(os, "sysconf", SIZES.__getitem__)
    for module in (guard, room):
        monkeypatch.setattr(module, "PROC", tmp_path / "proc")
    monkeypatch.setattr(room, "GROUPS", tmp_path / "groups")
    yield guard
    for name in names:
        del sys.modules[name]


OF_THREADS = {"ceiling", "time", "memory", "ulimit -u", "threads-max", "pid_max", "cgroup pids"}


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        ("tasks", {"ceiling", "time", "memory"}),
        ("greenlets", {"ceiling", "time", "memory"}),
        ("threads", OF_THREADS | {"max_map_count"}),
        ("processes", OF_THREADS | {"ulimit -n"}),
    ],
)
def test_each_kind_is_held_against_its_limits(
    guard: ModuleType, kind: str, limits: set[str]
) -> None:
    assert set(guard.Guard(kind).look(0)) == limits


@dataclass(frozen=True)
class Case:
    """What a limit leaves to units of a kind, on a machine with other files and soft limits."""

    limit: str
    left: int
    kind: str = "threads"
    made: int = 0
    files: dict[str, str] = field(default_factory=dict)
    gone: Iterable[str] = ()
    soft: dict[int, int] = field(default_factory=dict)


def fit(limit_bytes: int, used_bytes: int) -> int:
    """How many threads fit into memory, less the tenth that is for others."""
    return (limit_bytes * 9 // 10 - used_bytes) // THREAD_BYTES


PROCESSES = {resource.RLIMIT_NPROC: 1000}
CASES = [
    # The kernel counts every thread of the machine; a thread is reckoned with three maps.
    Case("threads-max", 90_000 - 300),
    Case("pid_max", 180_000 - 300),
    Case("max_map_count", (54_000 - 1000) // 3),
    # The limit of a user counts the threads of all their processes.
    Case("ulimit -u", 900 - 50 - 100, made=100, soft=PROCESSES),
    Case("ulimit -u", 900 - 50, "processes", soft=PROCESSES),
    # A process takes two open files.
    Case("ulimit -n", (900 - 20) // 2, "processes", soft={resource.RLIMIT_NOFILE: 1000}),
    # The strictest of the groups above counts.
    Case("cgroup pids", 4490, files=GROUP_PIDS),
    Case(
        *("cgroup pids", 300, "processes"),
        files=GROUP_PIDS | {"groups/user/pids.max": "1000", "groups/user/pids.current": "600"},
    ),
    Case("cgroup pids", 850, files=V1),
    Case("memory", fit(4 * GIB, GIB), files=V1),
    Case("memory", fit(4 * GIB, 3 * GIB), files=GROUP_MEMORY),
    Case("memory", fit(3 * GIB, 0), files=GROUP_HIGH),
    # What files of a group are kept in memory can be given back.
    Case(
        *("memory", fit(4 * GIB, 2 * GIB)),
        files=GROUP_MEMORY | {f"{V2}/memory.stat": f"anon 7\ninactive_file {GIB}\n"},
    ),
    # Without /proc half of the memory is shared out.
    Case("memory", 4 * GIB // 8_000, "greenlets", gone=LINUX),
    Case("memory", 4 * GIB // THREAD_BYTES - 7, made=7, gone=LINUX),
    Case("memory", 4 * GIB // 8_000_000, "processes", gone=LINUX),
    # A limit whose usage cannot be read has no room.
    Case("memory", 0, files=GROUP_MEMORY, gone=[f"{V2}/memory.current"]),
    Case("memory", 0, files=GROUP_HIGH, gone=[f"{V2}/memory.current"]),
    Case("cgroup pids", 0, files=GROUP_PIDS, gone=[f"{V2}/pids.current"]),
    Case("threads-max", 0, gone=["proc/loadavg"]),
    Case("pid_max", 0, "processes", gone=["proc/loadavg"]),
    Case("max_map_count", 0, gone=["proc/self/maps"]),
    # A limit that cannot be read is none.
    Case("threads-max", ENDLESS, gone=["proc/sys/kernel/threads-max"]),
    Case("pid_max", ENDLESS, gone=["proc/sys/kernel/pid_max"]),
    Case("max_map_count", ENDLESS // 3, gone=["proc/sys/vm/max_map_count"]),
]


@pytest.mark.parametrize("case", CASES)
def test_what_a_limit_leaves(
    guard: ModuleType, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, case.files)
    for name in case.gone:
        (tmp_path / name).unlink()
    limit_softly(monkeypatch, case.soft)
    assert guard.Guard(case.kind).look(case.made)[case.limit] == case.left


@pytest.mark.parametrize(
    ("setting", "number", "sizes", "stopped_by"),
    [("TASKS", 25, [10, 10, 5], "nothing"), ("CEILING", 13, [10, 3], "ceiling")],
)
def test_as_many_are_dealt_out_as_were_asked_for_up_to_the_ceiling(
    guard: ModuleType,
    setting: str,
    number: int,
    sizes: list[int],
    stopped_by: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, setting, number)
    dealer = guard.Guard("processes")
    assert list(map(len, dealer.batches())) == sizes
    assert dealer.stopped_by == stopped_by


def test_the_time_ends_the_dealing(guard: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    dealer, begin = guard.Guard("tasks"), guard.perf_counter()
    batches = dealer.batches()
    next(batches)
    monkeypatch.setattr(guard, "perf_counter", lambda: begin + guard.SECONDS + 1)
    assert list(batches) == []
    assert dealer.stopped_by == "time"


@pytest.mark.parametrize(
    ("error", "stopped_by"),
    [
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "refused"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "refused"),
        (RuntimeError("can't start new thread"), "refused"),
        (EOFError("unexpected EOF"), "refused"),
        (MemoryError(), "refused"),
        (TimeoutError(), "time"),
        (RuntimeError("a plain bug"), None),
        (FileNotFoundError(errno.ENOENT, "No such file"), None),
        (ValueError("too many fds"), None),
        (KeyboardInterrupt(), None),
    ],
    ids=repr,
)
def test_that_the_system_makes_no_more_is_a_result_and_a_mistake_in_a_program_is_none(
    guard: ModuleType, error: BaseException, stopped_by: str | None
) -> None:
    dealer = guard.Guard("tasks")
    with nullcontext() if stopped_by else pytest.raises(type(error)), dealer:
        raise error
    assert stopped_by is None or dealer.stopped_by == stopped_by
