"""Samplers: what is seen of a program while it runs, from outside.

Memory and CPU time of its whole process tree over time: memory is PSS (proportional set size), in
which a page shared by n processes counts 1/n in each, so that a sum over the tree counts every page
once. See ``smaps_rollup`` in proc(5). A sampled peak is a lower bound: what comes and goes between two
samples is not seen, and samples during which a process ended, or in which one may not be read, are
thrown away.

Disturbance, how much of its cores others took meanwhile (proc(5), ``/proc/stat``): what the hypervisor
gave to other machines is *steal*, and what was busy beyond the program's tree and the load server were
other programs. In a container both are the host's.

Pace, what of their best pace the cores lack, timed just before and just after each trial. The
neighbours of a rented machine share units of its cores: for a tenth of a second or for ten, a core
then computes at half its pace, and no system counts that as stolen. So some 2 ms of work are timed on
each core of a trial, in CPU seconds, which do not count what else runs there. Nothing of ours computes
meanwhile, so a program never slows the pace that is noted for it.

Lag, how late its event loops ran, as the heartbeat in its processes noted it.
"""

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import pbkdf2_hmac
from itertools import repeat
from operator import sub
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Self

import psutil

from poolwise.metrics import MOST_SLOWED
from poolwise.record import TracePoint

SAMPLE_INTERVAL_S = 0.01  # how often the tree is sampled, at most: hence a pass of its own
# Between samples it rests as long as one took, but no longer than this: reading the memory of a
# process holds the process up, and where there are many it would keep a core from them.
MOST_REST_S = 0.05
# How many points of a trace are kept: enough for a chart, little enough for a results file.
MAX_POINTS = 200
PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Observer(ABC):
    """Looks in a thread of ours at all descendants of a process; one observer serves one run.

    Descendants must not leave the tree when their parents die: the root is a child subreaper.
    """

    def __init__(self) -> None:
        self._stopping = threading.Event()

    @contextmanager
    def watch(self, root: int) -> Iterator[None]:
        """Watch what descends from the process ``root``, the root itself excluded."""
        thread = threading.Thread(target=self._look_on, args=(Descendants(root),), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            thread.join()

    @abstractmethod
    def _look_on(self, descendants: "Descendants") -> None:
        """Look again and again, until it is to stop."""


class Sampler(Observer):
    """Samples the memory and CPU time of the tree. Subclasses read the memory of one process."""

    def __init__(self) -> None:
        super().__init__()
        self._points: list[TracePoint] = []

    @property
    def trace(self) -> tuple[TracePoint, ...]:
        """What was seen, once the watching has ended; nothing where no memory could be read."""
        return thin_trace(self._points)

    def _look_on(self, descendants: "Descendants") -> None:
        if not (PROC / "self/smaps_rollup").exists():
            return
        cpu_s: dict[int, float] = {}  # of those that have ended, what was last seen
        start = time.perf_counter()
        due = start
        while True:
            now = time.perf_counter()
            pids = descendants.find()
            try:
                sizes = {pid: size for pid in pids if (size := self._read_pss(pid))}
            except PermissionError:
                sizes = {}  # without that process the sum would be too small
            for pid in pids:
                if fields := _read_stat(pid):
                    cpu_s[pid] = (int(fields[11]) + int(fields[12])) / TICKS_PER_S
            # When one of those just read ends, its shared pages count in the others once more.
            if sizes and all(map(_has_memory, sizes)):
                self._points.append((now - start, sum(sizes.values()), sum(cpu_s.values())))
            ended = time.perf_counter()
            due = max(due + SAMPLE_INTERVAL_S, ended + min(ended - now, MOST_REST_S))
            if self._stopping.wait(due - ended):
                return

    @abstractmethod
    def _read_pss(self, pid: int) -> int | None:
        """Bytes of PSS; ``None`` or zero if the process has gone or has no memory yet."""


class TreeSampler(Sampler):
    """Reads memory from ``/proc`` itself, which disturbs the program least."""

    def _read_pss(self, pid: int) -> int | None:
        try:
            with open(f"{PROC}/{pid}/smaps_rollup", "rb", buffering=0) as file:
                rollup = file.read()
        except PermissionError:
            raise
        except OSError:
            return None
        _, label, rest = rollup.partition(b"\nPss:")
        if not label:
            return None
        return int(rest.split(None, 1)[0]) * 1024


class ProfilerSampler(Sampler):
    """Asks memory_profiler for each process of the tree, with its ``psutil_pss`` backend.

    Its own way of including children stops counting at the first that has just ended.
    """

    def __init__(self) -> None:
        super().__init__()
        # Few experiments need it; it is slow to import, so that must not happen while one runs.
        from memory_profiler import memory_usage

        self._read_usage = memory_usage

    def _read_pss(self, pid: int) -> int | None:
        try:
            mebibytes = self._read_usage(pid, interval=0, backend="psutil_pss")[0]
        except psutil.NoSuchProcess:
            return None
        if mebibytes is None:
            raise PermissionError(f"the memory of process {pid} may not be read")
        return int(mebibytes * 1024 * 1024)


class Descendants:
    """The processes below ``root``. Remembers who is not, so that a tick reads only new ones."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._inside: set[int] = set()
        self._outside: set[int] = set()

    def find(self) -> set[int]:
        """Find the pids that descend from ``root`` now, zombies included."""
        present = {int(name) for name in os.listdir(PROC) if name.isdigit()}
        self._inside &= present
        self._outside &= present
        new = present - self._inside - self._outside
        parents = {pid: int(fields[1]) for pid in new if (fields := _read_stat(pid))}
        for pid in parents:
            self._place(pid, parents)
        return self._inside

    def _place(self, pid: int, parents: dict[int, int]) -> None:
        line = []
        while pid in parents and pid != self._root:
            line.append(pid)
            pid = parents[pid]
        if pid == self._root or pid in self._inside:
            self._inside.update(line)
        elif pid in self._outside or pid == 0:
            self._outside.update(line)
        # else an ancestor has just gone: the next tick sees whose child it has become


def _read_stat(pid: int) -> list[bytes]:
    """Read what proc(5) gives after a process's name; nothing if it has gone."""
    try:
        with open(f"{PROC}/{pid}/stat", "rb", buffering=0) as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _has_memory(pid: int) -> bool:
    """Tell whether a process is alive; a zombie has given its memory back."""
    try:
        return (PROC / f"{pid}/statm").read_bytes().split()[1] != b"0"
    except OSError:
        return False


def find_peak(trace: Sequence[TracePoint]) -> int | None:
    """Find the most bytes of a trace; ``None`` where no memory could be read."""
    return max((pss_bytes for _, pss_bytes, _ in trace), default=None)


def thin_trace(points: Sequence[TracePoint]) -> tuple[TracePoint, ...]:
    """Thin to ``MAX_POINTS``: of each of as many equal stretches of time the highest, and so the peak."""
    if len(points) <= MAX_POINTS:
        return tuple(points)
    start_s, end_s = points[0][0], points[-1][0]
    highest: dict[int, TracePoint] = {}
    for point in points:
        stretch = min(int((point[0] - start_s) / (end_s - start_s) * MAX_POINTS), MAX_POINTS - 1)
        if stretch not in highest or point[1] > highest[stretch][1]:
            highest[stretch] = point
    return tuple(highest.values())


# Fields of psutil that count as busy; guests count as their users', and systems other than Linux
# count fewer.
_BUSY = ("user", "nice", "system", "irq", "softirq")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """CPU seconds of each core up to a moment; ``stolen_s`` is ``None`` where it is uncounted."""

    at_s: float
    busy_s: tuple[float, ...]
    stolen_s: tuple[float, ...] | None

    @classmethod
    def read(cls) -> Self:
        """Read what the system has counted up to now."""
        cores = [times._asdict() for times in psutil.cpu_times(percpu=True)]
        at_s, stolen_s = perf_counter(), None
        if all("steal" in times for times in cores):
            stolen_s = tuple(times["steal"] for times in cores)
        busy_s = tuple(sum(map(times.get, _BUSY, repeat(0.0))) for times in cores)
        return cls(at_s=at_s, busy_s=busy_s, stolen_s=stolen_s)


def find_shares(
    before: Usage, after: Usage, used_s: float, cores: Sequence[int] = ()
) -> tuple[float | None, float]:
    """Find how many of some cores, or of all, were stolen meanwhile, and how many others kept busy.

    ``used_s`` is what the program's tree, and the load server, used of them.
    """
    elapsed_s = after.at_s - before.at_s
    # To the microsecond: what rounding leaves of equal times is no time that others took.
    others_s = max(0.0, round(_sum_up(before.busy_s, after.busy_s, cores) - used_s, 6))
    if after.stolen_s is None or before.stolen_s is None:
        return None, others_s / elapsed_s
    stolen_s = max(0.0, _sum_up(before.stolen_s, after.stolen_s, cores))
    return stolen_s / elapsed_s, others_s / elapsed_s


def _sum_up(before: Sequence[float], after: Sequence[float], cores: Sequence[int]) -> float:
    """Sum up what these cores have more than before, or all where not each is counted under its id."""
    # One may have come or gone meanwhile.
    more: list[float] = list(map(sub, after, before))
    if cores and max(cores) < len(more):
        return sum(more[core] for core in cores)
    return sum(more)


PACE_ITERATIONS = 6000
MOST_PACED_CORES = 8  # with more cores a trial would wait long for its readings
# A trial is slowed far beyond the usual if it lacked this much more of the best pace than the
# median trial before it: about what a neighbour on a shared core takes.
FAR_SHARE = 0.25
ENOUGH_TRIALS = 20  # the number of trials after which the usual pace of a machine is known


class Pacer:
    """Reads the pace of cores, and knows the best of each and the usual one of trials."""

    def __init__(self) -> None:
        self._best_ns: dict[int, int] = {}
        self._slowed_shares: list[float] = []

    def read(self, cores: Sequence[int]) -> float | None:
        """Return the share of their best pace that cores lack now; 0.5 is half as fast.

        ``None`` where a thread cannot be held to a core, as on macOS.
        """
        if not cores or not hasattr(os, "sched_setaffinity"):
            return None
        shares = []
        for core in cores[:MOST_PACED_CORES]:
            time_ns = time_work(core)
            best_ns = self._best_ns[core] = min(time_ns, self._best_ns.get(core, time_ns))
            shares.append(min(1 - best_ns / time_ns, MOST_SLOWED))
        return mean(shares)

    def is_far(self, slowed_share: float | None) -> bool:
        """Return whether a trial was slowed far beyond those before it."""
        if slowed_share is None:
            return False
        known = self._slowed_shares
        is_far = len(known) >= ENOUGH_TRIALS and slowed_share > median(known) + FAR_SHARE
        known.append(slowed_share)
        return is_far


def time_work(core: int) -> int:
    """Return the CPU nanoseconds that the work takes on a core."""
    times_ns: list[int] = []

    def work() -> None:
        os.sched_setaffinity(0, {core})
        pbkdf2_hmac(
            "sha256", b"pace", b"core", PACE_ITERATIONS // 10
        )  # warms the core and its caches
        began_ns = time.thread_time_ns()
        pbkdf2_hmac("sha256", b"pace", b"core", PACE_ITERATIONS)
        times_ns.append(max(1, time.thread_time_ns() - began_ns))

    thread = threading.Thread(target=work)  # of its own, as the binding is a thread's
    thread.start()
    thread.join()
    return times_ns[0]


HEARTBEAT = Path(__file__).parent / "heartbeat"


@dataclass(frozen=True, slots=True)
class Ear:
    """Hears the heartbeats of one run of a program that is started with ``env``."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        """The variables that make processes beat, and say where to note it."""
        return {"PYTHONPATH": str(HEARTBEAT), "LOOP_LAG_FOLDER": str(self.folder)}

    def hear(self) -> tuple[tuple[float, ...], ...]:
        """Read by how many seconds each beat was late, for each thread in which loops ran.

        What a process that was killed had not written to its end is left out.
        """
        loops = []
        for path in sorted(path for path in self.folder.iterdir() if not path.suffix):
            with suppress(ValueError):
                loops.append(tuple(map(float, path.read_text(encoding="ascii").split())))
        return tuple(filter(None, loops))
