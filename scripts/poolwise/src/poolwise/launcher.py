"""The launcher: the small process from which every measured program is started.

``process.Launcher`` compiles it, starts it and talks to it. It exists because of what the kernel
does: on ``exec`` a process keeps the peak RSS of the memory it had before, so a program started
from a large engine would report the engine's memory as its own. Hence the few imports, the compiled
file, and ``marshal`` on the pipes instead of JSON, whose module imports ``re`` (1.2 MB; both ends are
the same interpreter). Hence also it starts itself anew once it has taken custody: limits and the duty
of a child subreaper (Linux, prctl(2)) outlive ``exec``, the memory of the modules they take does not.

A request on stdin is a dict: ``argv`` (list), ``env`` (dict), ``cwd``, ``cores`` (list of CPU ids
or None), ``timeout_s`` (float or None), ``grace_s`` (float), ``stdout`` and ``stderr`` (paths). The
answers on stdout, each after its length in ``LENGTH_BYTES``, are ``{"error": reason}``, or
``{"pid": …}`` once the program runs and, when nothing of it is left, the dict that ``Tree.report``
makes. The end of stdin means that the engine is gone: whatever still runs is killed, and the folder
that is named on the command line, where the engine kept what they wrote, is removed.

Where the launcher is a child subreaper, orphans come back to it, so that it counts and kills them
all. Elsewhere only the program's process group can be seen and killed, and only what its parents
waited for is counted. Even on Linux the time of a child whose parent ignores SIGCHLD is lost.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False  # mypy knows this name; importing typing would cost memory
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TERMINATION_GRACE_S = 1.0  # how long a process may take to obey SIGTERM before SIGKILL
# How long SIGKILL is repeated before the launcher gives up, and with it the measuring.
KILL_LIMIT_S = 10.0
KILL_INTERVAL_S = 0.01
# `marshal.load` of an answer would, up to Python 3.12, take a Ctrl-C for the end of the file.
LENGTH_BYTES = 4
# Fields of getrusage(2) that Linux and macOS count. The last is a maximum, in `MAX_RSS_UNIT_BYTES`.
USAGE = ("ru_utime", "ru_stime", "ru_minflt", "ru_majflt", "ru_nvcsw", "ru_nivcsw", "ru_maxrss")
MAX_RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024
# The largest file a program may write (RLIMIT_FSIZE), lest endless output fills the disk.
FILE_LIMIT_BYTES = 1 << 30
PR_SET_CHILD_SUBREAPER = 36
PR_SET_PDEATHSIG = 1


def become_subreaper() -> bool:
    """Adopt orphans from now on; false where the system does not offer it.

    And go on when the engine dies: a program may have stopped the launcher, which has to kill it.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0)
    return bool(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def limit_files() -> None:
    """Bound what every program started from here may write into one file."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    soft = FILE_LIMIT_BYTES if hard == resource.RLIM_INFINITY else min(hard, FILE_LIMIT_BYTES)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class Tree:
    """A running program and everything that descends from it."""

    def __init__(self, request: dict[str, Any], wakeup_fd: int, subreaper: bool) -> None:
        self.timeout_s = request["timeout_s"]
        self.grace_s = request["grace_s"]
        self.wakeup_fd = wakeup_fd
        self.subreaper = subreaper
        self.exit_code: int | None = None
        self.wall_s = 0.0
        self.usage: dict[str, float] = dict.fromkeys(USAGE, 0)
        self.timed_out = False
        self.leftovers = 0
        self.all_reaped = False
        self.start = time.perf_counter()
        self.pid = spawn(request)

    def watch(self) -> None:
        """Wait for the program and its stragglers; in the end nothing of the tree is left."""
        self.wait(self.timeout_s, lambda: self.exit_code is not None)
        if self.exit_code is None:
            self.timed_out = True
            self.terminate()
        else:
            self.wait(self.grace_s, self.is_gone)
        if not self.is_gone():
            self.leftovers = len(self.living())
            self.kill()

    def wait(self, timeout_s: float | None, done: Callable[[], bool]) -> None:
        """Reap children until ``done()``, for ``timeout_s`` at most. End if the engine does."""
        deadline = None if timeout_s is None else time.perf_counter() + timeout_s
        self.reap()
        while not done():
            remaining_s = None if deadline is None else deadline - time.perf_counter()
            if remaining_s is not None and remaining_s <= 0:
                return
            ready, _, _ = select.select([0, self.wakeup_fd], [], [], remaining_s)
            if 0 in ready:  # the engine sends nothing during a run: this is the end of stdin
                raise EOFError
            self.reap()

    def reap(self) -> None:
        """Collect every child that has exited, the program itself and orphans, and what it used."""
        now = time.perf_counter()
        try:
            os.read(self.wakeup_fd, 4096)
        except BlockingIOError:
            pass
        try:
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                for name in USAGE[:-1]:
                    self.usage[name] += getattr(usage, name)
                peak = usage.ru_maxrss * MAX_RSS_UNIT_BYTES
                self.usage["ru_maxrss"] = max(self.usage["ru_maxrss"], peak)
                if pid == self.pid:
                    self.wall_s = now - self.start
                    self.exit_code = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            self.all_reaped = True

    def is_gone(self) -> bool:
        """Tell whether nothing of the tree is left, as far as can be told here."""
        return self.all_reaped and (self.subreaper or not self.living())

    def living(self) -> list[int]:
        """List what can be sent a signal: pids, or the process group as a negative number."""
        if self.subreaper:
            return find_descendants(os.getpid())
        try:
            os.kill(-self.pid, 0)
        except OSError:
            return []
        return [-self.pid]

    def signal(self, number: int) -> None:
        """Send a signal to everything that lives."""
        for pid in self.living():
            try:
                os.kill(pid, number)
            except OSError:
                pass  # it has just gone, or belongs to another user: `kill` notices

    def terminate(self) -> None:
        """Ask the whole tree to end, and give it a moment."""
        self.signal(signal.SIGTERM)
        deadline = time.perf_counter() + TERMINATION_GRACE_S
        while not self.is_gone() and time.perf_counter() < deadline:
            time.sleep(KILL_INTERVAL_S)
            self.reap()

    def kill(self) -> None:
        """Kill until nothing is left, whatever is forked meanwhile."""
        deadline = time.perf_counter() + KILL_LIMIT_S
        self.reap()
        while not self.is_gone():
            if time.perf_counter() > deadline:
                sys.exit(f"could not kill {self.living()}")
            self.signal(signal.SIGKILL)
            time.sleep(KILL_INTERVAL_S)
            self.reap()

    def report(self) -> dict[str, Any]:
        """The answer to the request; see ``process.Outcome``."""
        fields = ("exit_code", "timed_out", "wall_s", "usage", "leftovers")
        return {name: getattr(self, name) for name in fields}


def spawn(request: dict[str, Any]) -> int:
    """Start the program in a session of its own and return its pid.

    ``posix_spawn`` copies no page tables and reports a failing ``exec`` here, as ``OSError``. It
    knows neither working directory nor affinity: the child inherits them from the launcher.
    """
    os.chdir(request["cwd"])
    output = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    errors: tuple[Any, ...] = (os.POSIX_SPAWN_OPEN, 2, request["stderr"], output, 0o600)
    if request["stderr"] == request["stdout"]:  # as at a terminal, in their order
        errors = (os.POSIX_SPAWN_DUP2, 1, 2)
    cores = request["cores"] if hasattr(os, "sched_setaffinity") else None
    before = os.sched_getaffinity(0) if cores else None
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        return os.posix_spawnp(
            request["argv"][0],
            request["argv"],
            request["env"],
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, request["stdout"], output, 0o600),
                errors,
            ],
            setsid=True,
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ],
        )
    finally:
        if before:
            os.sched_setaffinity(0, before)


def find_descendants(root: int) -> list[int]:
    """The living processes below ``root``, from /proc; those already dead do not count."""
    children: dict[int, list[int]] = {}
    dead = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split(None, 2)[:2]
            except OSError:
                continue  # it has just gone
            children.setdefault(int(parent), []).append(int(name))
            if state in b"ZX":
                dead.add(int(name))
    pids = [root]
    for pid in pids:  # which grows by the children of each
        pids += children.get(pid, ())
    return [pid for pid in pids[1:] if pid not in dead]


def serve(subreaper: bool) -> None:
    """Answer requests until stdin ends, which raises ``EOFError``."""
    wakeup_fd, write_fd = os.pipe()
    for pipe_fd in (wakeup_fd, write_fd):
        os.set_blocking(pipe_fd, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(write_fd, warn_on_full_buffer=False)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
    while True:
        request = marshal.load(sys.stdin.buffer)
        try:
            tree = Tree(request, wakeup_fd, subreaper)
        except (OSError, ValueError) as error:
            send({"error": str(error)})
            continue
        try:
            send({"pid": tree.pid})
            tree.watch()
        finally:
            if not tree.is_gone():  # the engine has gone, or somebody ends the launcher
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                tree.terminate()
                tree.kill()
        send(tree.report())


def send(message: dict[str, Any]) -> None:
    """Send a message to the engine."""
    data = marshal.dumps(message)
    sys.stdout.buffer.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    folder, *duty = sys.argv[1:]
    if duty:
        try:
            serve(subreaper=duty == ["subreaper"])
        except EOFError:
            import shutil  # now that its memory counts no more

            shutil.rmtree(folder, ignore_errors=True)
    else:
        limit_files()
        duty = ["subreaper" if become_subreaper() else "parent"]
        os.execv(sys.executable, [sys.executable, "-I", "-S", sys.argv[0], folder, *duty])
