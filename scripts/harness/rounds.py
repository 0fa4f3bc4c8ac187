"""Rounds: to which variants further trials go, as long as what they are compared for is open.

After the first rounds whoever judges says which comparisons are still open. Each brings the
variants that it means to the next of ``LEVELS``, so that its sides have equally many trials. What gets
there in the fewest seconds comes first, and no look gives away more than ``SHARE`` of the time left.
Verdicts get trials where no claim does any more.

Tried on what was recorded, that decides more in the same time than to bring all to the first level
first, to go by the seconds that a decision may take, or by how likely a level brings it, for those are
hardly known yet, or to divide the seconds of a variant by how many comparisons wait for it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from scripts.harness.experiment import BUDGETS_S, ProfileName
from scripts.harness.plan import Done, count_done
from scripts.harness.record import Record, Variant

LEVELS = (3, 5, 16)
"""How many trials a variant has when it is looked at again; beyond the last it is left open. Three decide
what is far from its margin, and the fewer looks there are, the less each may err."""
SHARE = 4 / 5
"""What a look may give away of the time left: what it then finds may change who should come first. Less than
that keeps time for late looks, and tried on what was recorded it decides fewer."""
OVERHEAD_S = 0.01
"""What a trial takes beside its program, about: starting, reading, saving."""
FIRST, OTHER = 0.5, 2.0
"""What a second counts for where it is to settle what pages open with, or what is open on another
interpreter than the one that they show first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What is still open, and what would settle it: further trials of these variants.

    ``name`` is the claim or program that it is about, ``trials`` how many of each it may take in
    all, nought if nobody knows. Others get trials where no ``urgent`` need does.
    """

    name: str
    variants: tuple[Variant, ...]
    trials: float = 0.0
    traced: bool = False
    urgent: bool = True

    @property
    def pass_(self) -> Literal["traced", "timed"]:
        """Of which pass its trials are."""
        return "traced" if self.traced else "timed"


def give_more(
    needs: Iterable[Need],
    records: Mapping[Variant, Record],
    left_s: float,
    first: Collection[str] = (),
    current: str = "",
) -> dict[Variant, Done]:
    """How many trials variants are to have now; those that get none are left out.

    Args:
        needs: what is open.
        records: those of variants that can be run, each with trials.
        left_s: how long all of them may take, in seconds of programs.
        first: names of those with which pages open.
        current: the id of the interpreter that pages show first.
    """
    wanted: dict[Variant, Done] = {}
    share_s = SHARE * left_s
    urgent = False

    def rank(need: Need) -> tuple[bool, bool, float]:
        """Urgent needs first, of them those that are not hopeless, and then the cheapest."""
        cost_s = sum(cost_s for _, cost_s in _raise(need, records, wanted).values())
        is_other = current and any(one.interpreter != current for one in need.variants)
        weight = (FIRST if need.name in first else 1.0) * (OTHER if is_other else 1.0)
        return not need.urgent, need.trials > LEVELS[-1], weight * cost_s

    waiting = [need for need in needs if all(one in records for one in need.variants)]
    ranks = list(map(rank, waiting))
    while waiting:
        place = ranks.index(min(ranks))
        need, _ = waiting.pop(place), ranks.pop(place)
        if urgent and not need.urgent:
            break
        raised = _raise(need, records, wanted)
        cost_s = sum(cost_s for _, cost_s in raised.values())
        if cost_s > (share_s if wanted else left_s):
            continue
        share_s -= cost_s
        urgent = urgent or (need.urgent and bool(raised))
        wanted |= {variant: counts for variant, (counts, _) in raised.items()}
        for place, one in enumerate(waiting):
            if not raised.keys().isdisjoint(one.variants):  # it lacks less now
                ranks[place] = rank(one)
    return wanted


def _raise(
    need: Need, records: Mapping[Variant, Record], wanted: Mapping[Variant, Done]
) -> dict[Variant, tuple[Done, float]]:
    """What brings a need's variants to their next level: how many trials, for how many seconds.

    The level is the next above what the least tried of them has by now, whatever others are
    ``wanted`` for: only those below it get more.
    """
    pass_ = need.pass_
    least = min(getattr(count_done(records[one]), pass_) for one in need.variants)
    level = next((level for level in LEVELS if level > least), least)
    counts = {one: wanted.get(one) or count_done(records[one]) for one in need.variants}
    return {
        one: (
            replace(count, **{pass_: level}),
            (level - getattr(count, pass_)) * estimate_trial(records[one]),
        )
        for one, count in counts.items()
        if getattr(count, pass_) < level
    }


def count_repeats(profile: ProfileName, wanted: Done) -> int:
    """How many disturbed trials of a variant are repeated: half as many as are to count, at most."""
    return wanted.timed // 2 if BUDGETS_S[profile] else 0


def estimate_trial(record: Record) -> float:
    """Seconds that one more trial of a record should take; nought if it has none."""
    lasted_s = [trial.lasted_s for trial in record.timed or record.traced]
    return median(lasted_s) + OVERHEAD_S if lasted_s else 0.0


def add_up_time(record: Record) -> float:
    """Seconds that the trials of a record took; one of memory whose time is unknown, as the timed."""
    trials = (*record.timed, *record.disturbed, *record.traced)
    return sum(
        trial.lasted_s + OVERHEAD_S if trial.lasted_s else estimate_trial(record)
        for trial in trials
    )
