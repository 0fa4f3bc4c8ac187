"""Judging: what each record says by itself, then its floor, gain and verdict inside its family.

Only records of one machine, interpreter, profile, core count and number of tasks are compared, family
by family: an arena. Of these, only trials of one session are divided by each other.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from math import inf
from operator import attrgetter
from statistics import median
from typing import Literal

from poolwise.declaration import Reason
from poolwise.experiment import Experiment, find_newer_python
from poolwise.machine import Machine
from poolwise.metrics import METRICS, find_unit
from poolwise.pythons import Interpreter
from poolwise.record import Record, Variant
from poolwise.statistics import FEWEST, Estimate
from scripts.site.declare.questions import Question
from scripts.site.judge.noise import find_floor, find_noise, find_span, find_wait
from scripts.site.judge.rows import Rows
from scripts.site.judge.samples import FEWEST_STEADY, Sample, estimate_ratio, estimate_sample
from scripts.site.judge.spreads import Spreads, name_block
from scripts.site.judge.verdicts import COSTS, Contender, Ruling, give_verdicts

TimeMetric = Literal["inside_s", "wall_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Ruling):
    """A record, and what came of it inside its family: a ruling too, if its question is asked."""

    record: Record  # with the trials of the session in which it is compared
    time: TimeMetric = "wall_s"
    noise: tuple[str, ...] = ()
    floor_s: float | None = None  # below which physics does not let it go, if it was measured
    baseline: Record | None = None  # of its family, size and place, measured in the same session
    speedup: Estimate | None = None  # the baseline's time divided by its own
    can_decide: bool = True  # what is outdated may not
    spreads: Spreads = field(default=Spreads(), compare=False, repr=False)
    experiment: Experiment | None = field(default=None, compare=False, repr=False)

    @property
    def variant(self) -> Variant:
        """The coordinates of the cell, of which most are attributes of the judgement too."""
        return self.record.variant

    @property
    def program(self) -> str:  # noqa: D102 - as in ``Variant``, like those below
        return self.record.program

    @property
    def family(self) -> str:  # noqa: D102
        return self.record.family

    @property
    def interpreter(self) -> str:  # noqa: D102
        return self.record.interpreter

    @property
    def cores(self) -> int:  # noqa: D102
        return self.record.cores

    @property
    def workers(self) -> int:  # noqa: D102
        return self.record.workers

    @property
    def tasks(self) -> int:  # noqa: D102
        return self.record.tasks

    @property
    def wall(self) -> Estimate | None:
        """The wall time, as a person waits for it."""
        return self.estimate("wall_s")

    def sample(self, name: str) -> Sample:
        """A metric or a reading, a value per trial that gave it, with how far such values differ."""
        return take_sample(self.record, name, self.spreads, self.experiment)

    def estimate(self, name: str) -> Estimate | None:
        """A metric or a reading with its interval; ``None`` where nothing was measured."""
        values = self.sample(name) if self.record.status == "ok" else ()
        return estimate_sample(values) if values else None

    def median(self, name: str) -> float | None:
        """The median of a metric or a reading alone, where nobody asks how sure it is."""
        values = self.record.list_values(name) if self.record.status == "ok" else ()
        return median(values) if values else None


# It holds much: whoever keeps what was made of it asks whether it is the same, not whether it is equal.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """All that there is to show of one experiment: judged records, and where they come from."""

    experiment: Experiment
    profile: str
    machine: Machine
    interpreters: tuple[Interpreter, ...]
    judgements: tuple[Judgement, ...]  # one for every cell
    generated_at: datetime
    absence: Reason | None = None  # why nothing at all was measured
    outdated: frozenset[Variant] = frozenset()  # of another machine, so not to be measured anew
    sessions: tuple[tuple[Judgement, ...], ...] = ()  # each alone, the oldest first, if several

    @property
    def rows(self) -> Rows:
        """The judgements, to choose among."""
        return Rows(self.judgements)

    def list_alike(self, interpreter: str) -> set[str]:
        """List the interpreters whose seconds may be compared with those of one, by their ids."""
        own = [one.options for one in self.interpreters if one.id == interpreter]
        return {one.id for one in self.interpreters if one.options in own}

    def find_obstacle(self, program: str, interpreter: str, family: str = "") -> Reason | None:
        """Tell why a program, in each of its families or in one, cannot run on an interpreter here."""
        python = next((one for one in self.interpreters if one.id == interpreter), None)
        if python is None:
            return None
        found = self.experiment.program(program).find_obstacle(
            self.machine.system, python.gil, self.machine.logical_cores, python.minor
        )
        if found is None and family:
            return find_newer_python(self.experiment.family(family).python, python.minor)
        return found


def take_sample(
    record: Record, name: str, spreads: Spreads, experiment: Experiment | None = None
) -> Sample:
    """A metric or a reading of a record, a value per trial, with how far such values differ."""
    values = record.list_values(name)
    # A reading that counts tasks is no larger than they are.
    counts = name not in METRICS and all(
        float(value).is_integer() and value <= record.tasks for value in values
    )
    return Sample(
        values,
        spreads.find(record, name),
        paired=spreads.find(record, name, paired=True),
        block=name_block(record),
        session="+".join(record.sessions),
        span=find_span(experiment, record, name, spreads.smt),
        most=record.tasks if counts else inf,
        fewest=FEWEST_STEADY if is_steady(record, name) else FEWEST,
    )


def is_steady(record: Record, name: str) -> bool:
    """Tell whether a metric has no two speeds: memory has none, nor the time of a program that waits."""
    return find_unit(name) == "bytes" or (name in ("inside_s", "wall_s") and not record.computes)


def judge_sessions(
    experiment: Experiment, records: Sequence[Record], spreads: Spreads, barred: Collection[Variant]
) -> list[tuple[Judgement, ...]]:
    """Judge all records and then, if there are several sessions, those of each alone, the oldest first."""
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
    """Take back a verdict that another session contradicts."""
    # One of several that are as good may be the cheapest in another session: that takes nothing back.
    told = {"recommended" if one.verdict == "as good" else one.verdict for one in apart} - {None}
    flips = shown.verdict is not None and len(told) > 1
    return replace(shown, verdict=None, decisions=()) if flips else shown


def judge_records(
    experiment: Experiment,
    records: Iterable[Record],
    spreads: Spreads | None = None,
    barred: Collection[Variant] = (),
) -> tuple[Judgement, ...]:
    """Judge all records, one of each cell; ``spreads`` are those that they tell of themselves, by default."""
    records = tuple(records)
    spreads = spreads or Spreads(records)
    judgements: dict[int, Judgement] = {}
    sizes = find_asked_sizes(experiment, records)
    for _, arena in groupby(sorted(records, key=_read_place), key=_read_place):
        own = tuple(arena)
        is_asked = own[0].tasks == sizes.get(own[0].family)
        question = experiment.questions[own[0].family] if is_asked else None
        judged = _judge_arena(experiment, own, question, spreads, barred)
        judgements |= zip(map(id, own), judged, strict=True)
    return tuple(judgements[id(record)] for record in records)


def find_asked_sizes(experiment: Experiment, records: Iterable[Record]) -> dict[str, int]:
    """Find the number of tasks at which the question of each family is asked, if it has any."""
    sizes: dict[str, int] = {}
    for one in records:
        question = experiment.questions.get(one.family)
        if question and one.program == experiment.family(one.family).baseline:
            choose = max if question.tasks == "most" else min
            sizes[one.family] = choose(one.tasks, sizes.get(one.family, one.tasks))
    return sizes


_read_place = attrgetter("machine", "interpreter", "profile", "cores", "family", "tasks")


def _judge_arena(
    experiment: Experiment,
    records: Sequence[Record],
    question: Question | None,
    spreads: Spreads,
    barred: Collection[Variant],
) -> Iterator[Judgement]:
    """Judge records in one place by one session; ``question`` is what is asked of this size, if anything."""
    family = experiment.family(records[0].variant.family)
    profile = experiment.profiles[records[0].profile]
    session = choose_session(records)
    views = [one.within(session if session in one.sessions else one.session) for one in records]
    measured = [one for one in views if one.is_measured and one.session == session]
    time = choose_time(measured)
    plain = (record for record in measured if record.variant.program == family.baseline)
    baseline = next(plain, None)
    rulings: Mapping[Variant, Ruling] = {}
    if question and baseline and baseline.variant not in barred:
        weighed = [one for one in measured if one.variant not in barred]
        contenders = contend(weighed, question, spreads, experiment)
        if baseline.variant in contenders:
            rulings = give_verdicts(contenders, baseline.variant, question)
    base = take_sample(baseline, time, spreads, experiment) if baseline else ()
    used = [record.list_values("cpu_s") for record in measured]
    work_s = min((median(cpu_s) for cpu_s in used if cpu_s), default=0.0)
    for view in views:
        variant = view.variant
        judged = Judgement(
            record=view,
            can_decide=variant not in barred,
            spreads=spreads,
            experiment=experiment,
        )
        if view.is_measured:
            is_compared = baseline and view.session == session
            wait_s, ruling = find_wait(profile, variant), rulings.get(variant, Ruling())
            ratio = estimate_ratio(base, judged.sample(time)) if is_compared else None
            judged = replace(
                judged,
                time=time,
                noise=find_noise(view),
                floor_s=find_floor(family, wait_s, variant.tasks, variant.cores, work_s),
                baseline=baseline if is_compared else None,
                speedup=ratio,
                verdict=ruling.verdict,
                decisions=ruling.decisions,
                why=ruling.why,
                cheaper=ruling.cheaper,
            )
        yield judged


def choose_session(records: Iterable[Record]) -> str:
    """The session to compare records in: the one that has most of them, of those the last."""
    counts: Counter[str] = Counter()
    for record in records:
        if record.is_measured:
            counts.update({*record.timed_sessions})
    return max(counts, key=lambda name: (counts[name], name), default="")


def choose_time(records: Sequence[Record]) -> TimeMetric:
    """The time by which programs are compared: of the work inside where all of them print it."""
    printed = all(len(record.list_values("inside_s")) == len(record.timed) for record in records)
    return "inside_s" if printed else "wall_s"


def contend(
    records: Iterable[Record],
    question: Question,
    spreads: Spreads,
    experiment: Experiment | None = None,
) -> dict[Variant, Contender]:
    """Take the samples that a question asks for, of each record that has what is weighed."""
    disqualifying = (one.metric for one in question.disqualify)
    sources = {name: name for name in (question.weigh, *COSTS, *disqualifying)}
    if question.weigh == "inside_s":  # starting and importing are a constant of the process
        sources["cpu_s"] = "work_cpu_s"
    contenders: dict[Variant, Contender] = {}
    for record in records:
        samples = {
            name: take_sample(record, source, spreads, experiment)
            for name, source in sources.items()
        }
        if samples[question.weigh]:
            contenders[record.variant] = samples
    return contenders
