"""Cells of a machine: which there are to fill, and what is recorded of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property, partial

from poolwise.declaration import Reason
from poolwise.dependencies import take_fingerprint
from poolwise.experiment import BUDGETS_S, Experiment, Family, ProfileName
from poolwise.machine import Machine, usable_cores
from poolwise.plan import Done, begin_cell, count_trials, is_sized, list_variants, select_variants
from poolwise.pythons import Installation, Interpreter
from poolwise.record import Record, Results, Variant
from poolwise.store import Store
from scripts.site.judge.evidence import Evidence, Judgement
from scripts.site.judge.judge import judge_sessions
from scripts.site.judge.rounds import add_up_time
from scripts.site.judge.sessions import Between
from scripts.site.judge.spreads import Spreads

PREVIEW: ProfileName = "quick"
ALONE_S = 100.0  # for each experiment of quick that is measured alone: it ends in two minutes


def _tell_spreads(records: Iterable[Record], smt: int) -> tuple[Spreads, Between]:
    """Tell how far trials differ, and how far sessions do."""
    known = list(records)
    spreads = Spreads(known, smt=smt)
    return spreads, Between(known, spreads)


@cache  # the store keeps what a function makes by the function itself
def _choose_spreads(smt: int) -> partial[tuple[Spreads, Between]]:
    return partial(_tell_spreads, smt=smt)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The cells of all experiments on one machine in one profile, those of the families in ``full`` in that.

    ``wanted`` run the programs, ``every`` those of families for each Python that there is, and
    ``interpreters`` are both. ``elsewhere`` are the records of another machine, ``None`` where it
    is the one at hand; ``home`` has the results of several that are shown as one. ``only`` is the
    setting of that name.
    """

    experiments: Mapping[str, Experiment]
    profile: ProfileName
    machine: Machine
    interpreters: tuple[Interpreter, ...]
    store: Store
    wanted: tuple[Installation, ...] = ()
    every: tuple[Installation, ...] = ()
    elsewhere: Sequence[Record] | None = None
    only: str = ""
    home: Sequence[Results] = ()
    full: frozenset[tuple[str, str]] = frozenset()

    def find_profile(self, experiment: Experiment, family: str) -> ProfileName:
        """Find the profile in which a family is shown."""
        return "full" if (experiment.name, family) in self.full else self.profile

    def enlarge(self) -> "Cells":
        """Show each family at its own size of which this has all, where what was asked for is a preview."""
        if self.profile != PREVIEW:
            return self
        everything, full = replace(self, profile="full"), set()
        records = self.store.derive("full", tuple) if self.elsewhere is None else self.elsewhere
        begun = {
            (record.experiment, record.family) for record in records if record.profile == "full"
        }
        for experiment in self.experiments.values():
            for family in experiment.families:
                place = (experiment.name, family.name)
                if place in begun and everything.is_whole(experiment, family):
                    full.add(place)
        return replace(self, full=frozenset(full))

    def is_whole(self, experiment: Experiment, family: Family) -> bool:
        """Tell whether each cell of a family has a valid record, by the first Python with any of them.

        A family that compares Pythons needs it of each with any of them.
        """
        machine, core_count, used = self.machine, self._core_count, {self.interpreters[0].id}
        if self.elsewhere is not None:
            here = (experiment.name, family.name)
            cells = [cell for cell in self.elsewhere if (cell.experiment, cell.family) == here]
            machine = self._find_machine([cell.variant for cell in cells])
            core_count = max(1, int(machine.granted_cores or machine.logical_cores))
            used = {cell.interpreter for cell in cells} or used
        pythons = [python for python in self.interpreters if python.id in used]
        if family.interpreters != "every":
            pythons = pythons[:1]
        sizes = experiment.profiles[self.find_profile(experiment, family.name)]
        planned = list_variants(experiment, sizes, machine, pythons, pythons, core_count)
        return all(self.find_valid(cell) for cell in planned if cell.family == family.name)

    @cached_property
    def selected(self) -> frozenset[Variant]:
        """The cells that ONLY allows to measure, of families that are not shown at their own size already.

        Raises:
            ValueError: it allows none; names what there is.
        """
        variants: list[Variant] = []
        for experiment in self.experiments.values():
            if self.only or self.profile == "smoke" or not experiment.on_request:
                variants += self.list_variants(experiment, self.profile)
        selected = select_variants(variants, self.only)
        return frozenset(
            cell for cell in selected if (cell.experiment, cell.family) not in self.full
        )

    @cached_property
    def _core_count(self) -> int:  # of many, telling takes as many looks at files
        return len(usable_cores())

    def list_variants(
        self, experiment: Experiment, profile: ProfileName | None = None
    ) -> tuple[Variant, ...]:
        """List the cells of an experiment: planned for this machine, or recorded on another."""
        if profile is None:
            sized: list[Variant] = []
            for size in dict.fromkeys((self.profile, "full") if self.full else (self.profile,)):
                cells = self.list_variants(experiment, size)
                sized += (
                    cell for cell in cells if self.find_profile(experiment, cell.family) == size
                )
            return tuple(sized)
        if self.elsewhere is not None:
            return list_recorded_cells(experiment, profile, self.elsewhere)
        return list_variants(
            experiment,
            experiment.profiles[profile],
            self.machine,
            [python.interpreter for python in self.wanted],
            [python.interpreter for python in self.every],
            self._core_count,
        )

    def find_valid(self, variant: Variant) -> Record | None:
        """Find the record of a cell, if it is still valid."""
        experiment = self.experiments[variant.experiment]
        profile = self.find_profile(experiment, variant.family)
        record = self.store.find(variant, profile)
        if record is None:
            return None
        now = take_fingerprint(experiment, variant, profile, self._find_python(variant))
        return record if record.fingerprint == now else None

    def begin(self, variant: Variant, reason: Reason | None = None) -> Record:
        """Begin an empty record of a cell, or one that says why there is none."""
        experiment, interpreter = self.experiments[variant.experiment], self._find_python(variant)
        profile = self.find_profile(experiment, variant.family)
        return begin_cell(experiment, variant, profile, interpreter, reason=reason)

    def _find_python(self, variant: Variant) -> Interpreter:
        for results in self.home:  # builds of one name may differ from machine to machine
            place = (results.machine.id, results.interpreter.id)
            if place == (variant.machine, variant.interpreter):
                return results.interpreter
        return next(python for python in self.interpreters if python.id == variant.interpreter)

    def judge(self, name: str, session: str = "") -> Evidence:
        """Judge the records of an experiment as they are now, or those of one session alone."""
        experiment = self.experiments[name]
        variants = self.list_variants(experiment)
        records, outdated, is_recorded = [], set(), False
        for variant in variants:
            record = self.find_valid(variant)
            if record is None and self.elsewhere is not None:
                # It cannot be measured anew there, so it is shown whether valid or not.
                record = self.store.find(variant, self.find_profile(experiment, variant.family))
                outdated.add(variant)
            is_recorded |= record is not None
            reason = Reason("measuring-off" if variant in self.selected else "left-out")
            records.append(record or self.begin(variant, reason))
        absence = None if self.elsewhere is None else Reason("another-machine")
        if records:
            absence = records[0].reason or absence
        if session:
            records = [record.within(session) for record in records]
        spreads, between = self.store.derive(self.profile, _choose_spreads(self.machine.smt or 1))
        stale = frozenset(outdated)
        judged: list[tuple[Judgement, ...]] = [()]
        if is_recorded:
            judged = judge_sessions(experiment, records, spreads, stale)
        return Evidence(
            experiment=experiment,
            profile=self.profile,
            machine=self._find_machine(variants),
            interpreters=self._list_interpreters(variants),
            judgements=judged[0],
            sessions=tuple(judged[1:]),
            between=between,
            generated_at=datetime.now(UTC),
            absence=absence,
            outdated=stale,
        )

    def _find_machine(self, variants: Sequence[Variant]) -> Machine:
        """Find the machine of variants; of several, that of most."""
        counts = Counter(variant.machine for variant in variants)
        most = max(counts, key=counts.__getitem__, default=self.machine.id)
        return self.machines.get(most, self.machine)

    @property
    def machines(self) -> dict[str, Machine]:
        """The machines shown, by their ids: one, or those of a home."""
        machines = {self.machine.id: self.machine}
        return machines | {results.machine.id: results.machine for results in self.home}

    def _list_interpreters(self, variants: Sequence[Variant]) -> tuple[Interpreter, ...]:
        """List the interpreters of variants and those asked for; without variants, all."""
        used = {variant.interpreter for variant in variants}
        used |= {python.interpreter.id for python in self.wanted}
        if self.elsewhere is not None and len(used) > 1:  # nobody knows which were asked for
            return self.interpreters
        listed = tuple(python for python in self.interpreters if python.id in used)
        return listed or self.interpreters

    def find_left_s(self, compared: Collection[Variant], *, planned: bool = True) -> float:
        """Find the seconds that trials of what is ``compared`` may still take in the present session.

        ``planned`` leaves time for the declared trials that have not run.
        """
        left_s = BUDGETS_S[self.profile]
        if self.profile == PREVIEW:
            left_s = min(left_s, ALONE_S * len({variant.experiment for variant in self.selected}))
        for experiment in self.experiments.values():
            profile = experiment.profiles[self.profile]
            for variant in self.selected.intersection(compared, self.list_variants(experiment)):
                record = self.find_valid(variant)
                if record:
                    left_s -= add_up_time(record.within(self.store.session))
                elif planned:
                    plan = count_trials(profile, variant)
                    left_s -= profile.estimate_s * (plan.timed + plan.traced)
        return left_s


def list_recorded_cells(
    experiment: Experiment, profile: ProfileName, records: Iterable[Record]
) -> tuple[Variant, ...]:
    """List the cells of an experiment that were recorded at a profile's size.

    What was recorded of a program or family that is no longer declared is no cell. Nor is what had another
    size than are declared now, where an interpreter has the same program in one of these.
    """
    families = {program.name: program.families for program in experiment.programs}
    sized: dict[Variant, bool] = {}
    renewed = set()
    for record in records:
        is_here = (record.experiment, record.profile) == (experiment.name, profile)
        if is_here and record.family in families.get(record.program, ()):
            cell = record.variant
            sized[cell] = is_sized(experiment, experiment.profiles[profile], cell)
            if sized[cell]:
                renewed.add((cell.program, cell.family, cell.interpreter))
    return tuple(
        cell
        for cell, is_sized in sized.items()
        if is_sized or (cell.program, cell.family, cell.interpreter) not in renewed
    )


def list_unmeasured(
    records: Mapping[Variant, Record],
    planned: Mapping[Variant, Done],
    questions: Iterable[Iterable[Variant]],
    session: str,
) -> set[Variant]:
    """List the variants that are to be measured in a session.

    All of a question, if there is no session in which each of them has the trials that are planned:
    ratios are formed within one alone. And whatever this session has begun and not finished.
    """
    whole: dict[Variant, set[str]] = {}
    lacking = set()
    for variant, record in records.items():
        plan, timed, traced = planned[variant], record.timed_sessions, record.traced_sessions
        whole[variant] = set()
        for name in record.sessions:
            if timed.count(name) >= plan.timed and traced.count(name) >= plan.traced:
                whole[variant].add(name)
        if session in record.sessions and session not in whole[variant]:
            lacking.add(variant)
    for question in questions:
        runnable = [variant for variant in question if records[variant].status == "ok"]
        if runnable and not set.intersection(*(whole[variant] for variant in runnable)):
            lacking.update(runnable)
    return lacking
