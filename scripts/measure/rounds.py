"""Rounds: to which variants further trials go, as long as what they are compared for is open.

After the first rounds whoever judges says which comparisons are still open. Each brings the
variants that it means to the next of ``LEVELS``, so that its sides have equally many trials. What gets
there in the fewest seconds comes first, and no look gives away more than ``SHARE`` of the time left,
nor to other interpreters more than that of the rest: so the one that pages show first comes first,
and the others are not left with nothing.

Tried on what was recorded, that decides more in the same time than to bring all to the first level
first, to go by the seconds that a decision may take, for those are hardly known yet, or to divide the
seconds of a variant by how many comparisons wait for it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal

from scripts.declare.profile import BUDGETS_S, ProfileName
from scripts.measure.plan import Done, count_done
from scripts.records.record import Record, Variant

LEVELS = (3, 7, 16)
"""How many trials a variant has when it is looked at again; beyond the last it is left open. Three decide
what is far from its margin, and the fewer looks there are, the less each may err."""
SHARE = 4 / 5
"""What a look may give away of the time left: what it then finds may change who should come first. Less than
that keeps time for late looks, and tried on what was recorded it decides fewer."""
OVERHEAD_S = 0.05
"""What a trial takes beside its program, about: starting, reading, saving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What is still open, and what would settle it: further trials of these variants.

    ``name`` is the claim or program that it is about, ``trials`` how many of each it may take in
    all, nought if nobody knows. ``urgent`` needs come before all others.
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
        first: names of those with which pages open; they come before others that take as long.
        current: the id of the interpreter that pages show first; what is open on it comes before
            whatever is on another.
    """
    wanted: dict[Variant, Done] = {}
    shares_s = {False: SHARE * left_s, True: SHARE * (1 - SHARE) * left_s}

    def rank(need: Need) -> tuple[bool, bool, bool, float]:
        return _rank(need, records, wanted, need.name in first, _is_other(need, current))

    waiting = [need for need in needs if all(one in records for one in need.variants)]
    ranks = list(map(rank, waiting))
    while waiting:
        place = ranks.index(min(ranks))
        need, _ = waiting.pop(place), ranks.pop(place)
        raised = _raise(need, records, wanted)
        cost_s = sum(cost_s for _, cost_s in raised.values())
        other = _is_other(need, current)
        if cost_s > (shares_s[other] if wanted else left_s):
            continue
        shares_s[other] -= cost_s
        wanted |= {variant: counts for variant, (counts, _) in raised.items()}
        for place, one in enumerate(waiting):
            if not raised.keys().isdisjoint(one.variants):  # it lacks less now
                ranks[place] = rank(one)
    return wanted


def _is_other(need: Need, current: str) -> bool:
    return bool(current) and any(one.interpreter != current for one in need.variants)


def _rank(
    need: Need,
    records: Mapping[Variant, Record],
    wanted: Mapping[Variant, Done],
    is_first: bool,
    is_other: bool,
) -> tuple[bool, bool, bool, float]:
    """Urgent needs first, of them those that are not hopeless, of the interpreter shown first.

    Otherwise it goes by the seconds to the next look, of which those with which pages open count half.
    """
    hopeless = need.trials > LEVELS[-1]
    cost_s = sum(cost_s for _, cost_s in _raise(need, records, wanted).values())
    return not need.urgent, hopeless, is_other, cost_s / 2 if is_first else cost_s


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
