"""Judging: what each record says by itself, then its floor, gain and verdict inside its family.

Only records of one machine, interpreter, profile, core count and number of tasks are compared, family
by family: an arena. Of these, only trials of one session are divided by each other.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from statistics import median

from poolwise.experiment import Experiment
from poolwise.record import Record, Variant
from scripts.site.declare.claims import Question
from scripts.site.judge.evidence import Judgement, TimeMetric
from scripts.site.judge.noise import find_floor, find_noise, find_wait
from scripts.site.judge.samples import estimate_ratio
from scripts.site.judge.spreads import Spreads, take_sample
from scripts.site.judge.verdicts import COSTS, Contender, Ruling, give_verdicts


def judge_sessions(
    experiment: Experiment, records: Sequence[Record], spreads: Spreads, barred: Collection[Variant]
) -> list[tuple[Judgement, ...]]:
    """Judge all records and then, if there are several sessions, those of each alone, the oldest first."""
    pooled = judge_records(experiment, records, spreads, barred)
    sessions = set().union(*(record.sessions for record in records))
    if len(sessions) < 2:
        return [pooled]
    apart = []
    for session in sorted(sessions):
        views = [record.within(session) for record in records]
        apart.append(judge_records(experiment, views, spreads, barred))
    return [tuple(map(_settle, pooled, zip(*apart, strict=True))), *apart]


def _settle(pooled: Judgement, apart: Iterable[Judgement]) -> Judgement:
    """Take back a verdict that another session contradicts."""
    verdicts = {row.verdict for row in apart} - {None}
    # One of several that are as good may be the cheapest in another session: that takes nothing back.
    flips = len(verdicts) > 1 and verdicts != {"recommended", "as good"}
    if pooled.verdict and flips:
        return replace(pooled, verdict=None, decisions=())
    return pooled


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
    for _, group in groupby(sorted(records, key=_read_place), key=_read_place):
        arena = tuple(group)
        question = None
        if arena[0].tasks == sizes.get(arena[0].family):
            question = experiment.questions[arena[0].family]
        judged = _judge_arena(experiment, arena, question, spreads, barred)
        judgements |= zip(map(id, arena), judged, strict=True)
    return tuple(judgements[id(record)] for record in records)


def find_asked_sizes(experiment: Experiment, records: Iterable[Record]) -> dict[str, int]:
    """Find the number of tasks at which the question of each family is asked, if it has any."""
    sizes: dict[str, int] = {}
    for record in records:
        question = experiment.questions.get(record.family)
        if question and record.program == experiment.family(record.family).baseline:
            choose = max if question.tasks == "most" else min
            sizes[record.family] = choose(record.tasks, sizes.get(record.family, record.tasks))
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
    session = choose_arena_session(records)
    views, measured = [], []
    for record in records:
        view = record.within(session if session in record.sessions else record.session)
        views.append(view)
        if view.is_measured and view.session == session:
            measured.append(view)
    time = choose_time(measured)
    baseline = next((view for view in measured if view.program == family.baseline), None)
    rulings: Mapping[Variant, Ruling] = {}
    if question and baseline and baseline.variant not in barred:
        weighed = [view for view in measured if view.variant not in barred]
        contenders = contend(weighed, question, spreads, experiment)
        if baseline.variant in contenders:
            rulings = give_verdicts(contenders, baseline.variant, question)
    used = filter(None, (view.list_values("cpu_s") for view in measured))
    work_s = min(map(median, used), default=0.0)
    for view in views:
        variant = view.variant
        judged = Judgement(
            record=view, can_decide=variant not in barred, spreads=spreads, experiment=experiment
        )
        if view.is_measured:
            wait_s, ruling = find_wait(profile, variant), rulings.get(variant, Ruling())
            judged = replace(
                judged,
                time=time,
                noise=find_noise(view),
                floor_s=find_floor(family, wait_s, variant.tasks, variant.cores, work_s),
                verdict=ruling.verdict,
                decisions=ruling.decisions,
                why=ruling.why,
                cheaper=ruling.cheaper,
            )
            if baseline and view.session == session:
                plainest = take_sample(baseline, time, spreads, experiment)
                ratio = estimate_ratio(plainest, judged.sample(time))
                judged = replace(judged, baseline=baseline, speedup=ratio)
        yield judged


def choose_arena_session(records: Iterable[Record]) -> str:
    """Choose the session to compare records in: the one that has most of them, of those the last."""
    counts: Counter[str] = Counter()
    for record in records:
        if record.is_measured:
            counts.update({*record.timed_sessions})
    return max(counts, key=lambda name: (counts[name], name), default="")


def choose_time(records: Sequence[Record]) -> TimeMetric:
    """Choose the time by which programs are compared: of the work inside where all of them print it."""
    if all(len(record.list_values("inside_s")) == len(record.timed) for record in records):
        return "inside_s"
    return "wall_s"


def contend(
    records: Iterable[Record],
    question: Question,
    spreads: Spreads,
    experiment: Experiment | None = None,
) -> dict[Variant, Contender]:
    """Take the samples that a question asks for, of each record that has what is weighed."""
    names = {question.weigh, *COSTS, *(limit.metric for limit in question.disqualify)}
    contenders: dict[Variant, Contender] = {}
    for record in records:
        samples = {}
        for name in names:
            # Starting and importing are a constant of the process, not of the work inside.
            is_inside = name == "cpu_s" and question.weigh == "inside_s"
            source = "work_cpu_s" if is_inside else name
            samples[name] = take_sample(record, source, spreads, experiment)
        if samples[question.weigh]:
            contenders[record.variant] = samples
    return contenders
