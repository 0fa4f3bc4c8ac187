"""Doubts: which comparisons leave the verdict on a program open, so that trials may settle it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from scripts.judge.margins import is_at
from scripts.judge.statistics import FEWEST, Estimate, estimate_ratio
from scripts.judge.verdicts import (
    COSTS,
    TIME_MARGIN,
    Contender,
    find_gain,
    find_stopped,
    find_tied,
    weigh_cost,
)

_FAR = 0.5
"""Below this share of what it may be, a cost that few trials tell is not worth more of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A comparison that is not decided: of which quantity, of which two, between which margins."""

    quantity: str
    names: tuple[str, str]
    ratio: Estimate
    ends: tuple[float, ...]

    @property
    def is_open(self) -> bool:
        """Whether trials may settle it: its interval straddles a margin, and not just there."""
        straddled = [end for end in self.ends if self.ratio.low < end < self.ratio.high]
        return not self.ratio.is_sure or not all(is_at(self.ratio, end) for end in straddled)


def list_doubts(
    name: str, contenders: Mapping[str, Contender], baseline: str, *, serves: bool = False
) -> list[Doubt]:
    """What keeps the verdict on a program open, in the order of the rule of ``verdicts``.

    Costs are listed only where time is not in doubt: what costs less matters among the tied.

    Args:
        name: of the program, one of the contenders.
        contenders: as ``give_verdicts`` has them.
        baseline: the plainest program.
        serves: as ``give_verdicts`` has it.
    """
    stopped = find_stopped(contenders) if serves else set()
    if name not in stopped and len(stopped) < len(contenders):
        contenders = {one: values for one, values in contenders.items() if one not in stopped}
    in_time = [doubt for doubt in _compare_times(name, contenders, baseline) if doubt.is_open]
    return in_time or [doubt for doubt in _compare_costs(name, contenders) if doubt.is_open]


def _compare_times(
    name: str, contenders: Mapping[str, Contender], baseline: str
) -> Iterator[Doubt]:
    times = {one: contender["time_s"] for one, contender in contenders.items()}
    best = min(times, key=lambda one: median(times[one]))
    pairs: list[tuple[str, str, tuple[float, ...]]] = [(baseline, best, (TIME_MARGIN,))]
    tied = find_tied(contenders)
    if baseline in times and (tied[baseline] != "refuted" or tied[name] == "refuted"):
        pairs += [(baseline, name, (find_gain(tied[baseline]),))]
    else:
        pairs += [(name, best, (TIME_MARGIN,))]
    for one, other, ends in pairs:
        if one in times and other in times and one != other:
            ratio = estimate_ratio(times[one], times[other])
            yield Doubt(quantity="time_s", names=(one, other), ratio=ratio, ends=ends)


def _compare_costs(name: str, contenders: Mapping[str, Contender]) -> Iterator[Doubt]:
    leaders = {one for one, within in find_tied(contenders).items() if within == "confirmed"}
    for cost in COSTS:
        told = {one: contenders[one][cost] for one in leaders if contenders[one][cost]}
        least = min(told, key=lambda one: (len(told[one]) < FEWEST, median(told[one])), default="")
        if name in told and name != least:
            ratio = weigh_cost(cost, told[name], told[least])
            if not ratio.is_sure and ratio.median < _FAR:
                continue
            yield Doubt(quantity=cost, names=(name, least), ratio=ratio, ends=(1.0,))
