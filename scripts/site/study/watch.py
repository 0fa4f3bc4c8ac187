"""Watching: the pass that sees when each thread of a program runs, apart from timing.

Linux counts for each thread, in ``/proc/PID/task/TID/schedstat``, the nanoseconds that it ran and those
that it was ready and waited for a core; see ``sched-stats.rst`` of the kernel's documentation. Looking
often, we know where between two looks these went up, and from ``stat`` of the same folder on which
core. What is between two looks is known by its sum only: of a thread that runs and sleeps several
times meanwhile, a span each is left. Elsewhere there are no timelines.
"""

import os
import re
import resource
import time
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from statistics import median
from typing import NamedTuple

from msgspec import structs

from poolwise.dependencies import find_packages, prepare, take_fingerprint
from poolwise.experiment import Experiment, ProfileName
from poolwise.machine import usable_cores
from poolwise.output import read_output
from poolwise.process import Launcher, listen
from poolwise.progress import Bar
from poolwise.pythons import Installation
from poolwise.record import CELL, Variant
from poolwise.samplers import MOST_REST_S, PROC, Descendants, Observer
from poolwise.store import RecordsError
from poolwise.trial import Bench, make_command, run_server
from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.needs import list_claimed
from scripts.site.study.cells import Cells
from scripts.site.study.timeline import (
    WAITING,
    Lane,
    Span,
    Timeline,
    locate_timeline,
    read_timeline,
    write_timeline,
)

INTERVAL_S = 0.002  # between looks; as long as one took, with a thousand threads
RUNS = 5  # of which that of median length is kept
WATCHED_S = 5.0  # what is still running then is ended
LONGEST_S = 2.5  # what takes longer is watched at the size of the smoke profile, or not at all
JOINED_US = 500  # a run that others broke for less is one: looking itself breaks it as often
MOST_LANES = 64
MOST_SPANS = 2000  # of all lanes of a file together
PARTS = 120  # of the time: for each it is told how many threads ran at once
LONGEST_NAME = 40

# The variables that have tasks and the start of the work marked; see the heartbeat.
MARKS = {"TASK_MARKS": "1", "MAIN_MARK": "1"}
_STEP = re.compile(r"^(\d{1,9}) (\d{1,18}) (\d{1,18}) (.*)$", re.MULTILINE)


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


def trace_program(
    bench: Bench, variant: Variant, cores: tuple[int, ...], fingerprint: str
) -> Timeline | None:
    """Run a program once, watched; ``None`` if nothing was seen of it.

    Whether it did its work is a matter of its trials: one that fails has a timeline, too.
    """
    watcher = Watcher(cores)
    with listen(bench.launcher.folder) as ear:
        command = make_command(bench, variant, cores)
        command = replace(
            command,
            env={**command.env, **ear.env, **MARKS},
            timeout_s=min(WATCHED_S, bench.profile.timeout_s),
            grace_s=WATCHED_S,
        )
        outcome = bench.launcher.run(command, watcher)
        late_s = list(chain.from_iterable(ear.hear()))
        steps = list(read_steps(ear.folder))
        work_us, end_us = (read_mark_us(ear.folder, name) for name in ("begin.main", "end.time"))
    threads = watcher.threads
    if outcome.error or not threads:
        return None
    start_us = min(thread.begin_us for thread in threads)
    wall_us = max(1, round(outcome.wall_s * 1e6))
    if work_us is None:
        work_us = start_us
    inside_s = read_output(outcome.stdout, bench.experiment.readings).inside_s
    inside_us = None
    if end_us is not None and inside_s is not None:
        end_us = min(max(0, end_us - start_us), wall_us)
        inside_us = max(0, end_us - round(inside_s * 1e6)), end_us
    return Timeline(
        **{name: getattr(variant, name) for name in CELL if name not in ("gil", "params")},
        profile=bench.profile.name,
        fingerprint=fingerprint,
        measured_at=datetime.now(UTC),
        wall_us=wall_us,
        work_us=min(max(0, work_us - start_us), wall_us),
        inside_us=inside_us,
        cpu_us=round(outcome.cpu_s * 1e6),
        seen_us=sum(thread.running_us for thread in threads),
        processes=max(thread.process for thread in threads),
        threads=len(threads),
        lag_us=round(max(late_s) * 1e6) if late_s else None,
        busy=count_busy((thread.spans for thread in threads), start_us, wall_us),
        lanes=thin([*make_lanes(threads, start_us), *make_task_lanes(steps, threads, start_us)]),
    )


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


@dataclass(frozen=True, slots=True)
class Trace:
    """A program to watch on an interpreter at a size, which is one of a profile."""

    experiment: Experiment
    installation: Installation
    variant: Variant
    profile: ProfileName

    @property
    def fingerprint(self) -> str:
        """What its timeline is valid for."""
        interpreter = self.installation.interpreter
        return take_fingerprint(self.experiment, self.variant, self.profile, interpreter)


def equip(traces: Iterable[Trace]) -> list[Trace]:
    """Give each program the packages that it imports; what lacks one is left out."""
    equipped = []
    for trace in traces:
        version = trace.installation.interpreter.version
        packages = find_packages(trace.experiment, trace.variant.program, version)
        environment = prepare(trace.installation, packages)
        if not environment.missing:
            equipped.append(replace(trace, installation=environment.installation))
    return equipped


def trace_all(traces: Sequence[Trace], results: Path, stage: str) -> None:
    """Watch programs one after the other, and write their timelines."""
    done = 0
    with Bar(stage, len(traces)) as bar:
        for _, group in groupby(traces, key=lambda trace: (trace.experiment.name, trace.profile)):
            first, *others = group
            experiment, profile = first.experiment, first.experiment.profiles[first.profile]
            with run_server(experiment, profile) as server, Launcher() as launcher:
                for trace in (first, *others):
                    bar.show(done, f"{experiment.name}/{trace.variant.program}")
                    done += 1
                    bench = Bench(
                        experiment=experiment,
                        profile=profile,
                        installation=trace.installation,
                        launcher=launcher,
                        server=server,
                    )
                    cores = bench.take_cores(trace.variant, usable_cores())
                    run = partial(trace_program, bench, trace.variant, cores, trace.fingerprint)
                    timelines = [timeline for _ in range(RUNS) if (timeline := run())]
                    timelines.sort(key=lambda timeline: timeline.end_us - timeline.begin_us)
                    if timelines:
                        write_timeline(results, timelines[len(timelines) // 2])


def list_untraced(
    cells: Cells, declared: Declarations, results: Path, *, anew: bool
) -> list[Trace]:
    """List the programs without a valid timeline that pages show, or all of these.

    In smoke it is those that argue no claim, as none is decided there. Where the system does not tell
    when threads run, nothing is watched.
    """
    traces: list[Trace] = []
    if not is_watchable():
        return traces
    for path, id_ in sorted(declared.watched.items()):
        name, _, program = path.partition("/")
        claims = [claim for claim in declared.claims.get(name, ()) if claim.id == id_]
        if name in cells.experiments and not (claims and cells.profile == "smoke"):
            trace = _find_trace(cells, cells.experiments[name], program, claims)
            if trace and (anew or not _is_traced(results, trace)):
                traces.append(trace)
    return traces


def _find_trace(
    cells: Cells, experiment: Experiment, program: str, claims: Sequence[Claim]
) -> Trace | None:
    """Find on which interpreter and at which size a program is watched; ``None`` for none.

    That is as a claim compares it, if that is short. Where none does it is, on all cores, the largest of
    the profile at which it is short, or one of those of smoke.
    """
    selected = {(variant.experiment, variant.program) for variant in cells.selected}
    if (experiment.name, program) not in selected:
        return None
    compared: set[Variant] = set()
    if claims:
        empty = [cells.begin(variant) for variant in cells.list_variants(experiment)]
        compared = list_claimed(empty, claims, cells.machine.system)
        compared = {variant for variant in compared if variant.program == program}
    for installation in dict.fromkeys((*cells.wanted, *cells.every)):
        python = installation.interpreter.id
        trace: Trace | None = None
        for profile in dict.fromkeys((cells.profile, "smoke")):
            variants = [
                variant
                for variant in cells.list_variants(experiment, profile)
                if (variant.program, variant.interpreter) == (program, python)
            ]
            if compared:
                variants = [variant for variant in variants if variant in compared]
            cores = max((variant.cores for variant in variants), default=0)
            variants = [variant for variant in variants if variant.cores == cores]
            short = [variant for variant in variants if _is_short(cells, variant)]
            if short or (variants and not compared):  # of one size, what is declared first
                largest = max(short or variants, key=attrgetter("tasks", "workers"))
                trace = Trace(experiment, installation, largest, profile)
            if short or compared:
                break
        if trace:
            return trace
    return None


def _is_short(cells: Cells, variant: Variant) -> bool:
    record = cells.find_valid(variant)
    return record is not None and bool(record.wall_s) and median(record.wall_s) <= LONGEST_S


def _is_traced(results: Path, trace: Trace) -> bool:
    variant = trace.variant
    path = locate_timeline(results, variant.machine, variant.experiment, variant.program)
    try:
        timeline = read_timeline(path)
    except RecordsError:
        return False
    return timeline is not None and timeline.fingerprint == trace.fingerprint
