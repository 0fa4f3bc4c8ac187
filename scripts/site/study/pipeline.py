"""The pipeline: measure what has no valid record, store it, judge it.

All that shows numbers gets them from ``Pipeline.gather``; whoever asks first pays for measuring.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import chain
from math import ceil, inf
from pathlib import Path

from msgspec import structs

from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import BUDGETS_S, Experiment
from poolwise.machine import describe_machine, usable_cores
from poolwise.plan import Done, Job, count_done, count_trials, plan_job
from poolwise.process import LauncherError
from poolwise.progress import Outlook, report
from poolwise.pythons import rank_interpreter, select
from poolwise.record import Record, Results, Variant
from poolwise.run import Summary, collect, keep_lacking, take_turn
from poolwise.samplers import Pacer
from poolwise.store import (
    FIRST_DATE,
    DamagedRecords,
    RecordsError,
    Store,
    list_files,
)
from poolwise.trial import LoadServerError
from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.judge.judge import Evidence
from scripts.site.judge.needs import list_claimed, list_questions, list_weighed, take_look
from scripts.site.judge.rounds import LEVELS, estimate_trial, give_more
from scripts.site.settings import BadSetting, Settings
from scripts.site.study.agenda import Agenda, Stage
from scripts.site.study.cells import Cells, list_unmeasured
from scripts.site.study.machines import (
    OtherMachines,
    find_newer,
    open_recorded,
    read_machine,
    stand_in,
    tell_untrue,
)
from scripts.site.study.timelines import TIMELINES, list_untraced, trace_missing
from scripts.site.study.unfinished import FILE, Unfinished, read_unfinished
from scripts.site.study.waiting import PatientMeter

PROBLEMS = (BadSetting, MalformedDeclaration, LauncherError, LoadServerError, RecordsError)
"""Errors that end a command with a message and without a traceback."""
SKETCH, COMPARED, FURTHER, REST = "sketch", "compared", "further trials", "rest"
PAGES = "pages"
STAGES = (SKETCH, COMPARED, FURTHER, REST, TIMELINES, PAGES)
WORKS = {FURTHER: "of what is still open", PAGES: "in every language"}
"""What there is to do in the stages that have no number of it."""
WATCHING_S = 0.2
"""Seconds that a timeline takes beside its program."""
SKETCHED_SHARE = 1 / 2
"""A sketch is for a machine without records: there is one where more than this share of its cells has none."""


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
        self._begun: set[Variant] = set()
        self._meter = PatientMeter(usable_cores())
        self._anew = settings.measure == "all"
        self._run: Unfinished | None = None
        self._agenda = Agenda()
        self._pages_s = (0.0, 0.0)
        self._stage = self._label = ""
        self._ran = Summary()
        left = read_unfinished(settings.results)
        wished = (settings.profile, settings.interpreters)
        self._left = left if left and (left.profile, left.interpreters) == wished else None
        self.here = describe_machine()
        folder = settings.results
        try:
            self._wanted = self._every = select(settings.interpreters)
            families = [family for one in self.experiments.values() for family in one.families]
            asks_every = any(family.interpreters == "every" for family in families)
            if asks_every and not settings.interpreters:
                self._every = select("auto")
            self._elsewhere = self._read_machines(folder) or self._find_newer()
            self._cells = self._open_cells()
        except ValueError as error:
            raise BadSetting(str(error)) from None
        self._again = self._cells.selected if self._anew else frozenset[Variant]()
        self.machine = self._cells.machine
        self.machines = self._cells.machines
        self.profile = self._cells.profile
        self.interpreters = self._cells.interpreters
        self._store = self._cells.store
        shown = "" if settings.home else self.machine.id
        self._others = OtherMachines(folder, shown, self.experiments, report)

    def _read_machines(self, folder: Path) -> tuple[Results, ...]:
        """Read what is recorded of the machine that was asked for, or of those of a home."""
        names = dict.fromkeys(id_ for id_, _ in self.settings.home) or (self.settings.machine,)
        return tuple(chain.from_iterable(read_machine(folder, id_, self.here.id) for id_ in names))

    def _find_newer(self) -> tuple[Results, ...]:
        """The records of this machine, if a newer release than the running Python has all of them.

        Whoever clones the project on a machine whose records it has sees these; what is asked for by
        name is measured.
        """
        settings = self.settings
        if settings.machine or settings.interpreters or settings.only or self._anew:
            return ()
        if self._left and self._left.again is not None and self._left.goes_on(datetime.now(UTC)):
            return ()
        running = self._wanted[0].interpreter
        files = list_files(settings.results, self.here.id)
        if all(rank_interpreter(one.stem) <= rank_interpreter(running.id) for one in files):
            return ()
        try:
            found = read_machine(settings.results, self.here.id, self.here.id)
        except RecordsError:  # the store says so, and sets its own aside
            return ()
        newer = find_newer(found, running, self.experiments, settings.profile)
        if newer is None:
            return ()
        report(f"showing what {newer.id} gave; INTERPRETERS=current measures {running.id}")
        return found

    def _open_cells(self) -> Cells:
        """The cells of the machine to show.

        Raises:
            ValueError: ONLY matches nothing, which is told at once.
        """
        settings = self.settings
        faults = [tell_untrue(one, self.experiments).values() for one in self._elsewhere]
        if any(faults):
            raise DamagedRecords(*chain.from_iterable(faults))
        if self._elsewhere:
            pythons = {python for _, python in settings.home}
            given = (self._elsewhere, self.experiments, settings.profile, pythons)
            cells = open_recorded(*given)
        else:
            found = dict.fromkeys(one.interpreter for one in (*self._wanted, *self._every))
            store = Store(settings.results, self.here, tuple(found), report)
            cells = Cells(
                experiments=self.experiments,
                profile=settings.profile,
                machine=store.machine,
                interpreters=tuple(found),
                wanted=self._wanted,
                every=self._every,
                store=store,
            )
        cells = replace(cells, only=settings.only)
        cells.selected  # noqa: B018
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

    def gather_full(self, name: str) -> Evidence | None:
        """The evidence of an experiment at the articles' sizes on the machine shown, if it has any.

        It is measured by whoever asks for that profile, never for a page.
        """
        records = self._cells.store.derive("full", tuple)
        if self.profile == "full" or all(one.variant.experiment != name for one in records):
            return None
        return replace(self._cells, profile="full", elsewhere=records).judge(name)

    def gather_machines(self, name: str) -> tuple[Evidence, ...]:
        """The evidence of an experiment on every machine that has some, the one to show first.

        No other machine stands in for a home: what it lacks is not measured. Raises what ``gather`` does.
        """
        first = self.gather(name)
        places = {judged.variant.machine for judged in first.judgements}
        others = self._others.judge(name, self.profile)
        found = (first, *(one for one in others if one.machine.id not in places))
        return stand_in(found) if self._elsewhere and not self.settings.home else found

    @cached_property
    def namesakes(self) -> frozenset[str]:
        """The processors that do not name a machine, as several with records have them."""
        machines = {one.id: one for one in (self.machine, *self._others.machines)}
        models = Counter(one.model for one in machines.values())
        return frozenset(model for model, count in models.items() if count > 1)

    def measure(
        self, names: Sequence[str] = (), *, compared: bool = True, rest: bool = True
    ) -> Summary:
        """Measure what the experiments lack; says first what that is and how long it may take.

        Without names these are all, in the order of their pages.

        What claims and verdicts compare goes first. After its first rounds, further trials go to
        what is still open, as long as the profile's time lasts. The ``rest``, which nothing compares,
        comes last, or alone where what is ``compared`` was measured before.
        Interrupted, it keeps what was measured and raises ``KeyboardInterrupt``. Nothing is measured
        where settings forbid it, nor in place of another machine.

        Raises:
            BadSetting: the clock is wrong.
            LauncherError: programs can no longer be run.
            LoadServerError: the load server did not start, or died.
        """
        if not self._measures:
            return Summary()
        is_whole = not names
        names = names or self._ordered
        with self._hold_session(is_whole=is_whole):
            total = Summary()
            if compared:
                total += self._collect(COMPARED, names, dict.fromkeys(self._compared))
                while more := self._look(names, told=total.trials > 0):
                    total += self._collect(FURTHER, names, more)
            if rest:
                total += self._collect(REST, names, dict.fromkeys(self._cells.selected))
                if is_whole:
                    (self.settings.results / FILE).unlink(missing_ok=True)
            self._anew = self._anew and not total.trials  # a session without a trial is none
            return total

    def sketch(self) -> Summary:
        """Run one trial of what Home and the answers compare, if most of that has no record.

        It is the first timed trial of each of these cells: what is measured later goes on from there.

        Raises what ``measure`` does.
        """
        lacking = self._list_unsketched() if self._measures else ()
        if not lacking:
            return Summary()
        with self._hold_session(is_whole=True):
            total = self._collect(SKETCH, self._ordered, dict.fromkeys(lacking, Done(timed=1)))
            self._anew = self._anew and not total.trials
            return total

    @contextmanager
    def _hold_session(self, *, is_whole: bool) -> Iterator[None]:
        """Take the turn at measuring; with the session of a run of all experiments, or of a page's."""
        if (now := datetime.now(UTC)) < FIRST_DATE:  # what is recorded now would not be read again
            raise BadSetting(f"the clock of this machine says {now:%Y-%m-%d}: set it first")
        with take_turn(self.settings.results):
            self._store.read()
            if is_whole and self._run is None:
                self._begin_run(now)
            else:
                self._store.begin_session(now, anew=self._anew)
            if is_whole and self._run:  # which may have no trial yet
                self._store.session = self._run.session
            yield

    @cached_property
    def _ordered(self) -> Sequence[str]:
        """The names of all experiments, in the order of their pages."""
        entries = ((one.navigation, name) for name, one in self.experiments.items())
        places = sorted((entry.place if entry else inf, name) for entry, name in entries)
        return [name for _, name in places]

    @cached_property
    def _pacer(self) -> Pacer | None:
        return Pacer() if BUDGETS_S[self.profile] else None  # else nothing is decided by it

    def _list_unsketched(self) -> Sequence[Variant]:
        """List the cells that claims of Home and the answers compare, if most of them have no record.

        They are those of the Python shown first; smoke is over soon without.
        """
        if not BUDGETS_S[self.profile]:
            return ()
        shown = {
            name: [one for one in claims if one.id in self.declared.answered]
            for name, claims in self.declared.claims.items()
        }
        first = self.interpreters[0].id
        cells = [one for one in self._list_claimed(shown) if one.interpreter == first]
        lacking = [one for one in cells if self._find_valid(one) is None]
        return lacking if len(lacking) > SKETCHED_SHARE * len(cells) else ()

    def _find_valid(self, variant: Variant) -> Record | None:
        return self._cells.find_valid(self.experiments[variant.experiment], variant)

    def plan(self, *, early_pages_s: float = 0.0, pages_s: float = 0.0) -> None:
        """Say what the stages of a whole run are, and how long each should take.

        Pages are built at its end, and ``early`` ones after the sketch and after further trials.
        """
        self._pages_s = early_pages_s, pages_s
        if not self._measures:
            return
        with self._hold_session(is_whole=True):
            self._agenda = Agenda(self._list_stages())
        for line in self._agenda.describe():
            report(line)

    def _list_stages(self) -> list[Stage]:
        """List the stages that have anything to do, by what is recorded now."""
        early_s, pages_s = self._pages_s
        unsketched = self._list_unsketched()
        sketched_s = sum(map(self._estimate_trial, unsketched))
        others = self._cells.selected - self._compared
        compared, compared_s = self._estimate(self._compared)
        rest, rest_s = self._estimate(others)
        further_s = self._cells.find_left_s(self._compared) if compared else 0.0
        most_s = LEVELS[-1] * sum(map(self._estimate_trial, self._compared)) - compared_s
        watched = list_untraced(self._cells, self.settings, prepared=False)
        watched_s = sum(self._estimate_trial(trace.variant) for trace in watched)
        stages = [
            (SKETCH, len(unsketched), "trials", sketched_s, early_s),
            (COMPARED, compared - len(unsketched), "trials", compared_s - sketched_s, 0.0),
            (FURTHER, int(further_s > 0), "", max(0.0, min(further_s, most_s)), early_s),
            (REST, rest, "trials", rest_s, 0.0),
            (TIMELINES, len(watched), "programs", watched_s + WATCHING_S * len(watched), 0.0),
            (PAGES, int(pages_s > 0), "", pages_s, 0.0),
        ]
        return [
            Stage(
                name=name,
                work=f"{count} {unit}" if unit else WORKS[name],
                estimate_s=own_s + after_s,
            )
            for name, count, unit, own_s, after_s in stages
            if count > 0
        ]

    def _estimate(self, cells: Collection[Variant]) -> tuple[int, float]:
        """Estimate the number and the seconds of the trials that cells lack."""
        number, total_s = 0, 0.0
        for experiment in self.experiments.values():
            records, trials = self._choose_trials(experiment, dict.fromkeys(cells))
            for variant, wanted in trials.items():
                done = count_done(records[variant], self._store.session)
                count = max(0, wanted.timed - done.timed) + max(0, wanted.traced - done.traced)
                number += count
                total_s += count * self._estimate_trial(variant)
        return number, total_s

    def _estimate_trial(self, variant: Variant) -> float:
        """Estimate the seconds of a trial by those that its cell has, or as its experiment declares."""
        record = self._store.find(variant, self.profile)
        profile = self.experiments[variant.experiment].profiles[self.profile]
        return (record and estimate_trial(record)) or profile.estimate_s

    def _begin_run(self, now: datetime) -> None:
        """Begin the session of a run, or go on with that of one which was cut off, and say so."""
        again, left = self.settings.only if self._anew else None, self._left
        if left and left.again is None and self._anew:  # of which nothing was to be measured again
            left = None
        if left:
            report(left.describe(now))
        if left and left.goes_on(now):
            self._store.begin_session(now)
            self._store.session = left.session  # it may have no trial yet
            if left.again is not None:
                with suppress(ValueError):  # what it was about is there no more
                    cells = replace(self._cells, only=left.again)
                    self._again |= cells.selected & self._cells.selected
            self._anew, again = False, left.again if again is None else again
        else:
            self._store.begin_session(now, anew=self._anew)
        self._run = Unfinished(
            session=self._store.session,
            profile=self.settings.profile,
            interpreters=self.settings.interpreters,
            again=again,
            saved_at=now,
        )

    def find_later_s(self, stage: str) -> float:
        """Find the seconds that all should take that comes after a stage, pages included."""
        return self._agenda.estimate(STAGES[STAGES.index(stage) + 1 :])

    def describe_numbers(self) -> str:
        """Say whose the numbers are: how much was measured in this run, of which day they are, how to renew them."""
        if self._ran.trials:
            told = f"Measured today: {self._ran.trials:,} trials on this machine."
            return f"{told} {self._meter.summarize()}".strip()
        settings, records = self.settings, self._store.derive(self.profile, tuple)
        if not records:
            return "Measured today: 0, and nothing is recorded. For your numbers: make site."
        at = max(record.measured_at for record in records)
        day = f"{at.day} {at:%B}" + (f" {at.year}" if at.year != datetime.now(UTC).year else "")
        told = f"Measured today: 0. The numbers are of {day}."
        if settings.machine:
            return f"{told} For yours: make site without MACHINE."
        # All of it again, by the Python that would run it.
        anew = Pipeline(replace(settings, measure="all"), declared=self.declared)
        anew._pages_s = self._pages_s
        minutes = ceil(sum(stage.estimate_s for stage in anew._list_stages()) / 60)
        profile = "" if settings.profile == "quick" else f"PROFILE={settings.profile} "
        return f"{told} For yours: make site {profile}FRESH=1, about {minutes} min."

    def begin_pages(self) -> str:
        """Begin the stage in which the pages are built; return its label."""
        return self._agenda.begin(PAGES)

    def watch(self) -> None:
        """Watch each program that has no valid timeline, or with FRESH all, where trials are measured.

        Raises:
            LauncherError, LoadServerError: programs can no longer be run.
            RecordsError: a timeline cannot be kept.
        """
        if self._measures:
            with take_turn(self.settings.results):
                trace_missing(self._cells, self.settings, self._agenda)

    @property
    def _measures(self) -> bool:
        return self.settings.measure != "nothing" and not self._elsewhere

    @cached_property
    def _compared(self) -> frozenset[Variant]:
        """The cells that claims and verdicts compare; where there is time for nothing else, all."""
        cells = self._cells
        if not BUDGETS_S[self.profile]:
            return cells.selected
        compared = self._list_claimed(self.declared.claims)
        for one in self.experiments.values():
            empty = [cells.begin(one, variant) for variant in cells.list_variants(one)]
            compared |= cells.selected & list_weighed(empty, one)
        return compared

    def _list_claimed(self, claims: Mapping[str, Sequence[Claim]]) -> frozenset[Variant]:
        """List the cells that some claims compare, which are by experiment."""
        claimed: set[Variant] = set()
        for name, own in claims.items():
            experiment = self.experiments[name]
            variants = self._cells.list_variants(experiment)
            empty = [self._cells.begin(experiment, variant) for variant in variants]
            claimed |= list_claimed(empty, own, self.machine.system)
        return self._cells.selected & claimed

    def _collect(
        self, stage: str, names: Sequence[str], asked: Mapping[Variant, Done | None]
    ) -> Summary:
        """Run the trials asked of some cells, or those planned, and repeat what was disturbed."""
        total = Summary()
        while True:
            jobs = [self._plan(self.experiments[name], asked) for name in names]
            keep_lacking(jobs, self._store)
            jobs = [job for job in jobs if job.steps]
            if not jobs:
                return total
            if self._pacer and stage in (COMPARED, FURTHER):  # else nothing is decided
                self._meter.wait()
            if stage != self._stage:
                self._stage = stage
                now = () if stage == SKETCH else self._list_stages()
                self._label = self._agenda.begin(stage, now)
            estimates_s = {step.variant: step.estimate_s for job in jobs for step in job.steps}
            most_s = LEVELS[-1] * sum(estimates_s.values())
            left_s = min(self._cells.find_left_s(self._compared, planned=False), most_s)
            later_s = self.find_later_s(FURTHER if stage == COMPARED else stage)
            outlook = Outlook(
                stage=self._label,
                budget_s=left_s if stage in (COMPARED, FURTHER) else 0.0,
                later_s=later_s,
            )
            work = (jobs, self._store, usable_cores(), self._meter)
            note = partial(self._run.note, self._store.folder) if self._run else None
            ran = collect(*work, pacer=self._pacer, note=note, outlook=outlook)
            total, self._ran = total + ran, self._ran + ran

    def _look(self, names: Sequence[str], *, told: bool) -> dict[Variant, Done]:
        """Choose how many trials variants get now, by what is still open; empty at the end.

        That depends on nothing but the records of this session: whoever goes on with it finds the
        same. Whether what is open in the end is reported, ``told`` says.
        """
        if not BUDGETS_S[self.profile]:
            return {}
        evidences = [self._cells.judge(name, self._store.session) for name in names]
        look = take_look(evidences, self.declared.claims)
        left_s = self._cells.find_left_s(self._compared)
        records = (judged.record for found in evidences for judged in found.judgements)
        measured = {
            record.variant: record
            for record in records
            if record.is_measured
            and record.variant in self._cells.selected
            and record.session == self._store.session
        }
        more = give_more(look.needs, measured, left_s, self.declared.first, self.interpreters[0].id)
        end = [*filter(None, [self._meter.summarize()]), *look.describe_end()] if told else []
        for line in look.describe_plan(more, left_s) if more else end:
            report(line)
        return more

    def _plan(self, experiment: Experiment, asked: Mapping[Variant, Done | None]) -> Job:
        """Plan what this session still has to run of some cells; with FRESH, each of them once."""
        records, trials = self._choose_trials(experiment, asked)
        self._begun |= records.keys() & asked.keys()
        profile = experiment.profiles[self.profile]
        return plan_job(
            experiment, profile, records, trials, self._store, self._wanted, self._every
        )

    def _choose_trials(
        self, experiment: Experiment, asked: Mapping[Variant, Done | None]
    ) -> tuple[Mapping[Variant, Record], Mapping[Variant, Done]]:
        """Choose which cells of an experiment get trials in this session, with what each has, and how many."""
        profile = experiment.profiles[self.profile]
        variants = self._cells.list_variants(experiment)
        selected = [one for one in variants if one in self._cells.selected]
        first = {one for one in selected if one in asked and one not in self._begun}
        records = {one: self._find_record(experiment, one, first=one in first) for one in selected}
        planned = {one: count_trials(profile, one) for one in selected}
        questions = list_questions(selected, self.declared.claims.get(experiment.name, ()))
        lacking = list_unmeasured(records, planned, questions, self._store.session)
        lacking |= first & self._again
        lacking |= {one for one in first if records[one] is not self._find_valid(one)}
        trials = {
            one: asked[one] or planned[one]
            for one in selected
            if one in asked and records[one].status == "ok" and (asked[one] or one in lacking)
        }
        return records, trials

    def _find_record(self, experiment: Experiment, variant: Variant, *, first: bool) -> Record:
        """The record of a cell if it is valid, else an empty one; to retry what failed, without this session's."""
        record = self._cells.find_valid(experiment, variant)
        if record is None:
            return self._cells.begin(experiment, variant)
        failed = record.may_change and self._retry
        if self.settings.measure == "all":
            failed = record.status != "ok"
        if not (first and failed):
            return record
        others = [name for name in record.sessions if name != self._store.session]
        return structs.replace(record.within(*others), status="ok", reason=None, stderr="")


def open_measuring(settings: Settings) -> Pipeline:
    """Open what measures again what failed; says which profile it shows, if not the one asked for.

    Raises what ``Pipeline`` does.
    """
    pipeline = Pipeline(settings, retry=True)
    if (shown := pipeline.profile) != (asked := settings.profile):
        print(f"{pipeline.machine.id} has no records of PROFILE={asked}; showing {shown}")
    return pipeline


def measure_everything(settings: Settings) -> Pipeline:
    """Measure what any experiment lacks, and again what failed; gives what has measured.

    Raises:
        BadSetting, MalformedDeclaration, LauncherError, LoadServerError: as ``Pipeline``.
    """
    pipeline = open_measuring(settings)
    pipeline.plan()
    pipeline.measure()
    pipeline.watch()
    return pipeline
