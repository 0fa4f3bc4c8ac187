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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from poolwise.record import Variant
from poolwise.statistics import FEWEST
from scripts.site.declare.claims import Disqualification, Question, Relation
from scripts.site.judge.decisions import DECIDED, Decision, hold
from scripts.site.judge.samples import Sample, can_decide, estimate_ratio, estimate_sample

COST_MARGIN = 1.25
GAIN_MARGIN = 1.10
# CPU time that nobody notices: the longest delay that a person takes for none (Miller, "Response time
# in man-computer conversational transactions", AFIPS Fall Joint Computer Conference, 1968).
COST_CPU_S = 0.1
# Memory that decides nothing: half of the least that containers and functions are rented with, and
# more than libraries for the same work differ by once they are imported.
COST_BYTES = 64 << 20
# What a tie may be broken by, and by how much one must exceed another to be more.
COSTS: Mapping[str, float] = {"cpu_s": COST_CPU_S, "peak_pss_bytes": COST_BYTES}
CLEARLY_BELOW = 0.5  # of a limit: a median that is needs no further trials, however few there are

Verdict = Literal["recommended", "as good", "costs more", "gains nothing", "disqualified"]
# The trials of one program by metric: what is weighed, the costs, what may disqualify.
Contender = Mapping[str, Sample]


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
    limited = {name: _check_limits(name, contenders[name], question) for name in contenders}
    contending, fair = [], []
    for name, ruling in limited.items():
        if name.program in question.contend or not question.contend:
            contending.append(name)
            if ruling.verdict is None:
                fair.append(name)
    plain = baseline if limited[baseline].verdict is None else None
    weighed = _Arena(contenders, question).weigh(fair, plain)
    rulings = {}
    for name in contending:
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
    estimate, more = estimate_sample(sample), 0.0 if limit.above else 1.0

    def scale(value: float) -> float:
        return (value + more) / (limit.above + more)

    ratio = replace(
        estimate,
        median=scale(estimate.median),
        low=scale(estimate.low),
        high=scale(estimate.high),
        is_sure=estimate.is_sure and len(sample) >= FEWEST,
        allowance=1.0,
    )
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
        plain = ties.get(baseline) if baseline else None
        leaders: list[Variant] = []
        rulings: dict[Variant, Ruling] = {}
        for name, tie in ties.items():
            if plain and plain.status == "confirmed":
                verdict: Verdict | None = "gains nothing" if tie.status in DECIDED else None
                if name == baseline:
                    verdict = "recommended"
                rulings[name] = Ruling(verdict=verdict, decisions=(tie,))
            elif tie.status == "refuted":
                rulings[name] = self._judge_follower(name, baseline, tie)
            elif tie.status != "confirmed":
                rulings[name] = Ruling(decisions=(tie,))
            elif plain and plain.status != "refuted":
                rulings[name] = Ruling(decisions=(plain,))
            else:
                leaders.append(name)
        return self._judge_leaders(leaders) | rulings

    def _hold_ties(self, fair: Sequence[Variant]) -> dict[Variant, Decision]:
        """Hold what is weighed of each program against that of the best."""
        weigh = self.question.weigh
        best = min(fair, key=lambda name: median(self.contenders[name][weigh]))
        # The best is as good as itself however its trials spread, if there are enough of them. Where
        # others were busy, it is known for the best once each of the rest is known to tie or to be worse.
        sample = self.contenders[best][weigh]
        is_sure = len(sample) >= FEWEST and can_decide(sample)
        ties = {}
        for name in fair:
            tie = self._hold(name, "not more", self.question.tie, best)
            if name == best:
                tie = replace(tie, sides=(best,), outcome="equal")
            elif tie.ratio.allowance > 1 and tie.status not in DECIDED:
                is_sure = False
            ties[name] = tie
        for name, tie in ties.items():
            if not is_sure and tie.status == "confirmed":
                ties[name] = replace(tie, outcome="not-decided")
        return ties

    def _judge_leaders(self, leaders: Sequence[Variant]) -> dict[Variant, Ruling]:
        """Rule on the tied, of which the baseline is none, by what they cost."""
        weighed = {name: self._weigh_costs(name, leaders) for name in leaders}
        cheap = []
        for name, decisions in weighed.items():
            if all(decision.status != "refuted" for decision in decisions):
                cheap.append(name)
        is_alone = len({name.program for name in cheap}) == 1
        costs = self.question.costs
        cheapest = self._find_cheapest(costs[0], cheap) if costs else None
        rulings = {}
        for name in leaders:
            verdict: Verdict = "recommended" if is_alone else "as good"
            if name not in cheap:
                verdict = "costs more"
            cheaper = cheapest.program if cheapest and verdict == "as good" else ""
            rulings[name] = Ruling(verdict=verdict, decisions=weighed[name], cheaper=cheaper)
        return rulings

    def _weigh_costs(self, name: Variant, leaders: Sequence[Variant]) -> tuple[Decision, ...]:
        """Hold each cost of a program against the least of the tied, where enough trials tell."""
        decisions = []
        for cost in self.question.costs:
            cheapest = self._find_cheapest(cost, leaders)
            sample = self.contenders[name][cost]
            if cheapest is None or cheapest == name or not sample:
                continue
            least = self.contenders[cheapest][cost]
            allowed = least.turn(max(COST_MARGIN * value, value + COSTS[cost]) for value in least)
            ratio = estimate_ratio(sample, allowed)
            decision = hold(cost, (name, cheapest), "not more", 1.0, ratio)
            if min(len(sample), len(least)) >= FEWEST:
                decisions.append(decision)
            elif ratio.median >= CLEARLY_BELOW:
                decisions.append(replace(decision, outcome="not-decided"))
        return tuple(decisions)

    def _find_cheapest(self, cost: str, leaders: Sequence[Variant]) -> Variant | None:
        """Find the program with the least of a cost, if possible one of which enough trials tell."""

        def rank(name: Variant) -> tuple[bool, float]:
            sample = self.contenders[name][cost]
            return len(sample) < FEWEST, median(sample)

        return min(
            (name for name in leaders if self.contenders[name][cost]), key=rank, default=None
        )

    def _judge_follower(self, name: Variant, baseline: Variant | None, tie: Decision) -> Ruling:
        """Rule on a program that is surely not as good as the best, where something gains."""
        if name == baseline:
            return Ruling(verdict="gains nothing", decisions=(tie,))
        if baseline is None:
            return Ruling(verdict="costs more", decisions=(tie,))
        gain = self._hold(baseline, "not more", GAIN_MARGIN, name)
        if gain.status == "refuted":
            return Ruling(verdict="costs more", decisions=(gain, tie))
        if gain.status == "confirmed":
            return Ruling(verdict="gains nothing", decisions=(gain,))
        return Ruling(decisions=(gain,))

    def _hold(self, name: Variant, relation: Relation, margin: float, other: Variant) -> Decision:
        weigh = self.question.weigh
        worse, better = self.contenders[name][weigh], self.contenders[other][weigh]
        return hold(weigh, (name, other), relation, margin, estimate_ratio(worse, better))
