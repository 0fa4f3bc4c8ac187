"""Judge records: what each says by itself, then floor, gain and verdict inside its family."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from math import inf
from statistics import median
from typing import Literal

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.machine import Machine
from scripts.harness.metrics import METRICS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record, Variant
from scripts.site.declare.claims import Verdict
from scripts.site.judge.noise import find_floor, find_noise, find_wait
from scripts.site.judge.rows import Rows
from scripts.site.judge.spreads import Spreads, name_block
from scripts.site.judge.statistics import Estimate, Sample, estimate_median, estimate_ratio
from scripts.site.judge.verdicts import COSTS, LAG, Contender, give_verdicts

TimeMetric = Literal["inside_s", "wall_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A record, and what was made of it inside its family, ``None`` where nothing was measured.

    ``noise`` holds flags from ``judge.noise``. ``floor_s`` is the time below which physics does
    not let this variant go. ``time`` names the metric by which its family is compared there;
    ``baseline`` is what it is compared with: the record of its family's baseline at the same size
    in the same place; ``speedup`` is the baseline's time divided by this one's. These and the
    verdict are ``None`` where no baseline was measured in the same session. What is outdated, or of a
    stranger, cannot decide anything: it has no verdict and takes part in none. ``spreads`` are those of all that was measured
    on the machine.
    """

    record: Record
    time: TimeMetric = "wall_s"
    noise: tuple[str, ...] = ()
    floor_s: float | None = None
    baseline: Record | None = None
    speedup: Estimate | None = None
    verdict: Verdict | None = None
    can_decide: bool = True
    spreads: Spreads = field(default=Spreads(), compare=False, repr=False)

    @property
    def variant(self) -> Variant:
        """The coordinates of the cell, of which most are attributes of the judgement too."""
        return self.record.variant

    @property
    def program(self) -> str:  # noqa: D102 - as in ``Variant``, like those below
        return self.record.variant.program

    @property
    def family(self) -> str:  # noqa: D102
        return self.record.variant.family

    @property
    def interpreter(self) -> str:  # noqa: D102
        return self.record.variant.interpreter

    @property
    def start_method(self) -> str | None:  # noqa: D102
        return self.record.variant.start_method

    @property
    def cores(self) -> int:  # noqa: D102
        return self.record.variant.cores

    @property
    def workers(self) -> int:  # noqa: D102
        return self.record.variant.workers

    @property
    def tasks(self) -> int:  # noqa: D102
        return self.record.variant.tasks

    @property
    def wall(self) -> Estimate | None:
        """The wall time, as a person waits for it."""
        return self.estimate("wall_s")

    def sample(self, name: str) -> Sample:
        """A metric or a reading, a value per trial that gave it, with how far such values differ."""
        return take_sample(self.record, name, self.spreads)

    def estimate(self, name: str) -> Estimate | None:
        """A metric or a reading; ``None`` where nothing was measured."""
        values = self.sample(name) if self.record.status == "ok" else ()
        return estimate_median(values) if values else None

    def median(self, name: str) -> float | None:
        """That of a metric or a reading alone, where nobody asks how sure it is."""
        values = self.record.list_values(name) if self.record.status == "ok" else ()
        return median(values) if values else None


def take_sample(record: Record, name: str, spreads: Spreads) -> Sample:
    """A metric or a reading of a record, a value per trial, with how far such values differ."""
    values = record.list_values(name)
    return Sample(
        values,
        spreads.find_usual(record, name),
        paired=spreads.find_paired(record, name),
        block=name_block(record),
        session="+".join(record.sessions),
        is_disturbed=record.is_disturbed,
        most=_find_most(record, name, values),
    )


def _find_most(record: Record, name: str, values: Sequence[float]) -> float:
    """The number of tasks, of a reading that counts some of them; else there is no bound."""
    tasks = record.variant.tasks
    counts = name not in METRICS and all(
        float(value).is_integer() and value <= tasks for value in values
    )
    return tasks if counts else inf


def judge_sessions(
    experiment: Experiment, records: Sequence[Record], spreads: Spreads, barred: Collection[Variant]
) -> list[tuple[Judgement, ...]]:
    """Judge all records, then, where there are several sessions, those of each alone, the oldest first.

    A verdict that was decided otherwise in another session is borderline.
    """
    names = sorted({session for record in records for session in record.sessions})
    shown = judge_records(experiment, records, spreads, barred)
    if len(names) < 2:
        return [shown]
    apart = [
        judge_records(experiment, [one.within(name) for one in records], spreads, barred)
        for name in names
    ]
    settled = [_settle(judged, [own[place] for own in apart]) for place, judged in enumerate(shown)]
    return [tuple(settled), *apart]


def _settle(shown: Judgement, apart: Iterable[Judgement]) -> Judgement:
    told = {one.verdict for one in apart} - {None, "undecided", "borderline"}
    flips = shown.verdict in told and len(told) > 1
    return replace(shown, verdict="borderline") if flips else shown


def judge_records(
    experiment: Experiment,
    records: Iterable[Record],
    spreads: Spreads | None = None,
    barred: Collection[Variant] = (),
) -> tuple[Judgement, ...]:
    """Judge all records of an experiment, in the order in which they come.

    Only records of one machine, interpreter, profile, core count and number of tasks are
    compared, family by family, and of these only trials of one session.

    Args:
        experiment: what is declared.
        records: of it.
        spreads: how far trials of their machine differ; by default what they tell of that themselves.
        barred: the variants whose records decide nothing.
    """
    records = tuple(records)
    spreads = spreads or Spreads(records)
    judgements: dict[int, Judgement] = {}
    by_arena = sorted(records, key=_arena)
    for _, arena in groupby(by_arena, key=_arena):
        for record, judgement in _judge_arena(experiment, tuple(arena), spreads, barred):
            judgements[id(record)] = judgement
    return tuple(judgements[id(record)] for record in records)


def _arena(record: Record) -> tuple[str, str, str, int, str, int]:
    variant = record.variant
    place = (variant.machine, variant.interpreter, record.profile, variant.cores)
    return (*place, variant.family, variant.tasks)


def _judge_arena(
    experiment: Experiment,
    records: Sequence[Record],
    spreads: Spreads,
    barred: Collection[Variant],
) -> Iterable[tuple[Record, Judgement]]:
    """Each record with its judgement, which shows the trials of one session."""
    family = experiment.family(records[0].variant.family)
    profile = experiment.profiles[records[0].profile]
    session = choose_session(records)
    views = [one.within(session if session in one.sessions else one.session) for one in records]
    measured = [one for one in views if one.is_measured and one.session == session]
    time = choose_time(measured)
    plain = (record for record in measured if record.variant.program == family.baseline)
    baseline = next(plain, None)
    verdicts: Mapping[str, Verdict] = {}
    if baseline and baseline.variant not in barred:
        weighed = [one for one in measured if one.variant not in barred]
        contenders = contend(weighed, time, spreads)
        verdicts = give_verdicts(contenders, name_contender(baseline), serves=family.serves)
    used = [record.list_values("cpu_s") for record in measured]
    work_s = min((median(cpu_s) for cpu_s in used if cpu_s), default=0.0)
    for record, view in zip(records, views, strict=True):
        variant, can_decide = view.variant, view.variant not in barred
        judged = Judgement(record=view, can_decide=can_decide, spreads=spreads)
        if view.is_measured:
            wait_s = find_wait(profile, variant)
            judged = replace(
                judged,
                time=time,
                noise=find_noise(view),
                floor_s=find_floor(family, wait_s, variant.tasks, variant.cores, work_s),
            )
        if baseline and view.is_measured and view.session == session:
            times = (take_sample(one, time, spreads) for one in (baseline, view))
            judged = replace(
                judged,
                baseline=baseline,
                speedup=estimate_ratio(*times),
                verdict=verdicts.get(name_contender(view)) if can_decide else None,
            )
        yield record, judged


def choose_session(records: Iterable[Record]) -> str:
    """The session to compare records in: that of most of them, of those the last."""
    counts: Counter[str] = Counter()
    for record in records:
        if record.is_measured:
            counts.update({trial.session for trial in record.timed})
    return max(counts, key=lambda name: (counts[name], name), default="")


def name_contender(record: Record) -> str:
    """A program under one start method with so many workers."""
    variant = record.variant
    return f"{variant.program}@{variant.start_method}@{variant.workers}"


def choose_time(records: Sequence[Record]) -> TimeMetric:
    """By which time programs are compared: of the work inside where all of them print it."""
    printed = all(len(record.list_values("inside_s")) == len(record.timed) for record in records)
    return "inside_s" if printed else "wall_s"


def contend(records: Sequence[Record], time: TimeMetric, spreads: Spreads) -> dict[str, Contender]:
    """What is weighed of records, each under its name; where time is that inside, CPU time is too."""
    cpu = "work_cpu_s" if time == "inside_s" else "cpu_s"
    sources = {name: name for name in (*COSTS, LAG)} | {"time_s": time, "cpu_s": cpu}
    columns = {
        name: [take_sample(record, source, spreads) for record in records]
        for name, source in sources.items()
    }
    return {
        name_contender(record): {name: column[place] for name, column in columns.items()}
        for place, record in enumerate(records)
    }


Origin = Literal["measured", "contributed"]
"""Whether records were measured by whoever keeps the repository, or are those of a stranger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What there is to show of one experiment: judged records, and where they come from.

    ``judgements`` has one for every cell; it is empty if nothing at all was measured, and
    ``absence`` is the reason. Where trials are of several ``sessions``, these are the judgements of
    each alone, the oldest first. What was recorded of ``outdated`` variants is no longer valid: it is
    of another machine, and cannot be measured anew.
    """

    experiment: Experiment
    profile: str
    machine: Machine
    interpreters: tuple[Interpreter, ...]
    judgements: tuple[Judgement, ...]
    generated_at: datetime
    absence: Reason | None = None
    outdated: frozenset[Variant] = frozenset()
    sessions: tuple[tuple[Judgement, ...], ...] = ()
    origin: Origin = "measured"

    @property
    def rows(self) -> Rows:
        """The judgements, to choose among."""
        return Rows(self.judgements)

    def find_obstacle(self, program: str, interpreter: str, family: str = "") -> Reason | None:
        """Why a program cannot run on an interpreter here; ``None`` if nothing is in its way.

        Without a ``family`` only what holds in each of its families.
        """
        for one in self.interpreters:
            if one.id == interpreter:
                found = self.experiment.program(program).find_obstacle(
                    self.machine.system, one.gil, self.machine.logical_cores, one.minor
                )
                if found is None and family:
                    return self.experiment.family(family).find_obstacle(one.minor)
                return found
        return None
