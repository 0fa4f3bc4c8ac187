"""Judge records: what each says by itself, then floor, gain and verdict inside its family."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median
from typing import Literal

from scripts.declare.claim import Verdict
from scripts.declare.experiment import Experiment
from scripts.judge.floors import find_floor, find_wait
from scripts.judge.noise import find_noise
from scripts.judge.sample import Sample, level
from scripts.judge.spreads import Spreads
from scripts.judge.statistics import Estimate, estimate_median, estimate_ratio
from scripts.judge.verdicts import COSTS, LAG, Contender, give_verdicts
from scripts.records.record import Record

TimeMetric = Literal["inside_s", "wall_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A record, and what was made of it inside its family, ``None`` where nothing was measured.

    ``noise`` holds flags from ``judge.noise``. ``floor_s`` is the time below which physics does
    not let this variant go. ``time`` names the metric by which its family is compared there;
    ``baseline`` is what it is compared with: the record of its family's baseline at the same size
    in the same place; ``speedup`` is the baseline's time divided by this one's. These and the
    verdict are ``None`` where no baseline was measured. ``spreads`` are those of all that was measured
    on the machine.
    """

    record: Record
    time: TimeMetric = "wall_s"
    noise: tuple[str, ...] = ()
    floor_s: float | None = None
    baseline: Record | None = None
    speedup: Estimate | None = None
    verdict: Verdict | None = None
    spreads: Spreads = field(default=Spreads(), compare=False, repr=False)

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
    paced = record.list_paced(name)
    return Sample(
        record.list_values(name),
        spreads.find_usual(record, name),
        Sample(paced, spreads.find_usual(record, name, paced=True)) if paced else None,
    )


def judge_records(
    experiment: Experiment, records: Iterable[Record], spreads: Spreads | None = None
) -> tuple[Judgement, ...]:
    """Judge all records of an experiment, in the order in which they come.

    Only records of one machine, interpreter, profile, core count and number of tasks are
    compared, family by family.

    Args:
        experiment: what is declared.
        records: of it.
        spreads: how far trials of their machine differ; by default what they tell of that themselves.
    """
    records = tuple(records)
    spreads = spreads or Spreads(records)
    judgements: dict[int, Judgement] = {}
    by_arena = sorted(records, key=_arena)
    for _, arena in groupby(by_arena, key=_arena):
        for record, judgement in _judge_arena(experiment, tuple(arena), spreads):
            judgements[id(record)] = judgement
    return tuple(judgements[id(record)] for record in records)


def _arena(record: Record) -> tuple[str, str, str, int, str, int]:
    variant = record.variant
    place = (variant.machine, variant.interpreter, record.profile, variant.cores)
    return (*place, variant.family, variant.tasks)


def _judge_arena(
    experiment: Experiment, records: Sequence[Record], spreads: Spreads
) -> Iterable[tuple[Record, Judgement]]:
    family = experiment.family(records[0].variant.family)
    profile = experiment.profiles[records[0].profile]
    measured = [record for record in records if record.is_measured]
    time = choose_time(measured)
    contenders = contend(measured, time, spreads)
    plain = (record for record in measured if record.variant.program == family.baseline)
    baseline = next(plain, None)
    verdicts = (
        give_verdicts(contenders, name_contender(baseline), serves=family.serves)
        if baseline
        else {}
    )
    work_s = min((median(record.list_values("cpu_s")) for record in measured), default=0.0)
    for record in records:
        variant = record.variant
        wait_s = find_wait(profile, variant)
        floor_s = find_floor(family, wait_s, variant.tasks, variant.cores, work_s)
        verdict = verdicts.get(name_contender(record))
        if record.is_measured:
            yield record, _describe(record, time, floor_s, baseline, verdict, spreads)
        else:
            yield record, Judgement(record=record, spreads=spreads)


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
        name: level([take_sample(record, source, spreads) for record in records])
        for name, source in sources.items()
    }
    return {
        name_contender(record): {name: column[place] for name, column in columns.items()}
        for place, record in enumerate(records)
    }


def _describe(
    record: Record,
    time: TimeMetric,
    floor_s: float,
    baseline: Record | None,
    verdict: Verdict | None,
    spreads: Spreads,
) -> Judgement:
    speedup = None
    if baseline:
        speedup = estimate_ratio(*(take_sample(one, time, spreads) for one in (baseline, record)))
    return Judgement(
        record=record,
        time=time,
        noise=find_noise(record),
        floor_s=floor_s,
        baseline=baseline,
        speedup=speedup,
        verdict=verdict,
        spreads=spreads,
    )
