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

from scripts.harness.paths import EXAMPLES

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


class Lab:
    """A made-up machine; ``guard`` and ``room`` are the modules that look at it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._root, self._monkeypatch = root, monkeypatch
        self.soft: dict[int, int] = {}
        self.write(LINUX)
        monkeypatch.setattr(resource, "getrlimit", self._get_limit)
        monkeypatch.setattr(os, "sysconf", SIZES.__getitem__)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="ascii")

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            (self._root / name).unlink()

    def load(self, name: str, **settings: str) -> ModuleType:
        for variable in ("TASKS", "CEILING", "SECONDS"):
            self._monkeypatch.delenv(variable, raising=False)
        for variable, value in settings.items():
            self._monkeypatch.setenv(variable, value)
        room = importlib.import_module("room")
        self._monkeypatch.setattr(room, "PROC", self._root / "proc")
        self._monkeypatch.setattr(room, "GROUPS", self._root / "groups")
        return importlib.import_module(name)

    def look(self, kind: str, made: int = 0, **settings: str) -> dict[str, int]:
        """How many more units of a kind fit under each limit."""
        left: dict[str, int] = self.load("guard", **settings).Guard(kind).look(made)
        return left

    def _get_limit(self, which: int) -> tuple[int, int]:
        return self.soft.get(which, resource.RLIM_INFINITY), resource.RLIM_INFINITY


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.syspath_prepend(FOLDER)
    names = ("guard", "room", "tasks")
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield Lab(tmp_path, monkeypatch)
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)


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
def test_each_kind_is_held_against_its_limits(lab: Lab, kind: str, limits: set[str]) -> None:
    assert set(lab.look(kind)) == limits


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
def test_what_a_limit_leaves(lab: Lab, case: Case) -> None:
    lab.write(case.files)
    lab.remove(case.gone)
    lab.soft |= case.soft
    assert lab.look(case.kind, made=case.made)[case.limit] == case.left


@pytest.mark.parametrize(
    ("settings", "sizes", "stopped_by"),
    [({"TASKS": "25"}, [10, 10, 5], "nothing"), ({"CEILING": "13"}, [10, 3], "ceiling")],
)
def test_as_many_are_dealt_out_as_were_asked_for_up_to_the_ceiling(
    lab: Lab, settings: dict[str, str], sizes: list[int], stopped_by: str
) -> None:
    guard = lab.load("guard", **settings).Guard("processes")
    assert list(map(len, guard.batches())) == sizes
    assert guard.stopped_by == stopped_by


def test_the_time_ends_the_dealing(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    module = lab.load("guard", SECONDS="30")
    guard, begin = module.Guard("tasks"), module.perf_counter()
    batches = guard.batches()
    next(batches)
    monkeypatch.setattr(module, "perf_counter", lambda: begin + 31)
    assert list(batches) == []
    assert guard.stopped_by == "time"


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
    lab: Lab, error: BaseException, stopped_by: str | None
) -> None:
    guard = lab.load("guard").Guard("tasks")
    with nullcontext() if stopped_by else pytest.raises(type(error)), guard:
        raise error
    assert stopped_by is None or guard.stopped_by == stopped_by
