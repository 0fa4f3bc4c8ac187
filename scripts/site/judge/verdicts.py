"""Verdicts: what a program earns by the question of its family, on one machine.

A question names the quantity that is weighed, who contends, what disqualifies and what a tie is.
Everything is held by an interval against a margin.

1. A contender that surely exceeds a limit of the question is *disqualified*.
2. Of the others, those within the question's tie of the best are tied with it.
3. If the baseline is among the tied, it is *recommended*, and everybody else *gains nothing*.
4. Otherwise the tied that surely cost more than the cheapest of them *cost more*. A cost is more if it
   exceeds both ``COST_MARGIN`` times the least and the least with that amount of ``COSTS`` that matters
   to a person. One that is left alone is *recommended*. Several are *as good* as each other, and the
   cheaper is named.
5. Of the rest, what beats the baseline by ``GAIN_MARGIN`` *costs more*, and what surely does not *gains
   nothing*. Where the baseline is disqualified, all of the rest cost more.
6. Where an interval straddles the margin that decides, there is no verdict. Nor is anything recommended
   that may still turn out to be disqualified.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from poolwise.record import Variant
from poolwise.statistics import FEWEST, Estimate
from scripts.site.declare.claims import Disqualification, Question, Relation
from scripts.site.judge.decisions import DECIDED, OPEN, Decision, hold
from scripts.site.judge.samples import Sample, can_decide, estimate_ratio, estimate_sample

COST_MARGIN = 1.25
GAIN_MARGIN = 1.10
COST_CPU_S = 0.1
"""CPU time that nobody notices: the longest delay that a person takes for none (Miller, "Response time
in man-computer conversational transactions", AFIPS Fall Joint Computer Conference, 1968)."""
COST_BYTES = 64 << 20
"""Memory that decides nothing: half of the least that containers and functions are rented with, and
more than libraries for the same work differ by once they are imported."""
COSTS: Mapping[str, float] = {"cpu_s": COST_CPU_S, "peak_pss_bytes": COST_BYTES}
"""What a tie may be broken by, and by how much one must exceed another to be more."""
CLEARLY_BELOW = 0.5  # of a limit: a median that is needs no further trials, however few told it

Verdict = Literal["recommended", "as good", "costs more", "gains nothing", "disqualified"]
Contender = Mapping[str, Sample]
"""The trials of one program by metric: what is weighed, the costs, what may disqualify."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A verdict, or none yet, and the decisions that it rests on or that keep it open."""

    verdict: Verdict | None = None
    decisions: tuple[Decision, ...] = ()
    why: Mapping[str, str] | None = None  # by language, where something disqualifies
    cheaper: str = ""  # the cheapest of those that tie


def give_verdicts(
    contenders: Mapping[Variant, Contender], baseline: Variant, question: Question
) -> dict[Variant, Ruling]:
    """Rule on every contender in one place; the baseline is among them, be it asked about or not."""
    asked = [one for one in contenders if one.program in question.contend or not question.contend]
    limited = {name: _check_limits(name, one, question) for name, one in contenders.items()}
    fair = [name for name in asked if limited[name].verdict is None]
    plain = baseline if limited[baseline].verdict is None else None
    weighed = _Arena(contenders, question).weigh(fair, plain)
    rulings = {}
    for name in asked:
        ruling = weighed.get(name, limited[name])
        is_doubtful = limited[name].decisions and ruling.verdict in ("recommended", "as good")
        rulings[name] = limited[name] if is_doubtful else ruling
    return rulings


def _check_limits(name: Variant, contender: Contender, question: Question) -> Ruling:
    """Disqualify a program, or list the decisions by which it still may be."""
    doubts = []
    for limit in question.disqualify:
        sample = contender.get(limit.metric)
        if not sample:  # nothing of the kind happens in it: a program without an event loop
            continue
        decision = _hold_limit(name, sample, limit)
        if decision.status == "confirmed":
            return Ruling(verdict="disqualified", decisions=(decision,), why=limit.why)
        ratio = decision.ratio
        is_clear = ratio.median <= CLEARLY_BELOW if limit.above else ratio.high <= 1
        if decision.status != "refuted" and not is_clear:
            doubts.append(decision)
    return Ruling(decisions=tuple(doubts))


def _hold_limit(name: Variant, sample: Sample, limit: Disqualification) -> Decision:
    """Hold what may disqualify against its limit; where that is nought, one more of both."""
    found, more = estimate_sample(sample), 0.0 if limit.above else 1.0
    low, middle, high = (
        (end + more) / (limit.above + more) for end in (found.low, found.median, found.high)
    )
    is_sure = found.is_sure and len(sample) >= FEWEST
    ratio = Estimate(median=middle, low=low, high=high, is_sure=is_sure, deviation=found.deviation)
    return hold(limit.metric, (name,), "more", 1.0, ratio)


@dataclass(frozen=True, slots=True)
class _Arena:
    """The programs of one family in one place, and the question that they are weighed by."""

    contenders: Mapping[Variant, Contender]
    question: Question

    def weigh(self, fair: Sequence[Variant], baseline: Variant | None) -> dict[Variant, Ruling]:
        """Rule on those that nothing disqualifies; without a baseline none can gain nothing."""
        if not fair:
            return {}
        ties = self._hold_ties(fair)
        leaders = [name for name, tie in ties.items() if tie.status == "confirmed"]
        plain = ties.get(baseline) if baseline else None
        rulings: dict[Variant, Ruling] = {}
        for name, tie in ties.items():
            if plain and plain.status == "confirmed":
                verdict: Verdict | None = "gains nothing" if tie.status in DECIDED else None
                verdict = "recommended" if name == baseline else verdict
                rulings[name] = Ruling(verdict=verdict, decisions=(tie,))
            elif tie.status == "confirmed" and plain and plain.status != "refuted":
                rulings[name] = Ruling(decisions=(plain,))
            elif tie.status == "refuted":
                rulings[name] = self._judge_follower(name, baseline, tie)
            elif tie.status != "confirmed":
                rulings[name] = Ruling(decisions=(tie,))
        return self._judge_leaders([one for one in leaders if one not in rulings]) | rulings

    def _hold_ties(self, fair: Sequence[Variant]) -> dict[Variant, Decision]:
        """Hold what is weighed of each program against that of the best."""
        weigh = self.question.weigh
        best = min(fair, key=lambda name: median(self.contenders[name][weigh]))
        ties = {name: self._hold(name, "not more", self.question.tie, best) for name in fair}
        # The best is as good as itself however its trials spread, if there are enough of them. Where
        # others were busy, it is known for the best once each of the rest is known to tie or to be worse.
        sample = self.contenders[best][weigh]
        is_sure = len(sample) >= FEWEST and can_decide(sample)
        for name, tie in ties.items():
            is_known = tie.ratio.allowance == 1 or tie.status in DECIDED
            is_sure = is_sure and (name == best or is_known)
        ties[best] = replace(ties[best], sides=(best,), status="confirmed")
        if is_sure:
            return ties
        return {
            name: replace(tie, status=OPEN) if tie.status == "confirmed" else tie
            for name, tie in ties.items()
        }

    def _judge_leaders(self, leaders: Sequence[Variant]) -> dict[Variant, Ruling]:
        """Rule on the tied, of which the baseline is none, by what they cost."""
        weighed = {name: tuple(self._weigh_costs(name, leaders)) for name in leaders}
        dear = [
            name for name, held in weighed.items() if any(one.status == "refuted" for one in held)
        ]
        cheap = [name for name in leaders if name not in dear]
        is_alone = len({one.program for one in cheap}) == 1
        costs = self.question.costs
        cheapest = self._find_cheapest(costs[0], cheap) if costs else None
        rulings = {}
        for name in leaders:
            verdict: Verdict = "recommended" if is_alone else "as good"
            if name in dear:
                verdict = "costs more"
            named = cheapest.program if cheapest and verdict == "as good" else ""
            rulings[name] = Ruling(verdict=verdict, decisions=weighed[name], cheaper=named)
        return rulings

    def _weigh_costs(self, name: Variant, leaders: Sequence[Variant]) -> Iterable[Decision]:
        """Hold each cost of a program against the least of the tied, where enough trials tell."""
        for cost in self.question.costs:
            cheapest = self._find_cheapest(cost, leaders)
            own = self.contenders[name][cost]
            if cheapest is None or cheapest == name or not own:
                continue
            least = self.contenders[cheapest][cost]
            allowed = least.turn(max(COST_MARGIN * one, one + COSTS[cost]) for one in least)
            ratio = estimate_ratio(own, allowed)
            decision = hold(cost, (name, cheapest), "not more", 1.0, ratio)
            few = min(len(own), len(least)) < FEWEST
            if not few or ratio.median >= CLEARLY_BELOW:
                yield replace(decision, status=OPEN) if few else decision

    def _find_cheapest(self, cost: str, leaders: Sequence[Variant]) -> Variant | None:
        """The program with the least of a cost, if possible one of which enough trials tell."""
        told = {name: own for name in leaders if (own := self.contenders[name][cost])}
        enough = [name for name in told if len(told[name]) >= FEWEST]
        return min(enough or told, key=lambda name: median(told[name]), default=None)

    def _judge_follower(self, name: Variant, baseline: Variant | None, tie: Decision) -> Ruling:
        """Rule on a program that is surely not as good as the best, where something gains."""
        if name == baseline:
            return Ruling(verdict="gains nothing", decisions=(tie,))
        if baseline is None:
            return Ruling(verdict="costs more", decisions=(tie,))
        gain = self._hold(baseline, "more", GAIN_MARGIN, name)
        if gain.status == "confirmed":
            return Ruling(verdict="costs more", decisions=(gain, tie))
        return Ruling(
            verdict="gains nothing" if gain.status == "refuted" else None, decisions=(gain,)
        )

    def _hold(self, name: Variant, relation: Relation, margin: float, other: Variant) -> Decision:
        weigh = self.question.weigh
        worse, better = self.contenders[name][weigh], self.contenders[other][weigh]
        return hold(weigh, (name, other), relation, margin, estimate_ratio(worse, better))
