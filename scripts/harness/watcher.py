"""The watcher: when each thread of a process tree ran, as the system tells it from outside.

Linux counts for each thread, in ``/proc/PID/task/TID/schedstat``, the nanoseconds that it ran, those
that it was ready and waited for a core, and how often it got one; see ``sched-stats.rst`` of the
kernel's documentation. Looking often, we know where between two looks these went up, and from
``stat`` of the same folder on which core. What is between two looks is known by its sum only: of a
thread that runs and sleeps several times meanwhile, a span each is left. Elsewhere than on Linux,
and on kernels that do not count so, there are no timelines.
"""

import os
import resource
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.harness.samplers import MOST_REST_S, PROC, Descendants
from scripts.harness.timeline import WAITING, Span

INTERVAL_S = 0.002
"""How far looks are apart at least. They rest as long as one took, too: with a thousand threads."""
MOST_FILES = 8192
"""How many files may be open meanwhile, two for each thread, where the system allows so many."""
UNBROKEN = 0.75
"""A run goes on as long as a thread has so much of the time from one look to the next."""


def is_watchable() -> bool:
    """Whether this system counts what the watcher reads."""
    try:
        return int((PROC / "self/schedstat").read_bytes().split()[2]) > 0
    except (OSError, ValueError, IndexError):
        return False


class Thread:
    """What was seen of one thread; times in microseconds of ``time.perf_counter``.

    Raises:
        OSError: it has just gone, or no more files can be open.
    """

    def __init__(self, pid: int, tid: int, before_us: int, cores: Mapping[int, int]) -> None:
        self.pid, self.tid = pid, tid
        self.begin_us = self.end_us = self._changed_us = before_us
        self.running_us = self.waiting_us = self.longest_us = 0
        self.spans: list[Span] = []
        self._cores = cores
        self._counts = (0, 0, 0)
        self._unbroken_us = 0
        folder = f"{PROC}/{pid}/task/{tid}"
        self._schedstat = os.open(f"{folder}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._stat = os.open(f"{folder}/stat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            os.close(self._schedstat)
            raise

    def look(self, now_us: int, before_us: int) -> bool:
        """Read what has changed since the last look, which was at ``before_us``; false at its end."""
        try:
            found = os.pread(self._schedstat, 100, 0).split()
            counts = (int(found[0]), int(found[1]), int(found[2]))
            if counts != self._counts:
                fields = os.pread(self._stat, 1000, 0).rpartition(b")")[2].split()
                self._note(counts, fields[0] == b"R", int(fields[36]), now_us, before_us)
        except (OSError, IndexError, ValueError):
            return False
        self.end_us = now_us
        return True

    def _note(
        self, counts: tuple[int, int, int], is_ready: bool, cpu: int, now_us: int, before_us: int
    ) -> None:
        """Place what it ran and waited: up to now if it is ready, else from the last look on."""
        ran_us = (counts[0] - self._counts[0]) // 1000
        waited_us = (counts[1] - self._counts[1]) // 1000
        # What is below a microsecond stays for the next time.
        self._counts = (
            self._counts[0] + 1000 * ran_us,
            self._counts[1] + 1000 * waited_us,
            counts[2],
        )
        self.running_us += ran_us
        self.waiting_us += waited_us
        free_us = self.spans[-1][1] if self.spans else self.begin_us
        start_us = now_us - ran_us - waited_us
        start_us = max(free_us, start_us if is_ready else min(start_us, before_us))
        middle_us = max(start_us, min(start_us + waited_us, now_us - ran_us))
        self._add(start_us, middle_us, WAITING)
        self._add(middle_us, min(middle_us + ran_us, now_us), self._cores.get(cpu, 1))
        is_unbroken = ran_us >= UNBROKEN * (now_us - self._changed_us)
        self._unbroken_us = (self._unbroken_us if is_unbroken else 0) + ran_us
        self.longest_us = max(self.longest_us, self._unbroken_us)
        self._changed_us = now_us

    def _add(self, start_us: int, end_us: int, kind: int) -> None:
        if end_us <= start_us:
            return
        if self.spans and self.spans[-1][1:] == (start_us, kind):
            start_us = self.spans.pop()[0]
        self.spans.append((start_us, end_us, kind))

    def close(self) -> None:
        """Let its files go."""
        os.close(self._schedstat)
        os.close(self._stat)


class Watcher:
    """Looks from a thread of ours at all descendants of a process; one watcher serves one run.

    Args:
        cores: the CPUs that the program is given; spans call them 1, 2, ….

    ``threads`` are those seen, ``unseen`` counts what else was started on the machine meanwhile,
    ``looks`` how often we looked, ``begin_us`` when that began.
    """

    def __init__(self, cores: tuple[int, ...]) -> None:
        self._cores = {cpu: number for number, cpu in enumerate(cores, 1)}
        self._living: dict[tuple[int, int], Thread] = {}
        self._stopping = threading.Event()
        self.threads: list[Thread] = []
        self.looks = self.unseen = self.begin_us = 0

    @contextmanager
    def watch(self, root: int) -> Iterator[None]:
        """Watch what descends from the process ``root``, the root itself excluded."""
        limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(limit, wanted), most))
        thread = threading.Thread(target=self._watch, args=(Descendants(root),), daemon=True)
        try:
            self.begin_us = read_clock()
            thread.start()
            started = count_started()
            yield
        finally:
            self._stopping.set()
            thread.join()
            for one in self._living.values():
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
        self.unseen = max(0, count_started() - started - len(self.threads))

    def _watch(self, descendants: Descendants) -> None:
        before_us = self.begin_us
        while True:
            began_us = read_clock()
            self._look(descendants, before_us)
            self.looks += 1
            took_s = (read_clock() - began_us) / 1e6
            before_us = began_us
            if self._stopping.wait(max(INTERVAL_S - took_s, min(took_s, MOST_REST_S))):
                return

    def _look(self, descendants: Descendants, before_us: int) -> None:
        """One look at every thread that there is; those that have gone are done with."""
        for pid in descendants.find():
            with suppress(OSError):
                for tid in map(int, os.listdir(f"{PROC}/{pid}/task")):  # noqa: PTH208 - quickest
                    if (pid, tid) not in self._living:
                        self._meet(pid, tid, before_us)
        for key, thread in list(self._living.items()):
            if not thread.look(read_clock(), before_us):
                thread.close()
                del self._living[key]

    def _meet(self, pid: int, tid: int, before_us: int) -> None:
        with suppress(OSError):
            thread = Thread(pid, tid, before_us, self._cores)
            self._living[pid, tid] = thread
            self.threads.append(thread)


def read_clock() -> int:
    """Microseconds of the clock that marks of programs go by too."""
    return time.perf_counter_ns() // 1000


def count_started() -> int:
    """How many processes and threads were ever started on this machine."""
    for line in Path(PROC / "stat").read_bytes().splitlines():
        if line.startswith(b"processes "):
            return int(line.split()[1])
    return 0
