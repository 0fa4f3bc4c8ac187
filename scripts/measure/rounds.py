"""Rounds: to which variants further trials go, as long as what they are compared for is open.

After the first rounds whoever judges says which comparisons are still open. Each brings the
variants that it means to the next of ``LEVELS``, so that its sides have equally many trials; the
cheapest come first, and what no longer fits into the time left gets none. Levels that grow by
about a third keep the looks few, for each look may err: see ``judge.statistics`` for what an
interval has to keep to over all of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median

from scripts.declare.profile import BUDGETS_S, ProfileName
from scripts.measure.plan import Done
from scripts.records.record import Record
from scripts.records.variant import Variant

LEVELS = (5, 7, 9, 13, 17, 25, 33, 41, 57, 73)
"""How many trials a variant has when it is looked at again; beyond the last it is left open."""
OVERHEAD_S = 0.05
"""What a trial takes beside its program, about: starting, reading, saving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What is still open, and what would settle it: further trials of these variants.

    ``name`` is the claim or program that it is about. ``urgent`` needs come before all others.
    """

    name: str
    variants: tuple[Variant, ...]
    traced: bool = False
    urgent: bool = True


def give_more(
    needs: Iterable[Need], records: Mapping[Variant, Record], left_s: float
) -> dict[Variant, Done]:
    """How many trials variants are to have now; those that get none are left out.

    Args:
        needs: what is open.
        records: those of variants that can be run, each with trials.
        left_s: how long all of them may take, in seconds of programs.
    """
    wanted: dict[Variant, Done] = {}

    def price(need: Need) -> tuple[bool, float]:
        return not need.urgent, sum(cost_s for _, cost_s in _raise(need, records, {}).values())

    runnable = [need for need in needs if all(one in records for one in need.variants)]
    for need in sorted(runnable, key=price):
        raised = _raise(need, records, wanted)
        cost_s = sum(cost_s for _, cost_s in raised.values())
        if cost_s <= left_s:
            left_s -= cost_s
            wanted |= {variant: counts for variant, (counts, _) in raised.items()}
    return wanted


def _raise(
    need: Need, records: Mapping[Variant, Record], wanted: Mapping[Variant, Done]
) -> dict[Variant, tuple[Done, float]]:
    """What brings a need's variants to their next level: how many trials, for how many seconds.

    The level is the next above what the least tried of them has: only those below it get more.
    """
    counts = {one: wanted.get(one) or _count(records[one]) for one in need.variants}
    pass_ = "traced" if need.traced else "timed"
    least = min(getattr(count, pass_) for count in counts.values())
    level = next((level for level in LEVELS if level > least), least)
    return {
        one: (
            replace(count, **{pass_: level}),
            (level - getattr(count, pass_)) * estimate_trial(records[one]),
        )
        for one, count in counts.items()
        if getattr(count, pass_) < level
    }


def _count(record: Record) -> Done:
    return Done(traced=len(record.traced), timed=len(record.timed))


def count_repeats(profile: ProfileName, wanted: Done) -> int:
    """How many disturbed trials of a variant are repeated: half as many as are to count, at most."""
    return wanted.timed // 2 if BUDGETS_S[profile] else 0


def estimate_trial(record: Record) -> float:
    """Seconds that one more trial of a record should take; nought if it has none."""
    walls_s = record.walls_s
    return median(walls_s) + OVERHEAD_S if walls_s else 0.0


def add_up_time(record: Record) -> float:
    """Seconds that the trials of a record took, those of memory about as long as timed ones."""
    walls_s = [trial.wall_s + OVERHEAD_S for trial in (*record.timed, *record.disturbed)]
    return sum(walls_s) + estimate_trial(record) * len(record.traced)
