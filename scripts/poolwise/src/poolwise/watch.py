"""Watching: a pass apart from timing that sees when each thread and each task of a program runs.

Linux counts for each thread, in ``/proc/PID/task/TID/schedstat``, the nanoseconds that it ran and those
that it was ready and waited for a core; see ``sched-stats.rst`` of the kernel's documentation. Looking
often, we know where between two looks these went up, and from ``stat`` of the same folder on which
core. What is between two looks is known by its sum only: of a thread that runs and sleeps several
times meanwhile, a span each is left. Elsewhere nothing can be watched.
"""

import os
import re
import resource
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from poolwise.samplers import MOST_REST_S, PROC, Descendants, Observer

INTERVAL_S = 0.002  # between looks; as long as one took, with a thousand threads
JOINED_US = 500  # a run that others broke for less is one: looking itself breaks it as often
MOST_LANES = 64
MOST_SPANS = 2000  # of all lanes of a file together
PARTS = 120  # of the time: for each it is told how many threads ran at once
LONGEST_NAME = 40
WAITING = 0  # in the place of a span's core: the thread was ready, but had none

# The variables that have tasks and the start of the work marked; see the heartbeat.
MARKS = {"TASK_MARKS": "1", "MAIN_MARK": "1"}
_STEP = re.compile(r"^(\d{1,9}) (\d{1,18}) (\d{1,18}) (.*)$", re.MULTILINE)

# From when to when, and on which core: 1 for the first that the program was given, or WAITING.
Span = tuple[int, int, int]


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """One thread, or one task inside a thread if ``task`` is its number; both count from 1.

    ``name`` is the function that a task runs. Between its spans a lane slept: waited for its turn
    in the interpreter, for time to pass, or for something outside.
    """

    process: int
    thread: int
    task: int = 0
    name: str = ""
    begin_us: int
    end_us: int
    running_us: int
    waiting_us: int
    spans: list[Span]


def is_watchable() -> bool:
    """Tell whether this system counts what a watcher reads."""
    try:
        return int((PROC / "self/schedstat").read_bytes().split()[2]) > 0
    except (OSError, ValueError, IndexError):
        return False


def read_clock_us() -> int:
    """Read the clock that marks of programs go by too."""
    return time.perf_counter_ns() // 1000


class Thread:
    """One thread as it was seen; times in microseconds of ``read_clock_us``.

    ``process`` and ``number``, its own in that, count from 1 as they were seen. Spans call the
    ``cores`` that the program was given 1, 2, ….
    """

    def __init__(self, pid: int, tid: int, before_us: int, cores: Mapping[int, int]) -> None:
        self.pid, self.tid = pid, tid
        self.process = self.number = 1
        self.begin_us = self.end_us = before_us
        self.running_us = self.waiting_us = 0
        self.spans: list[Span] = []
        self._cores = cores
        self._counts = (0, 0)
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
            ran, waited, *_ = os.pread(self._schedstat, 100, 0).split()
            counts = (int(ran), int(waited))
            if counts != self._counts:
                fields = os.pread(self._stat, 1000, 0).rpartition(b")")[2].split()
                self._note(counts, fields[0] == b"R", int(fields[36]), now_us, before_us)
        except (OSError, IndexError, ValueError):
            return False
        self.end_us = now_us
        return True

    def _note(
        self, counts: tuple[int, int], is_ready: bool, cpu: int, now_us: int, before_us: int
    ) -> None:
        """Place what it ran and waited: up to now if it is ready, else from the last look on."""
        ran_us = (counts[0] - self._counts[0]) // 1000
        waited_us = (counts[1] - self._counts[1]) // 1000
        # What is below a microsecond stays for the next time.
        self._counts = (self._counts[0] + 1000 * ran_us, self._counts[1] + 1000 * waited_us)
        self.running_us += ran_us
        self.waiting_us += waited_us
        start_us = now_us - ran_us - waited_us
        if not is_ready:
            start_us = min(start_us, before_us)
        # Looks are not instants: what was counted must not lie before what is drawn already.
        start_us = max(start_us, self.spans[-1][1] if self.spans else self.begin_us)
        middle_us = max(start_us, min(start_us + waited_us, now_us - ran_us))
        self._add(start_us, middle_us, WAITING)
        self._add(middle_us, min(middle_us + ran_us, now_us), self._cores.get(cpu, 1))

    def _add(self, start_us: int, end_us: int, core: int) -> None:
        if end_us <= start_us:
            return
        if self.spans and self.spans[-1][1:] == (start_us, core):
            start_us = self.spans.pop()[0]
        self.spans.append((start_us, end_us, core))

    def find_core(self, moment_us: int) -> int:
        """Find the core on which it ran at a moment, or did before it; 1 if it was not seen to."""
        last = bisect_right(self.spans, moment_us, key=itemgetter(0))
        for _, _, core in reversed(self.spans[:last]):
            if core != WAITING:
                return core
        return 1

    def close(self) -> None:
        """Let its files go."""
        os.close(self._schedstat)
        os.close(self._stat)


class Watcher(Observer):
    """Looks at each thread of the tree, from ``begin_us`` on, and keeps those seen in ``threads``."""

    def __init__(self, cores: tuple[int, ...]) -> None:
        super().__init__()
        self._cores = {cpu: number for number, cpu in enumerate(cores, 1)}
        self._living: dict[tuple[int, int], Thread] = {}
        self._counts: dict[int, int] = {}
        self.threads: list[Thread] = []
        self.begin_us = 0

    @contextmanager
    def watch(self, root: int) -> Iterator[None]:
        """Watch what descends from the process ``root``, the root itself excluded."""
        limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        # Two stay open for each thread. Programs are started by a process that has its limit already.
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        try:
            self.begin_us = read_clock_us()
            with super().watch(root):
                yield
        finally:
            for thread in self._living.values():
                thread.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))

    def _look_on(self, descendants: Descendants) -> None:
        before_us = self.begin_us
        while True:
            began_us = read_clock_us()
            self._look(descendants, before_us)
            took_s = (read_clock_us() - began_us) / 1e6
            before_us = began_us
            if self._stopping.wait(max(INTERVAL_S - took_s, min(took_s, MOST_REST_S))):
                return

    def _look(self, descendants: Descendants, before_us: int) -> None:
        """Look once at every thread that there is; let go of those that have gone."""
        for pid in descendants.find():
            with suppress(OSError):
                for tid in map(int, os.listdir(f"{PROC}/{pid}/task")):  # noqa: PTH208 - quickest
                    if (pid, tid) not in self._living:
                        self._meet(pid, tid, before_us)
        for key, thread in list(self._living.items()):
            if not thread.look(read_clock_us(), before_us):
                thread.close()
                del self._living[key]

    def _meet(self, pid: int, tid: int, before_us: int) -> None:
        with suppress(OSError):  # it may have ended already
            thread = Thread(pid, tid, before_us, self._cores)
            self._counts[pid] = thread.number = self._counts.get(pid, 0) + 1
            thread.process = [*self._counts].index(pid) + 1
            self._living[pid, tid] = thread
            self.threads.append(thread)


class TaskStep(NamedTuple):
    """A task that ran once: its process and thread, its number there, its function and when."""

    pid: int
    thread: int
    task: int
    function: str
    begin_us: int
    end_us: int


def read_steps(folder: Path) -> Iterator[TaskStep]:
    """Read when each task ran, in the order of processes and threads; what is no step is left out."""
    for path in sorted(folder.glob("*.tasks")):
        pid, _, thread = path.stem.partition("-")
        for line in _STEP.finditer(path.read_text(encoding="utf-8", errors="replace")):
            task, begin_us, end_us = map(int, line.groups()[:3])
            yield TaskStep(int(pid), int(thread), task, line[4], begin_us, end_us)


def read_mark_us(folder: Path, name: str) -> int | None:
    """Read the last moment of a mark: of ``begin.main`` or ``end.time``; ``None`` if there is none."""
    try:
        return int((folder / name).read_text(encoding="ascii").split()[-1])
    except (OSError, ValueError, IndexError):
        return None


def make_lanes(threads: Iterable[Thread], start_us: int) -> list[Lane]:
    """Make lanes of the threads that ran longest, in the order of their processes and numbers."""
    lanes = []
    longest = sorted(threads, key=attrgetter("running_us"), reverse=True)[:MOST_LANES]
    for thread in sorted(longest, key=attrgetter("process", "number")):
        spans = [(begin - start_us, end - start_us, core) for begin, end, core in thread.spans]
        lane = Lane(
            process=thread.process,
            thread=thread.number,
            begin_us=thread.begin_us - start_us,
            end_us=thread.end_us - start_us,
            running_us=thread.running_us,
            waiting_us=thread.waiting_us,
            spans=join_spans(spans, JOINED_US),
        )
        lanes.append(lane)
    return lanes


def make_task_lanes(
    steps: Iterable[TaskStep], threads: Iterable[Thread], start_us: int
) -> list[Lane]:
    """Make lanes of the tasks that ran first, on the cores where their threads were then."""
    seen = {(thread.pid, thread.tid): thread for thread in threads}
    tasks: dict[tuple[int, int, int], list[TaskStep]] = {}
    for step in steps:
        is_own = not step.function.startswith("BaseEventLoop.")  # it shuts itself down by some
        if is_own and (step.pid, step.thread) in seen:
            tasks.setdefault((step.pid, step.thread, step.task), []).append(step)
    lanes = []
    for task in sorted(tasks.values(), key=lambda task: task[0].begin_us)[:MOST_LANES]:
        thread, spans = seen[task[0].pid, task[0].thread], []
        for step in task:
            core = thread.find_core(step.begin_us)
            spans.append((step.begin_us - start_us, step.end_us - start_us, core))
        lane = Lane(
            process=thread.process,
            thread=thread.number,
            task=task[0].task,
            name=task[0].function.rpartition(".")[2][:LONGEST_NAME],
            begin_us=spans[0][0],
            end_us=spans[-1][1],
            running_us=sum(end - begin for begin, end, _ in spans),
            waiting_us=0,
            spans=spans,
        )
        lanes.append(lane)
    return lanes


def number_lanes(lanes: Sequence[Lane]) -> Iterator[tuple[str, int, str]]:
    """Say of each lane what it is of, its number and a task's function.

    It is of a task, a thread, or of several processes each once, before its threads.
    """
    several = len({lane.process for lane in lanes}) > 1
    last = 0
    for lane in lanes:
        if lane.task:
            yield "task", lane.task, lane.name
        elif several and lane.process != last:
            yield "process", lane.process, ""
        else:
            yield "thread", lane.thread, ""
        last = lane.process


def join_spans(spans: Iterable[Span], gap_us: int) -> list[Span]:
    """Drop the waits shorter than a gap, and join runs on one core that are closer than it."""
    joined: list[Span] = []
    for begin, end, core in spans:
        if core == WAITING and end - begin < gap_us:
            continue
        if joined and joined[-1][2] == core and begin - joined[-1][1] < gap_us:
            joined[-1] = (joined[-1][0], end, core)
        else:
            joined.append((begin, end, core))
    return joined


def count_busy(threads: Iterable[Sequence[Span]], start_us: int, wall_us: int) -> list[int]:
    """Count the threads that ran at once in each of equal ``PARTS`` of the time, in thousandths."""
    busy_us = [0.0] * PARTS
    for begin, end, core in chain.from_iterable(threads):
        if core == WAITING:
            continue
        first, last = begin - start_us, min(end - start_us, wall_us)
        for part in range(first * PARTS // wall_us, min(last * PARTS // wall_us + 1, PARTS)):
            inside_us = min(last, wall_us * (part + 1) / PARTS) - max(first, wall_us * part / PARTS)
            busy_us[part] += max(0.0, inside_us)
    return [round(1000 * part_us * PARTS / wall_us) for part_us in busy_us]


def thin(lanes: Sequence[Lane]) -> list[Lane]:
    """Thin lanes to ``MOST_SPANS``: where there are more, they are joined over ever larger gaps."""
    gap_us, thinned = JOINED_US, list(lanes)
    while sum(len(lane.spans) for lane in thinned) > MOST_SPANS:
        gap_us *= 2
        thinned = [structs.replace(lane, spans=join_spans(lane.spans, gap_us)) for lane in lanes]
    return thinned
