"""Timelines: when each thread of a program ran, seen from outside, in a file a program beside the records.

``results/<machine>/timelines/<experiment>-<program>.json``, written here or by a job of *Publish*;
strangers send none. ``Timeline`` says what its fields are. Times are whole microseconds since the
program was started, so that two readers cannot differ in them.

Linux counts for each thread, in ``/proc/PID/task/TID/schedstat``, the nanoseconds that it ran and those
that it was ready and waited for a core; see ``sched-stats.rst`` of the kernel's documentation. Looking
often, we know where between two looks these went up, and from ``stat`` of the same folder on which
core. What is between two looks is known by its sum only: of a thread that runs and sleeps several
times meanwhile, a span each is left. Elsewhere there are no timelines.
"""

import dataclasses
import os
import re
import resource
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from poolwise.declaration import Count
from poolwise.experiment import ProfileName, StartMethod
from poolwise.machine import Cores, Name
from poolwise.process import listen
from poolwise.record import CELL, Variant
from poolwise.samplers import MOST_REST_S, PROC, Descendants, Observer
from poolwise.store import DamagedRecords, read_bytes, replace_file
from poolwise.trial import Bench, make_command

FOLDER = "timelines"
MOST_LANES = 64
MOST_SPANS = 2000
"""Spans of all lanes of a file together."""
CELLS = 120
"""In so many equal parts of the time it is told how many ran at once."""
WAITING = 0
"""In the place of a span's core: the thread was ready, but had none."""
LARGEST_BYTES = 256 << 10

Span = tuple[int, int, int]
"""From when to when, and on which core: 1 for the first that the program was given, or ``WAITING``."""


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


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """One watched run of a program.

    Of the ``wall_us`` the work began at ``work_us``, after the start and the imports: at 0 where the
    program has no ``main`` that says so. ``cpu_us`` is what the system counted of the whole tree,
    ``seen_us`` what was seen of it, in ``threads`` of ``processes``. ``lag_us`` is how late an event
    loop ran at the most. ``busy`` says for equal parts of the time how many threads ran at once, in
    thousandths. Of ``lanes`` there are no more than ``MOST_LANES``: those that ran longest.
    """

    schema: Literal[1] = 1
    experiment: Name
    program: Name
    family: Name
    machine: Name
    interpreter: Name
    start_method: StartMethod | None
    cores: Cores
    workers: Count
    tasks: Count
    profile: ProfileName
    fingerprint: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
    measured_at: Annotated[datetime, Meta(tz=True)]
    wall_us: Annotated[int, Meta(ge=1)]
    work_us: int
    cpu_us: int
    seen_us: int
    processes: int
    threads: int
    lag_us: int | None = None
    busy: list[int]
    lanes: list[Lane]

    @property
    def coverage(self) -> float:
        """The share of the CPU time that was seen, at most 1."""
        return min(1.0, self.seen_us / self.cpu_us) if self.cpu_us else 1.0


def locate_timeline(results: Path, machine: str, experiment: str, program: str) -> Path:
    """Where the timeline of a program is kept."""
    return results / machine / FOLDER / f"{experiment}-{program}.json"


def list_timelines(results: Path, machine: str = "") -> list[Path]:
    """The files of a machine's timelines, by default of all."""
    return sorted(results.glob(f"{machine or '*'}/{FOLDER}/*.json"))


def read_timeline(path: Path) -> Timeline | None:
    """The timeline in a file, ``None`` if there is none; else, or out of its place, ``DamagedRecords``."""
    data = read_bytes(path, LARGEST_BYTES)
    if data is None:
        return None
    try:
        timeline = msgspec.json.decode(data, type=Timeline)
    except (ValueError, RecursionError) as error:
        raise DamagedRecords(f"{path}: {error}") from None
    place = locate_timeline(Path(), timeline.machine, timeline.experiment, timeline.program)
    if path.parts[-3:] != place.parts[-3:]:
        raise DamagedRecords(f"{path}: what it says of itself belongs into {place}")
    return timeline


def write_timeline(results: Path, timeline: Timeline) -> None:
    """Replace the file of a program's timeline."""
    path = locate_timeline(results, timeline.machine, timeline.experiment, timeline.program)
    replace_file(path, msgspec.json.encode(timeline) + b"\n")


INTERVAL_S = 0.002
"""How far looks are apart at least. They rest as long as one took, too: with a thousand threads."""
MOST_FILES = 8192
"""How many files may be open meanwhile, two for each thread, where the system allows so many."""


def is_watchable() -> bool:
    """Tell whether this system counts what a watcher reads."""
    try:
        return int((PROC / "self/schedstat").read_bytes().split()[2]) > 0
    except (OSError, ValueError, IndexError):
        return False


class Thread:
    """One thread as it was seen; times in microseconds of ``time.perf_counter``.

    ``process`` and ``number``, its own in that, count from 1 as they were seen.
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
            found = os.pread(self._schedstat, 100, 0).split()
            counts = (int(found[0]), int(found[1]))
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
        free_us = self.spans[-1][1] if self.spans else self.begin_us
        start_us = now_us - ran_us - waited_us
        start_us = max(free_us, start_us if is_ready else min(start_us, before_us))
        middle_us = max(start_us, min(start_us + waited_us, now_us - ran_us))
        self._add(start_us, middle_us, WAITING)
        self._add(middle_us, min(middle_us + ran_us, now_us), self._cores.get(cpu, 1))

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


class Watcher(Observer):
    """Looks at each thread of the tree, from ``begin_us`` on, and keeps those seen in ``threads``.

    Spans call the ``cores`` that the program is given 1, 2, ….
    """

    def __init__(self, cores: tuple[int, ...]) -> None:
        self._cores = {cpu: number for number, cpu in enumerate(cores, 1)}
        super().__init__()
        self._living: dict[tuple[int, int], Thread] = {}
        self._counts: dict[int, int] = {}
        self.threads: list[Thread] = []
        self.begin_us = 0

    @contextmanager
    def watch(self, root: int) -> Iterator[None]:
        """Watch what descends from the process ``root``, the root itself excluded."""
        limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(limit, wanted), most))
        try:
            self.begin_us = read_clock()
            with super().watch(root):
                yield
        finally:
            for one in self._living.values():
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))

    def _look_on(self, descendants: Descendants) -> None:
        before_us = self.begin_us
        while True:
            began_us = read_clock()
            self._look(descendants, before_us)
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
            self._counts[pid] = thread.number = self._counts.get(pid, 0) + 1
            thread.process = [*self._counts].index(pid) + 1
            self._living[pid, tid] = thread
            self.threads.append(thread)


def read_clock() -> int:
    """Microseconds of the clock that marks of programs go by too."""
    return time.perf_counter_ns() // 1000


MARKS = {"TASK_MARKS": "1", "MAIN_MARK": "1"}
"""The variables that have tasks and the start of the work marked; see the heartbeat."""
_STEP = re.compile(r"^(\d{1,9}) (\d{1,18}) (\d{1,18}) (.*)$", re.MULTILINE)


class TaskStep(NamedTuple):
    """A task ran once: in which process and thread, its number there, its function and when.

    Times are microseconds of the clock ``time.perf_counter``.
    """

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


def read_begin_us(folder: Path) -> int | None:
    """Read when ``main`` of the program was called; ``None`` if it has none."""
    try:
        return int((folder / "begin.main").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


LIMIT_S = 5.0
"""How long a program is watched at the most; what is still running then is ended."""
JOINED_US = 500
"""A run that others broke for less than this is drawn as one: looking itself breaks it as often."""
MOST_LETTERS = 40


def trace_program(
    bench: Bench, variant: Variant, cores: tuple[int, ...], fingerprint: str
) -> Timeline | None:
    """Run a program once, watched; ``None`` if nothing was seen of it.

    Whether it did its work is a matter of its trials: one that fails has a timeline, too, which is
    valid for ``fingerprint``.
    """
    watcher = Watcher(cores)
    with listen(bench.launcher.folder) as ear:
        own = make_command(bench, variant, cores)
        env, timeout_s = {**own.env, **ear.env, **MARKS}, min(LIMIT_S, bench.profile.timeout_s)
        command = dataclasses.replace(own, env=env, timeout_s=timeout_s, grace_s=LIMIT_S)
        outcome = bench.launcher.run(command, watcher)
        late_s, steps = [max(beats) for beats in ear.hear()], list(read_steps(ear.folder))
        work_us = read_begin_us(ear.folder)
    threads = watcher.threads
    if outcome.error or not threads:
        return None
    start_us, wall_us = min(one.begin_us for one in threads), max(1, round(outcome.wall_s * 1e6))
    return Timeline(
        **{name: getattr(variant, name) for name in CELL if name not in ("gil", "params")},
        profile=bench.profile.name,
        fingerprint=fingerprint,
        measured_at=datetime.now(UTC),
        wall_us=wall_us,
        work_us=0 if work_us is None else min(max(0, work_us - start_us), wall_us),
        cpu_us=round(outcome.cpu_s * 1e6),
        seen_us=sum(one.running_us for one in threads),
        processes=len({one.pid for one in threads}),
        threads=len(threads),
        lag_us=round(max(late_s) * 1e6) if late_s else None,
        busy=count_busy([one.spans for one in threads], start_us, wall_us),
        lanes=thin([*make_lanes(threads, start_us), *make_task_lanes(steps, threads, start_us)]),
    )


def make_lanes(threads: Sequence[Thread], start_us: int) -> list[Lane]:
    """Lanes of the threads that ran longest, processes and threads numbered as they were seen."""
    lanes = []
    longest = sorted(threads, key=lambda one: one.running_us, reverse=True)[:MOST_LANES]
    for one in sorted(longest, key=lambda one: (one.process, one.number)):
        spans = [(begin - start_us, end - start_us, core) for begin, end, core in one.spans]
        lanes.append(
            Lane(
                process=one.process,
                thread=one.number,
                begin_us=one.begin_us - start_us,
                end_us=one.end_us - start_us,
                running_us=one.running_us,
                waiting_us=one.waiting_us,
                spans=join(spans, JOINED_US),
            )
        )
    return lanes


def make_task_lanes(
    steps: Iterable[TaskStep], threads: Sequence[Thread], start_us: int
) -> list[Lane]:
    """Lanes of the tasks that ran first, on the cores where their threads were then."""
    seen = {(one.pid, one.tid): one for one in threads}
    tasks: dict[tuple[int, int, int], list[TaskStep]] = {}
    for step in steps:
        is_own = not step.function.startswith("BaseEventLoop.")  # it shuts itself down by some
        if is_own and (step.pid, step.thread) in seen:
            tasks.setdefault((step.pid, step.thread, step.task), []).append(step)
    lanes = []
    for own in sorted(tasks.values(), key=lambda steps: steps[0].begin_us)[:MOST_LANES]:
        thread = seen[own[0].pid, own[0].thread]
        spans = [
            (one.begin_us - start_us, one.end_us - start_us, find_core(thread, one.begin_us))
            for one in own
        ]
        lanes.append(
            Lane(
                process=thread.process,
                thread=thread.number,
                task=own[0].task,
                name=own[0].function.rpartition(".")[2][:MOST_LETTERS],
                begin_us=spans[0][0],
                end_us=spans[-1][1],
                running_us=sum(end - begin for begin, end, _ in spans),
                waiting_us=0,
                spans=spans,
            )
        )
    return lanes


def find_core(thread: Thread, moment_us: int) -> int:
    """The core on which a thread ran at a moment, or did before it; 1 if it was not seen to."""
    last = bisect_right(thread.spans, moment_us, key=lambda span: span[0])
    return next((core for *_, core in reversed(thread.spans[:last][-4:]) if core), 1)


def join(spans: Iterable[Span], gap_us: int) -> list[Span]:
    """Spans without the waits shorter than a gap, runs on one core that are closer than it as one."""
    joined: list[Span] = []
    for begin, end, kind in spans:
        if kind == WAITING and end - begin < gap_us:
            continue
        if joined and joined[-1][2] == kind and begin - joined[-1][1] < gap_us:
            begin = joined.pop()[0]  # noqa: PLW2901
        joined.append((begin, end, kind))
    return joined


def count_busy(every: Iterable[Sequence[Span]], start_us: int, wall_us: int) -> list[int]:
    """How many threads ran at once in each of ``CELLS`` equal parts of the time, in thousandths."""
    busy_us = [0.0] * CELLS
    for begin, end, core in chain.from_iterable(every):
        first, last = begin - start_us, min(end - start_us, wall_us)
        for cell in range(first * CELLS // wall_us, min(last * CELLS // wall_us + 1, CELLS)):
            inside_us = min(last, wall_us * (cell + 1) / CELLS) - max(first, wall_us * cell / CELLS)
            if core != WAITING and inside_us > 0:
                busy_us[cell] += inside_us
    return [round(1000 * one * CELLS / wall_us) for one in busy_us]


def thin(lanes: Sequence[Lane]) -> list[Lane]:
    """Lanes of at most ``MOST_SPANS`` spans: where there are more, joined over ever larger gaps."""
    gap_us, found = JOINED_US, list(lanes)
    while sum(len(lane.spans) for lane in found) > MOST_SPANS:
        gap_us *= 2
        found = [replace(lane, spans=join(lane.spans, gap_us)) for lane in lanes]
    return found
