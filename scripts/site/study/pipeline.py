"""The pipeline: measure what has no valid record, store it, judge it.

All that shows numbers gets them from ``Pipeline.gather``; whoever asks first pays for measuring.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import chain
from math import ceil, inf

from msgspec import structs

from poolwise.declaration import MalformedDeclaration
from poolwise.experiment import BUDGETS_S, Experiment
from poolwise.machine import describe_machine, usable_cores
from poolwise.plan import Done, Job, count_done, count_trials, plan_job
from poolwise.process import LauncherError
from poolwise.progress import Outlook, report
from poolwise.pythons import Installation, rank_interpreter, select
from poolwise.record import Record, Results, Variant
from poolwise.run import Summary, collect, keep_lacking, take_turn
from poolwise.samplers import Pacer
from poolwise.store import FIRST_DATE, DamagedRecords, RecordsError, Store, list_files
from poolwise.trial import LoadServerError
from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.needs import list_claimed, list_questions, list_weighed, take_look
from scripts.site.judge.rounds import LEVELS, add_up_time, estimate_trial, give_more
from scripts.site.settings import BadSetting, Settings
from scripts.site.study.agenda import FILE, Agenda, Stage, Unfinished, read_unfinished
from scripts.site.study.cells import Cells, list_unmeasured
from scripts.site.study.machines import (
    OtherMachines,
    find_newer,
    list_untrue,
    open_recorded,
    read_machine,
)
from scripts.site.study.waiting import PatientMeter, pause
from scripts.site.study.watch import RUNS, Trace, equip, list_untraced, trace_all

# Errors that end a command with a message and without a traceback.
PROBLEMS = (BadSetting, MalformedDeclaration, LauncherError, LoadServerError, RecordsError)
SKETCH, COMPARED, FURTHER, REST = "sketch", "compared", "further trials", "rest"
TIMELINES, PAGES = "timelines", "pages"
STAGES = (SKETCH, COMPARED, FURTHER, REST, TIMELINES, PAGES)
WATCHING_S = 0.2  # that a timeline takes beside its program
# A sketch is for a machine without records: where more than this share of its cells has none.
SKETCHED_SHARE = 1 / 2


class Pipeline:
    """Settings, machine and records of one build.

    Args:
        settings: what to measure and show.
        declared: the experiments, and what else the pages need; by default this project's.
        retry: whether to measure again what failed; pages do not, or each of them would.
        run: what carries jobs out, and a meter of what others take meanwhile; tests give their own.

    Raises:
        BadSetting: INTERPRETERS, MACHINE or ONLY names nothing known.
        MalformedDeclaration: something that is declared is wrong.
        RecordsError: records cannot be read, or those of MACHINE cannot be true.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        declared: Declarations | None = None,
        retry: bool = False,
        run: Callable[..., Summary] = collect,
        meter: PatientMeter | None = None,
    ) -> None:
        self.settings = settings
        self.declared = declared or load_declarations()
        self.experiments = self.declared.experiments
        self.here = describe_machine()
        self._unfinished = self._read_unfinished()
        self._anew = settings.measure == "all"
        try:
            self._cells = self._open_cells()
            selected = self._cells.selected
        except ValueError as error:
            raise BadSetting(str(error)) from None
        self.machine, self.machines = self._cells.machine, self._cells.machines
        self.profile, self.interpreters = self._cells.profile, self._cells.interpreters
        self._store = self._cells.store
        but = "" if settings.home else self.machine.id
        self.complaints: list[str] = []
        self._others = OtherMachines(settings.results, but, self.experiments, self._complain)
        # What follows is of the run, which measures.
        self._retry = retry
        self._again = selected if self._anew else frozenset()
        self._begun: set[Variant] = set()
        self._carry_out = run
        self._meter = meter or PatientMeter(usable_cores(), rest=pause)
        self._run: Unfinished | None = None
        self._agenda = Agenda()
        self._pages_s = (0.0, 0.0)
        self._stage = self._label = ""
        self._ran = Summary()

    def _read_unfinished(self) -> Unfinished | None:
        """Read what a run with the same wishes has left."""
        left, settings = read_unfinished(self.settings.results), self.settings
        wishes = (settings.profile, settings.interpreters)
        return left if left and (left.profile, left.interpreters) == wishes else None

    def _open_cells(self) -> Cells:
        """Open the cells of the machine to show.

        Raises:
            ValueError: INTERPRETERS or MACHINE names nothing known.
        """
        settings, here = self.settings, self.here
        wanted = every = select(settings.interpreters)
        families = chain.from_iterable(lab.families for lab in self.experiments.values())
        if "every" in {family.interpreters for family in families} and not settings.interpreters:
            every = select("auto")
        recorded: list[Results] = []
        for id_ in dict.fromkeys(id_ for id_, _ in settings.home) or (settings.machine,):
            recorded += read_machine(settings.results, id_, here.id)
        recorded = recorded or self._find_newer(wanted[0]) or self._find_others()
        if faults := [list_untrue(results, self.experiments).values() for results in recorded]:
            if any(faults):
                raise DamagedRecords(*chain.from_iterable(faults))
            pythons = {python for _, python in settings.home}
            cells = open_recorded(recorded, self.experiments, settings.profile, pythons)
            return replace(cells, only=settings.only)
        interpreters = tuple(dict.fromkeys(python.interpreter for python in (*wanted, *every)))
        store = Store(settings.results, here, interpreters, report)
        cells = Cells(
            experiments=self.experiments,
            profile=settings.profile,
            machine=store.machine,
            interpreters=interpreters,
            wanted=wanted,
            every=every,
            store=store,
            only=settings.only,
        )
        return cells if self._anew else cells.enlarge()

    def _find_newer(self, running: Installation) -> list[Results]:
        """Find the records of this machine, if a newer release than the running Python has all of them.

        Whoever clones the project on a machine whose records it has sees these; what is asked for by
        name is measured.
        """
        settings, left, python = self.settings, self._unfinished, running.interpreter
        if settings.machine or settings.interpreters or settings.only or self._anew:
            return []
        if left and left.again is not None and left.goes_on(datetime.now(UTC)):
            return []
        files = list_files(settings.results, self.here.id)
        rank = rank_interpreter(python.id)
        if all(rank_interpreter(path.stem) <= rank for path in files):
            return []
        try:
            recorded = read_machine(settings.results, self.here.id, self.here.id)
        except RecordsError:  # the store says so, and sets its own aside
            return []
        newer = find_newer(recorded, python, self.experiments, settings.profile)
        if newer is None:
            return []
        report(f"showing what {newer.id} gave; INTERPRETERS=current measures {python.id}")
        return list(recorded)

    def _find_others(self) -> list[Results]:
        """Find the records of the machine with most, where there are none of this one and none are to be made."""
        settings, counts = self.settings, Counter[str]()
        if settings.machine or settings.interpreters or settings.measure != "nothing":
            return []
        for path in list_files(settings.results):
            counts[path.parent.name] += path.stat().st_size
        if not counts or self.here.id in counts:
            return []
        ((id_, _),) = counts.most_common(1)
        report(f"nothing is recorded of this machine; showing {id_}")
        return list(read_machine(settings.results, id_, self.here.id))

    @property
    def _measures(self) -> bool:
        return self.settings.measure != "nothing" and self._cells.elsewhere is None

    def _complain(self, complaint: str) -> None:
        """Say what is left out of what others have recorded, and note that it was said."""
        self.complaints.append(complaint)
        report(complaint)

    def gather(self, name: str) -> Evidence:
        """Return the judged records of an experiment, measured first where they are missing.

        A cell without a record is ``unavailable``, with the reason. Of another machine also what is
        no longer valid is shown, and said to be so.

        Raises:
            KeyError: there is no such experiment.
            BadSetting, LauncherError, LoadServerError: as ``measure``.
        """
        self.measure([name])
        return self._cells.judge(name)

    def gather_machines(self, name: str) -> tuple[Evidence, ...]:
        """Return the evidence of an experiment on every machine that has some, the one shown first."""
        first = self.gather(name)
        machines = {judged.record.machine for judged in first.judgements}
        others = self._others.judge(name, self.profile)
        return (first, *(other for other in others if other.machine.id not in machines))

    @cached_property
    def namesakes(self) -> frozenset[str]:
        """The processors that do not name a machine, as several with records have them."""
        machines = {machine.id: machine for machine in (self.machine, *self._others.machines)}
        models = Counter(machine.model for machine in machines.values())
        return frozenset(model for model, count in models.items() if count > 1)

    def measure(self, names: Sequence[str] = ()) -> Summary:
        """Measure what experiments lack, by default all in the order of their pages.

        What claims and verdicts compare goes first. After its first rounds, further trials go to
        what is still open, as long as the profile's time lasts. What nothing compares comes last.
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
            total = self._collect(COMPARED, names, dict.fromkeys(self._compared))
            while more := self._choose_further(names, reports_end=total.trials > 0):
                total += self._collect(FURTHER, names, more)
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

    def watch(self) -> None:
        """Watch each program that a page shows and has no valid timeline, or with FRESH all, where trials are measured.

        Raises:
            LauncherError, LoadServerError: programs can no longer be run.
            RecordsError: a timeline cannot be kept.
        """
        if not self._measures:
            return
        with take_turn(self.settings.results):
            if traces := equip(self._list_untraced()):
                trace_all(traces, self.settings.results, self._agenda.begin(TIMELINES))

    def plan(self, *, early_pages_s: float = 0.0, pages_s: float = 0.0) -> None:
        """Say what the stages of a whole run are, and how long each should take.

        Pages are built at its end, and ``early`` ones after the sketch.
        """
        self._pages_s = early_pages_s, pages_s
        if not self._measures:
            return
        with self._hold_session(is_whole=True):
            self._agenda = Agenda(self._list_stages())
        for line in self._agenda.describe():
            report(line)

    def begin_pages(self) -> str:
        """Begin the stage in which the pages are built; return its label."""
        return self._agenda.begin(PAGES)

    def find_later_s(self, stage: str) -> float:
        """Find the seconds that all should take that comes after a stage, pages included."""
        return self._agenda.estimate(STAGES[STAGES.index(stage) + 1 :])

    def describe_numbers(self) -> str:
        """Say whose the numbers are: how much was measured in this run, of which day they are, how to renew them."""
        if self._ran.trials:
            sentence = f"Measured today: {self._ran.trials:,} trials on this machine."
            return f"{sentence} {self._meter.summarize()}".strip()
        settings, records = self.settings, self._store.derive(self.profile, tuple)
        if not records:
            return "Measured today: 0, and nothing is recorded. For your numbers: make site."
        at = max(record.measured_at for record in records)
        year = f" {at.year}" if at.year != datetime.now(UTC).year else ""
        sentence = f"Measured today: 0. The numbers are from {at.day} {at:%B}{year}."
        if settings.machine:
            return f"{sentence} For yours: make site without MACHINE."
        # Measuring anew takes what measuring did.
        took_s = sum(add_up_time(record.within(record.session)) for record in records)
        minutes = ceil((took_s + self._pages_s[1]) / 60)
        profile = "" if settings.profile == "quick" else f"PROFILE={settings.profile} "
        return f"{sentence} For yours: make site {profile}FRESH=1, about {minutes} min."

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

    def _begin_run(self, now: datetime) -> None:
        """Begin the session of a run, or go on with that of one which was cut off, and say so."""
        again, left = self.settings.only if self._anew else None, self._unfinished
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

    @cached_property
    def _ordered(self) -> Sequence[str]:
        """The names of all experiments, in the order of their pages."""

        def find_place(name: str) -> tuple[float, str]:
            entry = self.experiments[name].navigation
            return (entry.place if entry else inf), name

        return sorted(self.experiments, key=find_place)

    @cached_property
    def _pacer(self) -> Pacer | None:
        return Pacer() if BUDGETS_S[self.profile] else None  # else nothing is decided by it

    @cached_property
    def _compared(self) -> frozenset[Variant]:
        """The cells that claims and verdicts compare; where there is time for nothing else, all."""
        if not BUDGETS_S[self.profile]:
            return self._cells.selected
        compared = self._list_claimed(self.declared.claims)
        for experiment in self.experiments.values():
            compared |= list_weighed(self._list_empty(experiment), experiment)
        return self._cells.selected & compared

    def _list_claimed(self, claims: Mapping[str, Iterable[Claim]]) -> frozenset[Variant]:
        """List the cells that some claims compare, which are by experiment."""
        claimed: set[Variant] = set()
        for name, of_experiment in claims.items():
            empty = self._list_empty(self.experiments[name])
            claimed |= list_claimed(empty, of_experiment, self.machine.system)
        return self._cells.selected & claimed

    def _list_empty(self, experiment: Experiment) -> list[Record]:
        return [self._cells.begin(variant) for variant in self._cells.list_variants(experiment)]

    def _list_unsketched(self) -> Sequence[Variant]:
        """List the cells that claims of Home and the answers compare, if most of them have no record.

        They are those of the Python shown first; smoke is over soon without.
        """
        if not BUDGETS_S[self.profile]:
            return ()
        answered: dict[str, list[Claim]] = {}
        for name, claims in self.declared.claims.items():
            answered[name] = [claim for claim in claims if claim.id in self.declared.answered]
        first = self.interpreters[0].id
        cells = [cell for cell in self._list_claimed(answered) if cell.interpreter == first]
        lacking = [cell for cell in cells if self._cells.find_valid(cell) is None]
        return lacking if len(lacking) > SKETCHED_SHARE * len(cells) else ()

    def _list_untraced(self) -> list[Trace]:
        anew = self.settings.measure == "all"
        return list_untraced(self._cells, self.declared, self.settings.results, anew=anew)

    def _list_stages(self) -> list[Stage]:
        """List the stages that have anything to do, by what is recorded now."""
        early_s, pages_s = self._pages_s
        unsketched = self._list_unsketched()
        sketched_s = sum(map(self._estimate_trial, unsketched))
        compared, compared_s = self._estimate(self._compared)
        rest, rest_s = self._estimate(self._cells.selected - self._compared)
        further_s = 0.0
        if compared:
            most_s = LEVELS[-1] * sum(map(self._estimate_trial, self._compared)) - compared_s
            further_s = max(0.0, min(self._cells.find_left_s(self._compared), most_s))
        watched = [trace.variant for trace in self._list_untraced()]
        watched_s = RUNS * (sum(map(self._estimate_trial, watched)) + WATCHING_S * len(watched))
        further = compared - len(unsketched)
        stages = [
            (len(unsketched), SKETCH, f"{len(unsketched)} trials", sketched_s + early_s),
            (further, COMPARED, f"{further} trials", compared_s - sketched_s),
            (further_s, FURTHER, "of what is still open", further_s),
            (rest, REST, f"{rest} trials", rest_s),
            (len(watched), TIMELINES, f"{len(watched)} programs", watched_s),
            (pages_s, PAGES, "in every language", pages_s),
        ]
        return [Stage(name, work, stage_s) for amount, name, work, stage_s in stages if amount > 0]

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

    def _collect(
        self, stage: str, names: Sequence[str], chosen: Mapping[Variant, Done | None]
    ) -> Summary:
        """Run the trials chosen for some cells, or those planned, and repeat what was disturbed."""
        total = Summary()
        while True:
            jobs = [self._plan_job(self.experiments[name], chosen) for name in names]
            keep_lacking(jobs, self._store)
            jobs = [job for job in jobs if job.steps]
            if not jobs:
                return total
            decides = stage in (COMPARED, FURTHER)
            if self._pacer and decides:
                self._meter.wait()
            if stage != self._stage:
                stages = () if stage == SKETCH else self._list_stages()
                self._stage, self._label = stage, self._agenda.begin(stage, stages)
            estimates_s = {}
            for step in chain.from_iterable(job.steps for job in jobs):
                estimates_s[step.variant] = step.estimate_s
            most_s = LEVELS[-1] * sum(estimates_s.values())
            left_s = min(self._cells.find_left_s(self._compared, planned=False), most_s)
            outlook = Outlook(
                stage=self._label,
                budget_s=left_s if decides else 0.0,
                later_s=self.find_later_s(FURTHER if stage == COMPARED else stage),
            )
            ran = self._carry_out(
                jobs,
                self._store,
                usable_cores(),
                self._meter,
                pacer=self._pacer,
                note=partial(self._run.note, self._store.folder) if self._run else None,
                outlook=outlook,
            )
            total, self._ran = total + ran, self._ran + ran

    def _choose_further(self, names: Sequence[str], *, reports_end: bool) -> dict[Variant, Done]:
        """Choose how many trials variants get now, by what is still open; empty at the end.

        That depends on nothing but the records of this session: whoever goes on with it finds the
        same.
        """
        if not BUDGETS_S[self.profile]:
            return {}
        session = self._store.session
        evidences = [self._cells.judge(name, session) for name in names]
        look = take_look(evidences, self.declared.claims)
        left_s = self._cells.find_left_s(self._compared)
        measured = {}
        for judged in chain.from_iterable(evidence.judgements for evidence in evidences):
            record, is_selected = judged.record, judged.variant in self._cells.selected
            if is_selected and record.is_measured and record.session == session:
                measured[record.variant] = record
        more = give_more(look.needs, measured, left_s, self.declared.first, self.interpreters[0].id)
        if more:
            lines = look.describe_plan(more, left_s)
        elif reports_end:
            lines = [*filter(None, [self._meter.summarize()]), *look.describe_end()]
        else:
            lines = []
        for line in lines:
            report(line)
        return more

    def _plan_job(self, experiment: Experiment, chosen: Mapping[Variant, Done | None]) -> Job:
        """Plan what this session still has to run of some cells; with FRESH, each of them once."""
        records, trials = self._choose_trials(experiment, chosen)
        self._begun |= records.keys() & chosen.keys()
        profile, cells = experiment.profiles[self.profile], self._cells
        return plan_job(
            experiment, profile, records, trials, self._store, cells.wanted, cells.every
        )

    def _choose_trials(
        self, experiment: Experiment, chosen: Mapping[Variant, Done | None]
    ) -> tuple[Mapping[Variant, Record], Mapping[Variant, Done]]:
        """Choose which cells of an experiment get trials in this session, with what each has, and how many."""
        profile, cells = experiment.profiles[self.profile], self._cells
        variants = [cell for cell in cells.list_variants(experiment) if cell in cells.selected]
        first = chosen.keys() & set(variants) - self._begun
        records = {cell: self._find_record(cell, first=cell in first) for cell in variants}
        planned = {cell: count_trials(profile, cell) for cell in variants}
        questions = list_questions(variants, self.declared.claims.get(experiment.name, ()))
        lacking = list_unmeasured(records, planned, questions, self._store.session)
        lacking |= first & self._again
        trials = {}
        for variant in variants:
            record, wanted = records[variant], chosen.get(variant)
            if variant in first and record is not cells.find_valid(variant):
                lacking.add(variant)
            if wanted is None and variant in chosen and variant in lacking:
                wanted = planned[variant]
            if wanted and record.status == "ok":
                trials[variant] = wanted
        return records, trials

    def _find_record(self, variant: Variant, *, first: bool) -> Record:
        """Find the record of a cell if it is valid, else begin one; to retry what failed, without this session's."""
        record = self._cells.find_valid(variant)
        if record is None:
            return self._cells.begin(variant)
        failed = record.may_change and self._retry
        if self.settings.measure == "all":
            failed = record.status != "ok"
        if not (first and failed):
            return record
        others = [name for name in record.sessions if name != self._store.session]
        return structs.replace(record.within(*others), status="ok", reason=None, stderr="")


def open_measuring(settings: Settings) -> Pipeline:
    """Open what measures again what failed; say which profile it shows, if not the one asked for.

    Raises what ``Pipeline`` does.
    """
    pipeline = Pipeline(settings, retry=True)
    profile, wanted = pipeline.profile, settings.profile
    if profile != wanted:
        print(f"{pipeline.machine.id} has no records of PROFILE={wanted}; showing {profile}")
    return pipeline


def measure_everything(settings: Settings) -> Pipeline:
    """Measure what any experiment lacks, and again what failed; return what has measured.

    Raises what ``Pipeline`` and ``Pipeline.measure`` do.
    """
    pipeline = open_measuring(settings)
    pipeline.plan()
    pipeline.measure()
    pipeline.watch()
    return pipeline
