"""Verdicts: what a program earns among those that do the same work, on one machine.

The rule weighs time first, then CPU and memory, always by interval against margin:

1. Programs within ``TIME_MARGIN`` of the fastest are tied: nobody would choose by such a
   difference.
2. If the baseline, the plainest program, is among the tied, there is nothing to be gained here:
   the baseline is recommended and what ties with it gains nothing.
3. Otherwise, among the tied, those whose CPU time and peak memory are within ``COST_MARGIN`` of
   the cheapest of the tied are recommended; the others work but cost more.
4. Of the rest, what beats the baseline by ``GAIN_MARGIN`` works but costs more time; what is
   within that margin of it gains nothing; what is slower is worse.
5. Where an interval straddles the margin that decides, or one of its two sides has fewer than
   ``FEWEST`` trials, the verdict is inconclusive.

Memory is measured in trials of its own, of which there may be fewer. A peak of fewer than
``FEWEST`` decides nothing: between those that tie, time and CPU alone do then.
"""

from collections.abc import Mapping, Sequence
from statistics import median

from scripts.declare.claim import Verdict
from scripts.judge.statistics import FEWEST, estimate_ratio

TIME_MARGIN = 1.25
COST_MARGIN = 1.25
GAIN_MARGIN = 1.10


COSTS = ("cpu_s", "peak_pss_bytes")
"""The metrics that are weighed after time."""
WEIGHED = ("wall_s", *COSTS)

Contender = Mapping[str, Sequence[float]]
"""What the rule weighs of one program: a value per trial of each metric; of memory maybe none."""


def give_verdicts(contenders: Mapping[str, Contender], baseline: str) -> dict[str, Verdict]:
    """A verdict for every program of one family at one core count on one machine.

    Args:
        contenders: by program; at least one trial each. A program that failed is not among them.
        baseline: the plainest program, one of the contenders.
    """
    walls = {name: contender["wall_s"] for name, contender in contenders.items()}
    fastest = min(walls, key=lambda name: median(walls[name]))
    tied = {name: _is_within(walls[name], walls[fastest], TIME_MARGIN) for name in walls}
    if tied[baseline] is not False:
        return {
            name: "recommended"
            if name == baseline and tied[baseline]
            else _judge_without_gain(walls[name], walls[baseline], tied[baseline])
            for name in walls
        }
    leaders = {name: contenders[name] for name, within in tied.items() if within is True}
    return {
        name: _judge_leader(contenders[name], leaders)
        if tied[name] is True
        else _judge_follower(walls[name], walls[baseline], tied[name])
        for name in walls
    }


def _is_within(values: Sequence[float], best: Sequence[float], margin: float) -> bool | None:
    """Whether ``values`` are at most ``margin`` times ``best``; ``None`` if that is open."""
    if _are_few(values, best):
        return None
    if values is best:
        return True
    ratio = estimate_ratio(values, best)
    if ratio.high <= margin:
        return True
    return False if ratio.low > margin else None


def _judge_without_gain(
    wall_s: Sequence[float], baseline_s: Sequence[float], baseline_tied: bool | None
) -> Verdict:
    within = _is_within(wall_s, baseline_s, GAIN_MARGIN)
    if within is False:
        return "worse"
    return "no gain" if within and baseline_tied else "inconclusive"


def _judge_leader(contender: Contender, leaders: Mapping[str, Contender]) -> Verdict:
    costs = [
        _is_cheap(contender[cost], [leader[cost] for leader in leaders.values()]) for cost in COSTS
    ]
    if False in costs:
        return "works, costs more"
    return "inconclusive" if None in costs else "recommended"


def _is_cheap(values: Sequence[float], all_values: Sequence[Sequence[float]]) -> bool | None:
    """Whether a cost is within the margin of the least; what too few trials say decides nothing."""
    if _are_few(values):
        return True
    least = min((other for other in all_values if not _are_few(other)), key=median)
    return _is_within(values, least, COST_MARGIN)


def _judge_follower(
    wall_s: Sequence[float], baseline_s: Sequence[float], tied: bool | None
) -> Verdict:
    if _are_few(wall_s, baseline_s):
        return "inconclusive"
    gain = estimate_ratio(wall_s, baseline_s)
    if gain.high <= 1 / GAIN_MARGIN:
        return "works, costs more" if tied is False else "inconclusive"
    if gain.low > GAIN_MARGIN:
        return "worse"
    if gain.low > 1 / GAIN_MARGIN and gain.high <= GAIN_MARGIN:
        return "no gain"
    return "inconclusive"


def _are_few(*sides: Sequence[float]) -> bool:
    return min(map(len, sides)) < FEWEST
