"""Further rounds: which variants get more trials while comparisons are open.

After the first rounds the judge lists the comparisons that are still open. Each of them asks for
trials that bring its variants to the next of ``LEVELS``, so both sides have equally many. The next
trials go to what a reader meets first, then where a step costs least; a step on the Python shown
first is worth more (``WORTH_SHOWN``). No look spends more than ``SPENT_SHARE`` of the time left.
Verdicts get trials once no claim asks for any.

Replayed on recorded sessions, going by the cost of a step decided more in the same time than
bringing every variant to the first level first, than the expected seconds or the odds of a decision
(both are hardly known so early), and than sharing a variant's seconds among the comparisons that
wait for it.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, log
from statistics import median

from poolwise.plan import Done, count_done
from poolwise.record import Record, Variant
from poolwise.statistics import NORMAL
from scripts.site.judge.decisions import BORDER, Decision
from scripts.site.judge.samples import FEWEST_STEADY

# The numbers of trials at which a comparison is looked at; after the last it stays open. Three trials
# decide what is far from its margin, and of what is steady ``FEWEST_STEADY`` do. On recorded sessions,
# steps of 3, 4, 7 and 16 decided more in the same time than 3, 5 and 16, though each look may err less.
LEVELS = (3, 4, 7, 16)
# The share of the time left that a look may spend; its findings may change the order. Replayed on
# recorded sessions, smaller shares decided fewer comparisons.
SPENT_SHARE = 4 / 5
OVERHEAD_S = 0.01  # that a trial takes besides its program, to start, read and save it
WORTH_SHOWN = 2.0  # of a decision on the interpreter that pages show first


def expect_trials(decision: Decision) -> float:
    """Return how many trials a side may take until the interval leaves the margin, or lies at it; 0 if unknown.

    No number of trials tells what others who are busy have changed, or by how much sessions differ.
    """
    ratio = decision.ratio
    if not ratio.deviation or not 0 < ratio.median < inf:
        return 0.0
    away = min(abs(log(ratio.median / end)) for end in decision.ends)
    if ratio.allowance > 1:
        away -= log(ratio.allowance)
        if away <= 0:
            return inf
    else:
        away = max(away, log(BORDER) - away)
    between = NORMAL**2 * ratio.mean.between if ratio.mean else 0.0
    if away**2 <= between:
        return inf
    return (NORMAL * ratio.deviation) ** 2 / (away**2 - between)


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """An open comparison, and the variants whose further trials may settle it.

    ``name`` is the claim or program that it is about, ``trials`` how many of each it may take in
    all, zero if unknown. Of ``steady`` variants fewer trials decide at first. Needs that are not
    ``urgent`` get trials once no urgent one asks for any.
    """

    name: str
    variants: tuple[Variant, ...]
    trials: float = 0.0
    traced: bool = False
    urgent: bool = True
    steady: Collection[Variant] = ()


def give_more(
    needs: Iterable[Need],
    records: Mapping[Variant, Record],
    left_s: float,
    first: Collection[str] = (),
    current: str = "",
) -> dict[Variant, Done]:
    """Choose how many trials variants get now; variants that get none are left out.

    Args:
        needs: what is open.
        records: those of variants that can be run, each with trials.
        left_s: how long all of them may take, in seconds of programs.
        first: names of those that a reader meets first.
        current: the id of the interpreter that pages show first.
    """
    wanted: dict[Variant, Done] = {}
    share_s = SPENT_SHARE * left_s
    urgent = False

    def rank(need: Need) -> tuple[bool, bool, bool, float]:
        """Put urgent needs first; of them what is not hopeless, what readers meet first, and what costs least."""
        cost_s = _add_costs(_raise(need, records, wanted))
        if all(variant.interpreter == current for variant in need.variants):
            cost_s /= WORTH_SHOWN
        return not need.urgent, need.trials > LEVELS[-1], need.name not in first, cost_s

    waiting = [need for need in needs if records.keys() >= set(need.variants)]
    ranks = list(map(rank, waiting))
    while waiting:
        place = ranks.index(min(ranks))
        need, _ = waiting.pop(place), ranks.pop(place)
        if urgent and not need.urgent:
            break
        raised = _raise(need, records, wanted)
        cost_s = _add_costs(raised)
        if cost_s > (share_s if wanted else left_s):
            continue
        share_s -= cost_s
        urgent = urgent or (need.urgent and bool(raised))
        for variant, (counts, _) in raised.items():
            wanted[variant] = counts
        for place, other in enumerate(waiting):
            if not raised.keys().isdisjoint(other.variants):  # it lacks less now
                ranks[place] = rank(other)
    return wanted


_Raised = dict[Variant, tuple[Done, float]]


def _add_costs(raised: _Raised) -> float:
    return sum(cost_s for _, cost_s in raised.values())


def _raise(
    need: Need, records: Mapping[Variant, Record], wanted: Mapping[Variant, Done]
) -> _Raised:
    """Return the trials that bring a need's variants to their next level, and the seconds they take.

    The level is the next above that of the least tried of them by now, whatever others are ``wanted``
    for: only those below it get more.
    """
    pass_ = "traced" if need.traced else "timed"
    ladders, step = {}, len(LEVELS)
    for variant in need.variants:
        ladder = (FEWEST_STEADY, *LEVELS[1:]) if variant in need.steady else LEVELS
        count = getattr(count_done(records[variant]), pass_)
        step = min(step, bisect_right(ladder, count))
        ladders[variant] = ladder
    if step == len(LEVELS):
        return {}
    raised = {}
    for variant, ladder in ladders.items():
        counts = wanted.get(variant) or count_done(records[variant])
        more = ladder[step] - getattr(counts, pass_)
        if more > 0:
            seconds = more * estimate_trial(records[variant])
            raised[variant] = replace(counts, **{pass_: ladder[step]}), seconds
    return raised


def estimate_trial(record: Record) -> float:
    """Return the seconds that one more trial of a record should take; nought if it has none."""
    lasted_s = [trial.lasted_s for trial in record.timed or record.traced]
    if not lasted_s:
        return 0.0
    return median(lasted_s) + OVERHEAD_S


def add_up_time(record: Record) -> float:
    """Return the seconds that the trials of a record took; one of memory whose time is unknown, as the timed."""
    total_s = 0.0
    for trial in (*record.timed, *record.disturbed, *record.traced):
        total_s += trial.lasted_s + OVERHEAD_S if trial.lasted_s else estimate_trial(record)
    return total_s
