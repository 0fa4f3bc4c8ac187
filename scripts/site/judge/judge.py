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
from scripts.site.judge.evidence import Judgement, TimeMetric, take_sample
from scripts.site.judge.noise import find_floor, find_noise, find_wait
from scripts.site.judge.samples import estimate_ratio
from scripts.site.judge.spreads import Spreads
from scripts.site.judge.verdicts import COSTS, Contender, Ruling, give_verdicts


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
