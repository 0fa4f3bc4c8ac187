"""The pipeline: measure what has no valid record, store it, judge it.

Everything that shows numbers gets them from ``Pipeline.gather``; whoever asks first pays for the
measuring, all others find the records.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from filelock import FileLock, Timeout

from scripts.declare.declaration import MalformedDeclaration
from scripts.declare.experiment import Experiment, find_experiments
from scripts.host.cores import usable_cores
from scripts.host.interpreters import Installation, Interpreter, discover, prepare, select
from scripts.host.machine import describe_machine
from scripts.judge.evidence import Evidence
from scripts.judge.judge import judge_records
from scripts.measure.collect import Job, Summary, collect, say
from scripts.measure.load_server import LoadServerError
from scripts.measure.plan import Done, list_steps, list_variants, select_variants
from scripts.measure.process import LauncherError
from scripts.paths import EXAMPLES, REQUIREMENTS
from scripts.records.fingerprint import take_fingerprint
from scripts.records.record import Record
from scripts.records.store import Store, read_machine
from scripts.records.variant import Variant
from scripts.settings import BadSetting, Settings

SEED = 2026
"""Of the shuffled rounds; recorded with every record."""

NOT_MEASURED = "not measured"

PROBLEMS = (BadSetting, MalformedDeclaration, LauncherError, LoadServerError)
"""What ends a command with a message for whoever gave it, and without a traceback."""


class Pipeline:
    """Settings, machine and records of one build.

    Args:
        settings: what to measure and show.
        examples: the folder of the experiments.
        retry: whether to measure again what failed; pages do not, or each of them would.

    Raises:
        BadSetting: INTERPRETERS, MACHINE or ONLY names nothing known.
        MalformedDeclaration: an ``experiment.toml`` is wrong.
    """

    def __init__(
        self, settings: Settings, *, examples: Path = EXAMPLES, retry: bool = False
    ) -> None:
        self.settings = settings
        self.experiments = {found.name: found for found in find_experiments(examples)}
        self.machine = describe_machine()
        self._retry = retry
        self._refreshed: set[str] = set()
        try:
            self._wanted = select(settings.interpreters)
            self._elsewhere = read_machine(settings.results, settings.machine, self.machine.id)
        except ValueError as error:
            raise BadSetting(str(error)) from None
        self._every = self._find_every()
        self.interpreters = tuple(
            dict.fromkeys(one.interpreter for one in (*self._wanted, *self._every))
        )
        if self._elsewhere:
            self.machine = self._elsewhere[0].machine
            self.interpreters = tuple(results.interpreter for results in self._elsewhere)
        self._store = Store(settings.results, self.machine, self.interpreters, say)
        self._selected = self._select()

    def gather(self, name: str) -> Evidence:
        """The judged records of an experiment, measured first where they are missing.

        A cell without a record, because measuring is off, because ONLY left it out or because
        the machine is another one, is ``unavailable``.

        Raises:
            KeyError: there is no such experiment.
            BadSetting, LauncherError, LoadServerError: as ``measure``.
        """
        experiment = self.experiments[name]
        self.measure([name])
        variants = self._list_variants(experiment)
        valid = [self._find_valid(experiment, variant) for variant in variants]
        shown = [
            record or self._begin(experiment, variant, absent=True)
            for variant, record in zip(variants, valid, strict=True)
        ]
        return Evidence(
            experiment=experiment,
            profile=self.settings.profile,
            machine=self.machine,
            interpreters=self._list_interpreters(variants),
            judgements=judge_records(experiment, shown) if any(valid) else (),
            generated_at=datetime.now(UTC),
        )

    def measure(self, names: Sequence[str]) -> Summary:
        """Measure what the experiments lack; says first what that is and how long it may take.

        Interrupted, it keeps what was measured and raises ``KeyboardInterrupt``. Nothing is
        measured where settings forbid it, nor in place of another machine.

        Raises:
            BadSetting: an interpreter of INTERPRETERS cannot be given its packages.
            LauncherError: programs can no longer be run.
            LoadServerError: the load server did not start, or died.
        """
        if self._elsewhere or not self.settings.measure:
            return Summary()
        with _take_turn(self.settings.results):
            self._store.read()
            jobs = [self._plan(self.experiments[name]) for name in names]
            jobs = [job for job in jobs if job.steps]
            return collect(jobs, self._store, usable_cores()) if jobs else Summary()

    def _select(self) -> set[Variant]:
        everything = [
            variant
            for experiment in self.experiments.values()
            for variant in self._list_variants(experiment)
        ]
        try:
            return set(select_variants(everything, self.settings.only))
        except ValueError as error:
            raise BadSetting(str(error)) from None

    def _list_variants(self, experiment: Experiment) -> tuple[Variant, ...]:
        """The cells of an experiment: planned for this machine, or as recorded on another.

        What was recorded of a program or family that is no longer declared is no cell.
        """
        if self._elsewhere:
            declared = {
                (one.name, family) for one in experiment.programs for family in one.families
            }
            return tuple(
                record.variant
                for results in self._elsewhere
                for record in results.records
                if record.variant.experiment == experiment.name
                and (record.variant.program, record.variant.family) in declared
                and record.profile == self.settings.profile
            )
        profile = experiment.profiles[self.settings.profile]
        return list_variants(
            experiment,
            profile,
            self.machine.id,
            [one.interpreter for one in self._wanted],
            [one.interpreter for one in self._every],
            len(usable_cores()),
        )

    def _find_every(self) -> tuple[Installation, ...]:
        """What runs the families for each Python found: those found, unless some are named."""
        asked = any(
            family.interpreters == "every"
            for experiment in self.experiments.values()
            for family in experiment.families
        )
        return discover() if asked and self.settings.interpreters == "auto" else self._wanted

    def _list_interpreters(self, variants: Sequence[Variant]) -> tuple[Interpreter, ...]:
        """Those of the variants; of no variants, those of this build."""
        used = {variant.interpreter for variant in variants}
        found = tuple(one for one in self.interpreters if one.id in used)
        return found or self.interpreters

    def _prepare(self, experiment: Experiment) -> dict[str, Installation]:
        """What runs the programs, by interpreter: with the packages, except what needs none."""
        names = {variant.interpreter for variant in self._list_variants(experiment)}
        bare = {one.interpreter.id: one for one in self._every}
        wanted = [one for one in self._wanted if one.interpreter.id in names]
        try:
            return bare | {one.interpreter.id: prepare(one, REQUIREMENTS) for one in wanted}
        except RuntimeError as error:
            raise BadSetting(f"INTERPRETERS={self.settings.interpreters}: {error}") from None

    def _plan(self, experiment: Experiment) -> Job:
        """What is still to be run. FRESH forgets the records of an experiment once."""
        profile = experiment.profiles[self.settings.profile]
        forget = self.settings.fresh and experiment.name not in self._refreshed
        self._refreshed.add(experiment.name)
        begun: dict[Variant, Record] = {}
        estimates_s: dict[Variant, float] = {}
        for variant in self._list_variants(experiment):
            if variant not in self._selected:
                continue
            old = self._store.find(variant, profile.name)
            walls_s = [trial.wall_s for trial in old.timed] if old else []
            estimates_s[variant] = median(walls_s) if walls_s else profile.estimate_s
            valid = None if forget else self._find_valid(experiment, variant)
            if valid is None or (self._retry and valid.status != "ok"):
                begun[variant] = self._begin(experiment, variant)
            elif valid.status == "ok":
                begun[variant] = valid
        done = {
            variant: Done(traced=len(record.traced), timed=len(record.timed))
            for variant, record in begun.items()
        }
        return Job(
            experiment=experiment,
            profile=profile,
            steps=tuple(list_steps(tuple(begun), profile, SEED, done)),
            begun=begun,
            estimates_s=estimates_s,
            installations=self._prepare(experiment),
        )

    def _find_valid(self, experiment: Experiment, variant: Variant) -> Record | None:
        record = self._store.find(variant, self.settings.profile)
        if record and record.fingerprint == self._fingerprint(experiment, variant):
            return record
        return None

    def _begin(self, experiment: Experiment, variant: Variant, *, absent: bool = False) -> Record:
        return Record(
            variant=variant,
            profile=self.settings.profile,
            fingerprint=self._fingerprint(experiment, variant),
            seed=SEED,
            status="unavailable" if absent else "ok",
            reason=NOT_MEASURED if absent else "",
            measured_at=datetime.now(UTC),
        )

    def _fingerprint(self, experiment: Experiment, variant: Variant) -> str:
        interpreters = {interpreter.id: interpreter for interpreter in self.interpreters}
        return take_fingerprint(
            experiment, variant, self.settings.profile, interpreters[variant.interpreter]
        )


@contextmanager
def _take_turn(folder: Path) -> Iterator[None]:
    """Only one build at a time measures into a folder; another one waits and says so."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say("another build is measuring here; waiting for it to finish")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
