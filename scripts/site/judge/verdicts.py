"""Verdicts: what a program earns among those that do the same work, on one machine.

The rule weighs time first, then CPU time and memory, always by an interval against a margin. Time is
that of the work inside the programs where all of them print it, otherwise of the whole processes.

1. Programs within ``TIME_MARGIN`` of the fastest are tied: nobody would choose by such a difference.
2. If the baseline, the plainest program, is among the tied, there is nothing to gain here: the
   baseline is recommended, and the others gain nothing, or are worse.
3. Otherwise, among the tied, those that cost no more than the cheapest of the tied are recommended.
   The others work but cost more. A cost is more if it exceeds both ``COST_MARGIN`` times the least
   and the least with that amount of ``COSTS`` that matters to a person. Where time is that of the
   work inside, so is CPU time: what starting and importing take is a constant of the process.
4. Of the rest, what beats the baseline by ``GAIN_MARGIN`` works but costs more time. What is sure not
   to gains nothing. What is sure to be slower by that margin is worse.
5. Where an interval straddles the margin that decides, or is not sure, the verdict is undecided. If
   all of the interval lies at the margin, it is borderline. Trials that others disturbed decide
   nothing.

Memory and lag are measured in trials of their own, of which there may be fewer. Fewer than ``FEWEST``
decide nothing: between programs that tie, time and CPU time alone decide then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median

from scripts.harness.margins import OPEN, Decision, Relation, combine, hold
from scripts.harness.record import Variant
from scripts.harness.statistics import FEWEST, Sample, can_decide, estimate_ratio
from scripts.site.declare.claims import Verdict

TIME_MARGIN = 1.25
COST_MARGIN = 1.25
GAIN_MARGIN = 1.10
LAG_MARGIN = 2.0
LAG_S = 0.1
"""The longest delay that a person takes for none (Miller, "Response time in man-computer
conversational transactions", AFIPS Fall Joint Computer Conference, 1968)."""

TIME = "time_s"
LAG = "lag_max_s"
COST_CPU_S = LAG_S
"""CPU time that nobody notices: computed at once, it is over before a person sees that it began."""
COST_BYTES = 64 << 20
"""Memory that decides nothing: half of the least that containers and functions are rented with, and
more than libraries for the same work differ by once they are imported."""
COSTS: Mapping[str, float] = {"cpu_s": COST_CPU_S, "peak_pss_bytes": COST_BYTES}
"""The costs that are weighed after time, and by how much one must exceed another to be more."""
CLEARLY_CHEAP = 0.5
"""A cost below this share of what it may be needs no further trials, however few have told it."""

Contender = Mapping[str, Sample]
"""The trials of one program that the rule weighs: ``TIME`` and each of ``COSTS``, of memory maybe
none. In a family that serves, also ``LAG``."""
Contenders = Mapping[Variant, Contender]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, and the decisions that it rests on or that keep it open, in the order of the rule.

    One more may follow that is open although the verdict is given: of a cost that too few trials tell.
    """

    verdict: Verdict
    decisions: tuple[Decision, ...]


def give_verdicts(contenders: Contenders, baseline: Variant) -> dict[Variant, Ruling]:
    """Rule on every program of one family at one core count on one machine.

    Args:
        contenders: at least one trial each. A program that failed is not among them.
        baseline: the plainest program, one of the contenders.
    """
    return _weigh(contenders, baseline)


def _weigh(contenders: Contenders, baseline: Variant) -> dict[Variant, Ruling]:
    """Rule by time, CPU time and memory."""
    ties = _hold_ties(contenders)
    leaders = _list_leaders(ties, contenders)
    rulings = {}
    for name, tie in ties.items():
        if ties[baseline].status != "refuted":
            rulings[name] = _judge_without_gain(name, baseline, ties[baseline], contenders)
        elif name in leaders:
            rulings[name] = _judge_leader(name, leaders)
        else:
            rulings[name] = _judge_follower(name, baseline, tie, contenders)
    return rulings


def _hold_ties(contenders: Contenders) -> dict[Variant, Decision]:
    """Hold the time of each program against that of the fastest."""
    fastest = _find_least(TIME, contenders, contenders)
    ties = {}
    for name in contenders:
        ties[name] = _hold(TIME, name, "not more", TIME_MARGIN, fastest, contenders)
    # The fastest is as fast as itself however its trials spread, if there are enough of them.
    times = contenders[fastest][TIME]
    is_sure = len(times) >= FEWEST and can_decide(times)
    ties[fastest] = replace(
        ties[fastest], sides=(fastest,), status="confirmed" if is_sure else OPEN
    )
    return ties


def _list_leaders(ties: Mapping[Variant, Decision], contenders: Contenders) -> Contenders:
    return {name: contenders[name] for name, tie in ties.items() if tie.status == "confirmed"}


def _judge_without_gain(
    name: Variant, baseline: Variant, tie: Decision, contenders: Contenders
) -> Ruling:
    """Rule where the baseline is, or may be, as fast as any, as its ``tie`` says."""
    if name == baseline:
        return Ruling("recommended", (tie,)) if tie.status == "confirmed" else _leave_open(tie)
    keeps_up = _hold(TIME, name, "not more", GAIN_MARGIN, baseline, contenders)
    if keeps_up.status == "refuted":
        return Ruling("worse", (keeps_up,))
    # Where the baseline ties, programs as fast as it are no gain, so a gain has to exceed a tie.
    margin = TIME_MARGIN if tie.status == "confirmed" else GAIN_MARGIN
    gain = _hold(TIME, baseline, "more", margin, name, contenders)
    return Ruling("no gain", (gain,)) if gain.status == "refuted" else _leave_open(tie, gain)


def _judge_leader(name: Variant, leaders: Contenders) -> Ruling:
    """Rule on one of the tied by what it costs beside the cheapest of them."""
    weighed: list[Decision] = []
    hints: list[Decision] = []  # of too few trials, which decide nothing yet
    for cost in COSTS:
        cheapest = _find_cheapest(cost, leaders)
        if cheapest in (None, name) or not leaders[name][cost]:
            continue
        decision = _hold_cost(cost, name, cheapest, leaders)
        if len(leaders[name][cost]) >= FEWEST:
            weighed.append(decision)
        elif decision.ratio.median >= CLEARLY_CHEAP:
            hints.append(decision)
    match combine(["confirmed", *(one.status for one in weighed)]):
        case "confirmed":
            return Ruling("recommended", (*weighed, *hints))
        case "refuted":
            return Ruling("works, costs more", tuple(weighed))
    return Ruling(_leave_open(*weighed).verdict, (*weighed, *hints))


def _judge_follower(
    name: Variant, baseline: Variant, tie: Decision, contenders: Contenders
) -> Ruling:
    """Rule on a program that is not certainly as fast as the fastest, where something gains."""
    if name == baseline:  # however noisy, it gains nothing on itself
        return Ruling("no gain", (tie,))
    gain = _hold(TIME, baseline, "more", GAIN_MARGIN, name, contenders)
    loss = _hold(TIME, name, "more", GAIN_MARGIN, baseline, contenders)
    if gain.status == "confirmed":
        if tie.status == "refuted":
            return Ruling("works, costs more", (gain, tie))
        return _leave_open(tie)
    if loss.status == "confirmed":
        return Ruling("worse", (loss,))
    return Ruling("no gain", (gain,)) if gain.status == "refuted" else _leave_open(gain)


def _leave_open(*decisions: Decision) -> Ruling:
    """The ruling where one of these keeps the verdict from being given."""
    status = combine(one.status for one in decisions)
    return Ruling("borderline" if status == "borderline" else OPEN, decisions)


def _hold(
    metric: str,
    name: Variant,
    relation: Relation,
    margin: float,
    other: Variant,
    contenders: Contenders,
) -> Decision:
    """Hold the ratio of one program to another against a margin."""
    ratio = estimate_ratio(contenders[name][metric], contenders[other][metric])
    return hold(metric, (name, other), relation, margin, ratio)


def _hold_cost(cost: str, name: Variant, cheapest: Variant, contenders: Contenders) -> Decision:
    """Hold a cost against what it may be beside the least: above 1 it is more."""
    least = contenders[cheapest][cost]
    allowed = least.turn(max(COST_MARGIN * value, value + COSTS[cost]) for value in least)
    ratio = estimate_ratio(contenders[name][cost], allowed)
    return hold(cost, (name, cheapest), "not more", 1.0, ratio)


def _find_cheapest(cost: str, leaders: Contenders) -> Variant | None:
    """The program with the least of a cost, if possible one of which enough trials tell."""
    told = [name for name, one in leaders.items() if one[cost]]
    enough = [name for name in told if len(leaders[name][cost]) >= FEWEST]
    return _find_least(cost, leaders, enough or told) if told else None


def _find_least(metric: str, contenders: Contenders, among: Iterable[Variant]) -> Variant:
    """The program with the least of a metric, by its median."""
    return min(among, key=lambda name: median(contenders[name][metric]))
