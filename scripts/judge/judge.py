"""Judge records: estimates for each by itself, then floor, gain and verdict inside its family."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import numpy as np

from scripts.judge.floors import find_floor, find_wait
from scripts.judge.judgement import Estimate, Judgement, Verdict
from scripts.judge.noise import find_noise
from scripts.judge.statistics import estimate_median, estimate_ratio
from scripts.judge.verdicts import Contender, give_verdicts
from scripts.measure.experiment import Experiment
from scripts.records.record import Record


def judge_records(experiment: Experiment, records: Iterable[Record]) -> tuple[Judgement, ...]:
    """Judge all records of an experiment, in the order in which they come.

    Only records of one machine, interpreter, profile, core count and number of tasks are
    compared, family by family.
    """
    records = tuple(records)
    judgements: dict[int, Judgement] = {}
    by_arena = sorted(records, key=_arena)
    for _, arena in groupby(by_arena, key=_arena):
        for record, judgement in _judge_arena(experiment, tuple(arena)):
            judgements[id(record)] = judgement
    return tuple(judgements[id(record)] for record in records)


def _arena(record: Record) -> tuple[str, str, str, int, str, int]:
    variant = record.variant
    where = (variant.machine, variant.interpreter, record.profile, variant.cores)
    return (*where, variant.family, variant.tasks)


def _judge_arena(
    experiment: Experiment, records: Sequence[Record]
) -> Iterable[tuple[Record, Judgement]]:
    family = experiment.family(records[0].variant.family)
    profile = experiment.profiles[records[0].profile]
    contenders = {_name(record): _contend(record) for record in records if is_measured(record)}
    baseline = next(
        (
            _name(record)
            for record in records
            if record.variant.program == family.baseline and is_measured(record)
        ),
        "",
    )
    verdicts = give_verdicts(contenders, baseline)
    work_s = min(
        (float(np.median(contender.cpu_s)) for contender in contenders.values()), default=0.0
    )
    for record in records:
        variant = record.variant
        wait_s = find_wait(profile, variant)
        floor_s = find_floor(family, wait_s, variant.tasks, variant.cores, work_s)
        yield record, _describe(record, floor_s, contenders.get(baseline), verdicts)


def is_measured(record: Record) -> bool:
    """Whether a record has something to estimate: it is ``ok`` and has timed trials."""
    return record.status == "ok" and bool(record.timed)


def _name(record: Record) -> str:
    """A contender: a program under one start method with so many workers."""
    variant = record.variant
    return f"{variant.program}@{variant.start_method}@{variant.workers}"


def _contend(record: Record) -> Contender:
    return Contender(
        wall_s=[trial.wall_s for trial in record.timed],
        cpu_s=[trial.user_s + trial.system_s for trial in record.timed],
        peak_pss_bytes=_peaks(record),
    )


def _peaks(record: Record) -> list[float]:
    return [trial.peak_pss_bytes for trial in record.traced if trial.peak_pss_bytes is not None]


def _describe(
    record: Record,
    floor_s: float,
    baseline: Contender | None,
    verdicts: Mapping[str, Verdict],
) -> Judgement:
    if not is_measured(record):
        return Judgement(record=record)
    timed = record.timed
    walls = [trial.wall_s for trial in timed]
    inside = [trial.inside_s for trial in timed if trial.inside_s is not None]
    shares = [(trial.user_s + trial.system_s) / trial.wall_s for trial in timed]
    return Judgement(
        record=record,
        wall_s=estimate_median(walls),
        inside_s=_estimate(inside),
        user_s=estimate_median([trial.user_s for trial in timed]),
        system_s=estimate_median([trial.system_s for trial in timed]),
        cpu_share=float(np.median(shares)),
        peak_pss_bytes=_estimate(_peaks(record)),
        max_rss_bytes=estimate_median([trial.max_rss_bytes for trial in timed]),
        noise=find_noise(record),
        floor_s=floor_s,
        speedup=estimate_ratio(baseline.wall_s, walls) if baseline else None,
        verdict=verdicts[_name(record)],
    )


def _estimate(values: Sequence[float]) -> Estimate | None:
    return estimate_median(values) if values else None
