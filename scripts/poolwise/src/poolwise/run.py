"""Run: carry out what is planned, trial by trial, into the records of a store."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from operator import add, attrgetter
from pathlib import Path
from time import monotonic

from poolwise.comparison import Contender, Rules, hold_contest
from poolwise.load import Meter
from poolwise.machine import Pair
from poolwise.plan import Job, Step, name_cores
from poolwise.process import Command, Launcher
from poolwise.progress import NOTHING_ELSE, Outlook, Progress, format_duration, report
from poolwise.pythons import strip_environment
from poolwise.record import MOST_REPEATS, Record, Trial, add_trial
from poolwise.samplers import Pacer
from poolwise.store import RecordsError, Store
from poolwise.trial import Bench, run_server, run_trial
from poolwise.words import Failed

PAIR_ROUNDS = 16  # even: each side is first in half of them
PAIR_BUDGET_S = 60.0
RunTrial = Callable[[Bench, Step, tuple[int, ...]], Trial]
# A third of a second: in 50 ms, which core a run gets, and how fast that is, decide too much.
PAIR_WORK = "sum(i * i for i in range(5_000_000))"
SAVE_EVERY_S = 2.0  # seconds between two saves at least
SAVE_SHARE = 1 / 50  # of the time may be spent on saving: megabytes are saved less often
# Notes how far a run is: its present experiment, the trials kept so far and those planned.
Note = Callable[[str, int, int], None]


def measure_pair(launcher: Launcher) -> Pair | None:
    """Measure one short program as if it were two; ``None`` if it could not be run."""
    argv = (sys.executable, "-I", "-S", "-c", PAIR_WORK)
    command = Command(argv=argv, env=strip_environment(os.environ), cwd=Path("/"))
    sides = [Contender(name=name, command=command) for name in ("first", "second")]
    rules = Rules(rounds=PAIR_ROUNDS, whole=True, least=2)
    with suppress(Failed):
        hold_contest(sides, launcher, lambda _: None, PAIR_BUDGET_S, rules)
        first_s, second_s = (tuple(map(attrgetter("wall_s"), side.laps)) for side in sides)
        return Pair(first_s=first_s, second_s=second_s, measured_at=datetime.now(UTC))
    return None


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of collecting: number of trials, seconds in all, seconds inside programs."""

    trials: int = 0
    total_s: float = 0.0
    inside_s: float = 0.0

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(*map(add, astuple(self), astuple(other)))


def collect(
    jobs: Sequence[Job],
    store: Store,
    usable: tuple[int, ...],
    meter: Meter,
    *,
    pacer: Pacer | None = None,
    note: Note | None = None,
    outlook: Outlook = NOTHING_ELSE,
    run: RunTrial = run_trial,
) -> Summary:
    """Run all steps of all jobs, saving the store as it goes, however it ends.

    How far it is goes to ``note`` with each save. The ``meter`` says what others take
    meanwhile: as long as they stay, no disturbed trial is repeated.
    Of the ``usable`` cores a variant of n gets the first n; the load server gets the others, or all where
    there are no others. ``run`` runs a trial.
    """
    for job in jobs:
        for record in job.records.values():
            store.put(record)
    meter.begin()
    steps = list(chain.from_iterable(job.steps for job in jobs))
    progress = Progress(steps, sys.stderr, monotonic, outlook)
    collection = _Collection(store, usable, meter, pacer, progress, note)
    collection.note_progress()
    try:
        with Launcher() as launcher:
            for job in jobs:
                collection.run_job(job, launcher, run)
            keep_pair(store, launcher)  # last: who stops it loses no trial
    finally:
        collection.save()
        progress.close()
    return Summary(len(steps), progress.took_s, collection.inside_s)


@dataclass
class _Collection:
    """Trials on their way into a store, which is saved after the first, then as often as is cheap."""

    store: Store
    usable: tuple[int, ...]
    meter: Meter
    pacer: Pacer | None
    progress: Progress
    note: Note | None
    inside_s: float = 0.0
    kept: int = 0
    experiment: str = ""
    save_due_s: float = 0.0

    def run_job(self, job: Job, launcher: Launcher, run: RunTrial) -> None:
        """Run the steps of a job whose variants have not failed."""
        self.experiment = job.experiment.name
        with run_server(job.experiment, job.profile) as server:
            for step in job.steps:
                is_busy = self.meter.load.is_busy
                self.progress.start(f"busy: {self.meter.load} · " if is_busy else "")
                record = self.store.find(step.variant, job.profile.name)
                if record and record.status == "ok":
                    bench = Bench(
                        experiment=job.experiment,
                        profile=job.profile,
                        installation=job.installations[step.variant.interpreter],
                        launcher=launcher,
                        server=server,
                        pacer=self.pacer,
                    )
                    trial = run(bench, step, bench.take_cores(step.variant, self.usable))
                    self.keep(record, step, trial, is_busy=is_busy)
                self.progress.finish()

    def keep(self, record: Record, step: Step, trial: Trial, *, is_busy: bool) -> None:
        """Add a trial to its record, and save if enough time has passed since the last save."""
        self.inside_s += trial.lasted_s
        if trial.status == "ok" and not step.traced:
            self.meter.add(trial, step.variant.cores)
        record = add_trial(
            record,
            replace(trial, session=self.store.session),
            traced=step.traced,
            now=datetime.now(UTC),
            repeats=MOST_REPEATS if self.pacer and not is_busy else 0,
            is_slowed=bool(self.pacer and self.pacer.is_far(trial.read("slowed_share"))),
        )
        self.store.put(record)
        self.kept += 1
        if monotonic() >= self.save_due_s:
            self.save()
        if record.status != "ok":
            report(f"{record.variant.program}: {record.status}, {record.reason}")

    def save(self) -> None:
        """Save, and note how far the run is."""
        began_s = monotonic()
        self.store.save()
        self.note_progress()
        ended_s = monotonic()
        self.save_due_s = ended_s + max(SAVE_EVERY_S, (ended_s - began_s) / SAVE_SHARE)

    def note_progress(self) -> None:
        """Note how far the run is."""
        if self.note:
            self.note(self.experiment, self.kept, len(self.progress.steps))


def keep_lacking(jobs: Sequence[Job], store: Store) -> None:
    """Store the reason of each cell that cannot be run, and report it."""
    for problem in dict.fromkeys(chain.from_iterable(job.problems for job in jobs)):
        report(problem)
    lines = set()
    for job in jobs:
        for record in job.records.values():
            if record.reason:
                store.put(record)
                lines.add(f"{record.experiment}, {record.interpreter}: {record.reason}")
    for line in sorted(lines):
        report(f"{line}; what imports it is not measured")
    if lines:
        store.save()


def keep_pair(store: Store, launcher: Launcher) -> None:
    """Measure what a machine can tell apart, once a day; the store's machine has it then."""
    known = store.machine.pair
    if known is None or known.measured_at.date() != datetime.now(UTC).date():
        report("measuring one program as if it were two: what this machine can tell apart")
        store.machine = replace(store.machine, pair=measure_pair(launcher) or known)


def describe_job(job: Job) -> str:
    """The plan of one experiment in a line: how much there is to do and how long it may take."""
    variants = {step.variant for step in job.steps}
    cores = name_cores(sorted({variant.cores for variant in variants}))
    estimate_s = sum(step.estimate_s for step in job.steps)
    return (
        f"{job.experiment.name} ({job.profile.name}): {len(variants)} variants on {cores}, "
        f"{len(job.steps)} trials, about {format_duration(estimate_s)}"
    )


@contextmanager
def take_turn(folder: Path) -> Iterator[None]:
    """Only one build at a time works with a folder; another one waits and says so."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("another build is at work here; waiting for it to finish")
            fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError as error:
        raise RecordsError(f"{folder}: nothing can be kept: {error.strerror}") from None
    with lock:  # given back when it is closed
        yield
