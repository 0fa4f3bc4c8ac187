"""The guard of the limits stops a program in time, and nothing but the system's no passes for one."""

import errno
import importlib
import os
import resource
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

import pytest

from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import run

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

V2 = "groups/user/session"
V1 = {"proc/self/cgroup": "5:memory:/box\n4:pids:/box\n"}
RESERVED = 9 / 10


class Lab:
    """A made-up machine; ``guard`` and ``room`` are the modules that look at it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._root, self._monkeypatch = root, monkeypatch
        self.soft: dict[int, int] = {}
        self.write(LINUX)
        monkeypatch.setattr(resource, "getrlimit", self._get_limit)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="ascii")

    def remove(self, *names: str) -> None:
        for name in names:
            (self._root / name).unlink()

    def become_macos(self, memory_bytes: int) -> None:
        """No /proc, no control groups, and sysconf(3) knows how much memory there is."""
        self.remove(*LINUX)
        sizes = {"SC_PHYS_PAGES": memory_bytes // 4096, "SC_PAGE_SIZE": 4096}
        self._monkeypatch.setattr(os, "sysconf", sizes.__getitem__)

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


COMMON = {"ceiling", "time", "memory"}
OF_THREADS = COMMON | {"ulimit -u", "threads-max", "pid_max", "cgroup pids"}


@pytest.mark.parametrize(
    ("kind", "limits"),
    [
        ("tasks", COMMON),
        ("greenlets", COMMON),
        ("threads", OF_THREADS | {"max_map_count"}),
        ("processes", OF_THREADS | {"ulimit -n"}),
    ],
)
def test_each_kind_is_held_against_its_limits(lab: Lab, kind: str, limits: set[str]) -> None:
    assert set(lab.look(kind)) == limits


GROUP_MEMORY = {f"{V2}/memory.max": str(4 * GIB), f"{V2}/memory.current": str(3 * GIB)}


@pytest.mark.parametrize(
    ("files", "soft", "kind", "made", "limit", "left"),
    [
        # The kernel counts every thread of the machine; a thread is reckoned with three maps.
        ({}, {}, "threads", 0, "threads-max", 90_000 - 300),
        ({}, {}, "threads", 0, "pid_max", 180_000 - 300),
        ({}, {}, "threads", 0, "max_map_count", (54_000 - 1000) // 3),
        # The limit of a user counts the threads of all their processes.
        ({}, {resource.RLIMIT_NPROC: 1000}, "threads", 100, "ulimit -u", 900 - 50 - 100),
        ({}, {resource.RLIMIT_NPROC: 1000}, "processes", 0, "ulimit -u", 900 - 50),
        # A process takes two open files.
        ({}, {resource.RLIMIT_NOFILE: 1000}, "processes", 0, "ulimit -n", (900 - 20) // 2),
        # The strictest of the groups above counts.
        (
            {f"{V2}/pids.max": "5000", f"{V2}/pids.current": "10"}
            | {"groups/user/pids.max": "1000", "groups/user/pids.current": "600"},
            {},
            *("processes", 0, "cgroup pids", 300),
        ),
    ],
)
def test_what_a_limit_leaves(
    lab: Lab,
    files: dict[str, str],
    soft: dict[int, int],
    kind: str,
    made: int,
    limit: str,
    left: int,
) -> None:
    lab.write(files)
    lab.soft |= soft
    assert lab.look(kind, made=made)[limit] == left


@pytest.mark.parametrize(
    ("kind", "unit_bytes"), [("greenlets", 8_000), ("threads", 50_000), ("processes", 8_000_000)]
)
def test_without_proc_half_of_the_memory_is_shared_out(
    lab: Lab, kind: str, unit_bytes: int
) -> None:
    lab.become_macos(8 * GIB)
    fitting = 4 * GIB // unit_bytes
    assert lab.look(kind)["memory"] == fitting
    assert lab.look(kind, made=fitting - 1)["memory"] == 1
    assert lab.look(kind, made=fitting + 1)["memory"] < 0


@pytest.mark.parametrize(
    ("files", "limit_bytes", "used_bytes"),
    [
        (GROUP_MEMORY, 4 * GIB, 3 * GIB),
        (GROUP_MEMORY | {f"{V2}/memory.high": str(3 * GIB)}, 3 * GIB, 3 * GIB),
        # What files of a group are kept in memory can be given back.
        (GROUP_MEMORY | {f"{V2}/memory.stat": f"anon 7\ninactive_file {GIB}\n"}, 4 * GIB, 2 * GIB),
    ],
)
def test_the_lower_limit_of_a_group_is_what_memory_it_grants(
    lab: Lab, files: dict[str, str], limit_bytes: int, used_bytes: int
) -> None:
    lab.write(files)
    assert lab.load("room").memory_room(0) == int(limit_bytes * RESERVED) - used_bytes


def test_groups_of_version_1_limit_memory_and_threads(lab: Lab) -> None:
    lab.write(V1)
    lab.write(
        {
            "groups/memory/box/memory.limit_in_bytes": str(4 * GIB),
            "groups/memory/box/memory.usage_in_bytes": str(GIB),
            "groups/memory/memory.limit_in_bytes": str(2**63 - 4096),  # no limit
            "groups/pids/box/pids.max": "1000",
            "groups/pids/box/pids.current": "50",
        }
    )
    assert lab.load("room").memory_room(0) == int(4 * GIB * RESERVED) - GIB
    assert lab.look("threads")["cgroup pids"] == 850


@pytest.mark.parametrize(
    ("limit", "kind", "usage", "named"),
    [
        (f"{V2}/memory.max", "threads", f"{V2}/memory.current", "memory"),
        (f"{V2}/memory.high", "threads", f"{V2}/memory.current", "memory"),
        (f"{V2}/pids.max", "threads", f"{V2}/pids.current", "cgroup pids"),
        (None, "threads", "proc/loadavg", "threads-max"),
        (None, "processes", "proc/loadavg", "pid_max"),
        (None, "threads", "proc/self/maps", "max_map_count"),
    ],
)
def test_a_limit_whose_usage_cannot_be_read_has_no_room(
    lab: Lab, limit: str | None, kind: str, usage: str, named: str
) -> None:
    if limit:  # of a group, of which there is none otherwise
        stat = f"inactive_file {GIB}\n"
        lab.write({limit: str(8 * GIB), usage: "20", f"{V2}/memory.stat": stat})
    assert lab.look(kind)[named] > 0
    lab.remove(usage)
    assert lab.look(kind)[named] == 0


@pytest.mark.parametrize(
    ("limit", "named"),
    [
        ("proc/sys/kernel/threads-max", "threads-max"),
        ("proc/sys/kernel/pid_max", "pid_max"),
        ("proc/sys/vm/max_map_count", "max_map_count"),
    ],
)
def test_a_limit_that_cannot_be_read_is_none(lab: Lab, limit: str, named: str) -> None:
    endless = lab.load("room").ENDLESS
    lab.remove(limit)
    assert lab.look("threads")[named] >= endless // 3


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


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_a_thread_takes_at_least_two_maps_and_no_more_than_are_reckoned_with(tmp_path: Path):
    (tmp_path / "program.py").write_text(
        "from threading import Event, Thread\n"
        "def count(): return len(open('/proc/self/maps').readlines())\n"
        "end, before = Event(), count()\n"
        "threads = [Thread(target=end.wait) for _ in range(300)]\n"
        "for thread in threads: thread.start()\n"
        "print(count() - before)\n"
        "end.set()\n",
        encoding="utf-8",
    )

    done = run(tmp_path, "program.py", {"MALLOC_ARENA_MAX": "1"})

    assert done.returncode == 0, done.stderr
    assert 2 * 300 <= int(done.stdout) <= 3 * 300
