"""The pipeline: measure what has no valid record, store it, judge it.

All that shows numbers gets them from ``Pipeline.gather``; whoever asks first pays for measuring.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

from scripts.cells import Cells
from scripts.declare.declaration import MalformedDeclaration
from scripts.declare.experiment import Experiment
from scripts.declare.profile import BUDGETS_S
from scripts.declare.reason import Code
from scripts.declare.site import Declarations, load_declarations
from scripts.host.cores import usable_cores
from scripts.host.discovery import select
from scripts.host.machine import Machine, describe_machine
from scripts.judge.evidence import Evidence
from scripts.judge.look import count_open, take_look
from scripts.machines import OtherMachines, open_recorded, stand_in, tell_untrue
from scripts.measure.collect import Summary, collect, keep_lacking, report, take_turn
from scripts.measure.job import Job, Order, plan_job
from scripts.measure.load_server import LoadServerError
from scripts.measure.pace import Pacer
from scripts.measure.plan import Done, count_trials
from scripts.measure.process import LauncherError
from scripts.measure.progress import Pause
from scripts.measure.rounds import LEVELS, count_repeats, give_more
from scripts.records.file import DamagedRecords, RecordsError
from scripts.records.record import Variant
from scripts.records.rules import FIRST_DATE
from scripts.records.store import Store, read_machine
from scripts.settings import BadSetting, Settings
from scripts.timelines import trace_missing

Watch = Callable[[], None]
PROBLEMS = (BadSetting, MalformedDeclaration, LauncherError, LoadServerError, RecordsError)
"""What ends a command with a message for whoever gave it, and without a traceback."""


class Pipeline:
    """Settings, machine and records of one build.

    Args:
        settings: what to measure and show.
        declared: the experiments, and what else the pages need; by default this project's.
        retry: whether to measure again what failed; pages do not, or each of them would.

    Raises:
        BadSetting: INTERPRETERS, MACHINE or ONLY names nothing known.
        MalformedDeclaration: something that is declared is wrong.
        RecordsError: records cannot be read, or those of MACHINE cannot be true.
    """

    def __init__(
        self, settings: Settings, *, declared: Declarations | None = None, retry: bool = False
    ) -> None:
        self.settings = settings
        self.declared = declared or load_declarations()
        self.experiments = self.declared.experiments
        self._retry = retry
        self._begun: set[str] = set()
        here = describe_machine()
        try:
            self._wanted = select(settings.interpreters)
            self._elsewhere = read_machine(settings.results, settings.machine, here.id)
        except ValueError as error:
            raise BadSetting(str(error)) from None
        if faults := [
            line for one in self._elsewhere for line in tell_untrue(one, self.experiments).values()
        ]:
            raise DamagedRecords(*faults)
        is_asked = any(one.asks_every for one in self.experiments.values())
        self._every = self._wanted if settings.interpreters or not is_asked else select("auto")
        self._cells = self._open_cells(here)
        self.machine = self._cells.machine
        self.profile = self._cells.profile
        self.interpreters = self._cells.interpreters
        self._store = self._cells.store
        self._others = OtherMachines(settings.results, self.machine.id, self.experiments, report)

    def _open_cells(self, here: Machine) -> Cells:
        """The cells of the machine to show.

        Raises:
            BadSetting: ONLY matches nothing, which is told at once.
        """
        settings, found = self.settings, (*self._wanted, *self._every)
        if self._elsewhere:
            cells = open_recorded(self._elsewhere, self.experiments, settings.profile)
        else:
            interpreters = tuple(dict.fromkeys(one.interpreter for one in found))
            store = Store(settings.results, here, interpreters, report)
            cells = Cells(
                experiments=self.experiments,
                profile=settings.profile,
                machine=store.machine,
                interpreters=interpreters,
                wanted=self._wanted,
                every=self._every,
                elsewhere=None,
                store=store,
            )
        try:
            missing: Code = "still-to-come" if settings.later else "measuring-off"
            cells = replace(cells, only=settings.only, missing=missing)
            cells.selected  # noqa: B018
        except ValueError as error:
            raise BadSetting(str(error)) from None
        return cells

    def gather(self, name: str) -> Evidence:
        """The judged records of an experiment, measured first where they are missing.

        A cell without a record is ``unavailable``, with the reason. Of another machine also what is
        no longer valid is shown, and said to be so.

        Raises:
            KeyError: there is no such experiment.
            BadSetting, LauncherError, LoadServerError: as ``measure``.
        """
        self.measure([name])
        return self._cells.judge(name)

    def gather_machines(self, name: str) -> tuple[Evidence, ...]:
        """The evidence of an experiment on every machine that has some, the one to show first.

        Raises:
            KeyError: there is no such experiment.
            BadSetting, LauncherError, LoadServerError: as ``measure``.
        """
        found = (self.gather(name), *self._others.judge(name, self.profile))
        return stand_in(found) if self._elsewhere else found

    def measure(
        self, names: Sequence[str], pause: Pause = lambda _: None, watch: Watch = lambda: None
    ) -> Summary:
        """Measure what the experiments lack; says first what that is and how long it may take.

        After the first rounds, further trials go to what is still open, as long as the profile's
        time lasts; ``pause`` comes between two trials, ``watch`` before the further ones, which may
        be ended. Interrupted, it keeps what was measured and raises ``KeyboardInterrupt``. Nothing
        is measured where settings forbid it, nor in place of another machine.

        Raises:
            BadSetting: the clock is wrong.
            LauncherError: programs can no longer be run.
            LoadServerError: the load server did not start, or died.
        """
        if self._elsewhere or not self.settings.measure:
            return Summary()
        if (now := datetime.now(UTC)) < FIRST_DATE:  # what is recorded now would not be read again
            raise BadSetting(f"the clock of this machine says {now:%Y-%m-%d}: set it first")
        paced = usable_cores() if BUDGETS_S[self.profile] else ()  # else nothing is decided by it
        with take_turn(self.settings.results), Pacer(paced) as pacer:
            self._store.read()
            total = self._collect(names, {}, pause, pacer)
            watch()
            while more := self._look(names, told=total.trials > 0):
                total += self._collect(names, more, pause, pacer)
            return total

    def _collect(
        self, names: Sequence[str], more: Mapping[Variant, Done], pause: Pause, pacer: Pacer
    ) -> Summary:
        """Run what is planned and what is asked for beyond that, and repeat what was disturbed."""
        total = Summary()
        opened: dict[str, int] = {}

        def recount(name: str) -> int:
            for one in {*names} - opened.keys() | {name}:
                opened[one] = count_open(self.declared.claims.get(one, ()), self._cells.judge(one))
            return sum(opened.values())

        while True:
            jobs = [self._plan(self.experiments[name], more) for name in names]
            keep_lacking(jobs, self._store)
            jobs = [job for job in jobs if job.steps]
            if not jobs:
                return total
            most_s = LEVELS[-1] * sum(one.estimate_s for job in jobs for one in job.orders.values())
            left_s = min(self._cells.find_left_s(planned=False), most_s)
            work = (jobs, self._store, usable_cores())
            total += collect(*work, budget_s=left_s, recount=recount, pause=pause, pacer=pacer)

    def _look(self, names: Sequence[str], *, told: bool) -> dict[Variant, Done]:
        """How many trials variants are to have now, by what is still open; none if that is all.

        That depends on nothing but the records: whoever comes later finds the same. Whether what is
        open in the end is reported, ``told`` says.
        """
        if not BUDGETS_S[self.profile]:
            return {}
        evidences = [self._cells.judge(name) for name in names]
        look = take_look(evidences, self.declared.claims)
        left_s = self._cells.find_left_s()
        first = {id_ for ids in self.declared.findings.values() for id_ in ids}
        measured = self._cells.list_measured(evidences)
        more = give_more(look.needs, measured, left_s, first, self.interpreters[0].id)
        end = look.describe_end() if told else []
        for line in look.describe_plan(more, left_s) if more else end:
            report(line)
        return more

    def _plan(self, experiment: Experiment, more: Mapping[Variant, Done]) -> Job:
        """What is still to be run. FRESH forgets the records of an experiment once."""
        profile = experiment.profiles[self.profile]
        is_first = experiment.name not in self._begun
        self._begun.add(experiment.name)
        orders = {}
        for variant in self._cells.list_variants(experiment):
            if variant not in self._cells.selected:
                continue
            old = self._store.find(variant, profile.name)
            record = (
                None
                if is_first and self.settings.fresh
                else self._cells.find_valid(experiment, variant)
            )
            if record is None or (record.may_change and is_first and self._retry):
                record = self._cells.begin(experiment, variant)
            if record.status == "ok":
                wanted = more.get(variant) or count_trials(profile, variant)
                orders[variant] = Order(
                    record=record,
                    wanted=wanted,
                    estimate_s=median(old.walls_s) if old and old.timed else profile.estimate_s,
                    repeats=count_repeats(profile.name, wanted),
                )
        return plan_job(experiment, profile, orders, self._wanted, self._every)


def measure_everything(settings: Settings, pause: Pause = lambda _: None) -> Pipeline:
    """Measure what any experiment lacks, and again what failed; gives what has measured.

    The experiments come in the order of their pages. ``pause`` is as that of ``Pipeline.measure``.

    Raises:
        BadSetting, MalformedDeclaration, LauncherError, LoadServerError: as ``Pipeline``.
    """
    pipeline = Pipeline(settings, retry=True)
    if (shown := pipeline.profile) != (asked := settings.profile):
        print(f"{pipeline.machine.id} has no records of PROFILE={asked}; showing {shown}")
    entries = ((one.navigation, name) for name, one in pipeline.experiments.items())
    places = sorted((entry.place if entry else float("inf"), name) for entry, name in entries)
    cells = pipeline._cells  # noqa: SLF001 - of this module
    pipeline.measure([name for _, name in places], pause, lambda: trace_missing(cells, settings))
    return pipeline
