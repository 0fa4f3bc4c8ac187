"""Cells of a machine: which there are to fill, and what is recorded of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property, partial

from poolwise.declaration import Reason
from poolwise.dependencies import take_fingerprint
from poolwise.experiment import BUDGETS_S, Experiment, Profile, ProfileName
from poolwise.machine import Machine, usable_cores
from poolwise.plan import (
    Done,
    begin_cell,
    count_trials,
    list_variants,
    select_variants,
)
from poolwise.pythons import Installation, Interpreter
from poolwise.record import Record, Results, Variant
from poolwise.store import Store
from scripts.site.judge.judge import Evidence, judge_sessions
from scripts.site.judge.rounds import add_up_time
from scripts.site.judge.spreads import Spreads

ALONE_S = 100.0
"""Seconds of that for each experiment of ``quick`` that is measured alone: it ends in two minutes."""


@cache  # the store keeps what a function makes by the function itself
def _choose_spreads(smt: int) -> partial[Spreads]:
    return partial(Spreads, smt=smt)


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The cells of all experiments on one machine in one profile.

    ``wanted`` run the programs, ``every`` those of families for each Python found, and
    ``interpreters`` are both. ``elsewhere`` are the records of another machine, ``None`` where it
    is the one at hand. ``only`` is the setting of that name.
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
    home: Sequence[Results] = ()  # of several machines, if they are shown as one

    @cached_property
    def selected(self) -> frozenset[Variant]:
        """The cells that ONLY allows to measure.

        Raises:
            ValueError: it allows none; names what there is.
        """
        everything = [cell for one in self.experiments.values() for cell in self.list_variants(one)]
        return frozenset(select_variants(everything, self.only))

    @cached_property
    def _core_count(self) -> int:  # of many, telling takes as many looks at files
        return len(usable_cores())

    def list_variants(
        self, experiment: Experiment, profile: ProfileName | None = None
    ) -> tuple[Variant, ...]:
        """List the cells of an experiment: planned for this machine, or recorded on another."""
        if self.elsewhere is not None:
            return list_recorded_cells(experiment, self.profile, self.elsewhere)
        return list_variants(
            experiment,
            experiment.profiles[profile or self.profile],
            self.machine,
            [one.interpreter for one in self.wanted],
            [one.interpreter for one in self.every],
            self._core_count,
        )

    def list_sizes(self, experiment: Experiment, program: str) -> dict[ProfileName, list[Variant]]:
        """List the cells of a program in this profile and in smoke; none if ONLY leaves it out."""
        own = [one for one in self.list_variants(experiment) if one.program == program]
        if not self.selected.intersection(own):
            return {}
        small = self.list_variants(experiment, "smoke")
        return {self.profile: own} | {"smoke": [one for one in small if one.program == program]}

    def find_valid(self, experiment: Experiment, variant: Variant) -> Record | None:
        """Find the record of a cell, if it is still valid."""
        record = self.store.find(variant, self.profile)
        if record is None:
            return None
        interpreter = self._find_interpreter(variant)
        now = take_fingerprint(experiment, variant, self.profile, interpreter)
        return record if record.fingerprint == now else None

    def begin(
        self, experiment: Experiment, variant: Variant, reason: Reason | None = None
    ) -> Record:
        """Begin an empty record of a cell, or one that says why there is none."""
        interpreter = self._find_interpreter(variant)
        return begin_cell(experiment, variant, self.profile, interpreter, reason=reason)

    def _find_interpreter(self, variant: Variant) -> Interpreter:
        place = (variant.machine, variant.interpreter)  # builds of one name may differ
        builds = (it.interpreter for it in self.home if (it.machine.id, it.interpreter.id) == place)
        ids = (one for one in self.interpreters if one.id == variant.interpreter)
        return next(builds, None) or next(ids)

    def judge(self, name: str, session: str = "") -> Evidence:
        """Judge the records of an experiment as they are now, or those of one session alone."""
        experiment = self.experiments[name]
        variants = self.list_variants(experiment)
        found = {variant: self.store.find(variant, self.profile) for variant in variants}
        valid = {variant: self.find_valid(experiment, variant) for variant in variants}
        # What another machine gave cannot be measured anew, so it is shown whether valid or not.
        kept = valid if self.elsewhere is None else found
        shown = []
        for variant, record in kept.items():
            why = Reason("measuring-off" if variant in self.selected else "left-out")
            shown.append(record or self.begin(experiment, variant, why))
        first = shown[0].reason if shown else None
        if session:
            shown = [record.within(session) for record in shown]
        outdated = frozenset(one for one in variants if kept[one] and not valid[one])
        spreads = self.store.derive(self.profile, _choose_spreads(self.machine.smt or 1))
        judged = (
            judge_sessions(experiment, shown, spreads, outdated) if any(kept.values()) else [()]
        )
        return Evidence(
            experiment=experiment,
            profile=self.profile,
            machine=self._find_machine(variants),
            interpreters=self._list_interpreters(variants),
            judgements=judged[0],
            sessions=tuple(judged[1:]),
            generated_at=datetime.now(UTC),
            absence=first or (None if self.elsewhere is None else Reason("another-machine")),
            outdated=outdated,
        )

    def _find_machine(self, variants: Sequence[Variant]) -> Machine:
        """Find the machine of variants; of several, that of most."""
        counts = Counter(variant.machine for variant in variants)
        most = max(counts, key=counts.__getitem__, default=self.machine.id)
        return self.machines.get(most, self.machine)

    @property
    def machines(self) -> dict[str, Machine]:
        """The machines shown, by their ids: one, or those of a home."""
        own = {self.machine.id: self.machine}
        return own | {results.machine.id: results.machine for results in self.home}

    def _list_interpreters(self, variants: Sequence[Variant]) -> tuple[Interpreter, ...]:
        """List the interpreters of variants and those asked for; without variants, all."""
        used = {variant.interpreter for variant in variants}
        used |= {one.interpreter.id for one in self.wanted}
        if self.elsewhere is not None and len(used) > 1:  # nobody knows which were asked for
            return self.interpreters
        found = tuple(one for one in self.interpreters if one.id in used)
        return found or self.interpreters

    def find_left_s(self, compared: Collection[Variant], *, planned: bool = True) -> float:
        """Find the seconds that trials of what is ``compared`` may still take in the present session.

        ``planned`` leaves time for the declared trials that have not run.
        """
        left_s = BUDGETS_S[self.profile]
        if self.profile == "quick":
            left_s = min(left_s, ALONE_S * len({one.experiment for one in self.selected}))
        for experiment in self.experiments.values():
            profile = experiment.profiles[self.profile]
            for variant in self.selected.intersection(compared, self.list_variants(experiment)):
                record = self.find_valid(experiment, variant)
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
    declared = {
        (program.name, family) for program in experiment.programs for family in program.families
    }
    cells = [
        record.variant
        for record in records
        if (record.experiment, record.profile) == (experiment.name, profile)
        and (record.program, record.family) in declared
    ]
    sized = {cell for cell in cells if _is_sized(experiment, experiment.profiles[profile], cell)}
    renewed = {(cell.program, cell.family, cell.interpreter) for cell in sized}
    return tuple(
        cell
        for cell in cells
        if cell in sized or (cell.program, cell.family, cell.interpreter) not in renewed
    )


def _is_sized(experiment: Experiment, profile: Profile, cell: Variant) -> bool:
    program = experiment.program(cell.program)
    return cell.params == experiment.family(cell.family).merge_params(profile) and any(
        cell.tasks in sweep.list_tasks(program) and sweep.has(cell.tasks, cell.workers)
        for sweep in profile.find_sweeps(cell.program, cell.family)
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
        enough = [name for name in record.sessions if timed.count(name) >= plan.timed]
        whole[variant] = {name for name in enough if traced.count(name) >= plan.traced}
        if session in record.sessions and session not in whole[variant]:
            lacking.add(variant)
    for question in questions:
        can_run = [variant for variant in question if records[variant].status == "ok"]
        if can_run and not set.intersection(*(whole[variant] for variant in can_run)):
            lacking.update(can_run)
    return lacking
