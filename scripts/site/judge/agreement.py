"""Agreement: whether the numbers that a picture draws are those that its claim tells of.

A chart draws the cells of its claim as the sentence tells them, of all sessions together, and others of one
session; a timeline draws a run that was watched once. So what a picture draws is held against the claim as
that was decided: the same cells, the same direction, about the same ratio.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from operator import attrgetter

from poolwise.record import CELL
from poolwise.statistics import Estimate
from scripts.site.judge.claims import LESS, Check, Finding
from scripts.site.judge.decisions import Decision

OF_CHART = 1.05  # how far a chart's ratio may lie from that of its claim, outside of the interval
OF_TIMELINE = 1.25  # how far that of single runs may
GAIN = "gain"  # of which a chart draws the ratio itself: how many times as fast as a baseline
_PLACES = [name for name in CELL if name not in ("gil", "params")]  # which a timeline has too
_read_cell = attrgetter(*_PLACES)
Key = tuple[object, ...]  # a metric, and the coordinates of a cell


class Denied(Exception):
    """A picture draws something else than its claim says; the message says what."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A number that a picture draws: of which cell, metric and value in the metric's own unit.

    ``cell`` is whatever has the coordinates: a record, or a timeline.
    """

    cell: object
    metric: str
    value: float


def find_denial(check: Check, drawn: Iterable[Drawn], *, is_single: bool = False) -> str:
    """Say in what a picture does not show what a claim was decided by; empty where it does.

    The comparison that decided must be in it; of others only what is drawn has to agree. What is drawn
    of single runs has no interval to lie in, and may lie further off.
    """
    values: dict[Key, float] = {}
    for number in drawn:
        values[locate_value(number.metric, number.cell)] = number.value
    if check.deciding is None:
        return "its claim has no number"
    for finding in check.findings:
        decision = _find_decision(finding)
        ratio = _find_ratio(finding, decision, values, check.cores)
        if ratio is not None:
            if not _is_near(ratio, finding.whole, is_single=is_single):
                claimed = finding.whole.median
                return f"it draws ×{ratio:.2f} of {decision.metric}, the claim says ×{claimed:.2f}"
        elif finding is check.deciding:
            sizes = ", ".join(f"{side} with {side.workers} workers" for side in decision.sides)
            return f"it does not draw {decision.metric} of {sizes}"
    return ""


def list_values(check: Check | None) -> dict[Key, Estimate]:
    """List the values that a claim's sentence tells, of all sessions together, by metric and cell."""
    values: dict[Key, Estimate] = {}
    for finding in check.findings if check else ():
        comparison, decision = finding.comparison, finding.decisions[0]
        if (
            comparison.relation == "stays" or comparison.of_cores
        ):  # of no size; of a share of all cores
            continue
        sides = decision.sides
        if comparison.relation == "rises":  # the least size comes first in a sentence
            sides = sides[::-1]
        for side, value in zip(sides, (finding.left, finding.right), strict=False):
            values[locate_value(decision.metric, side)] = value
    return values


def locate_value(metric: str, cell: object) -> Key:
    """The key of a cell's value in a metric."""
    return metric, *_read_cell(cell)


def _find_decision(finding: Finding) -> Decision:
    """Find the decision that the ratio in a sentence is of: of a sweep that of its ends."""
    if finding.comparison.relation == "stays":
        return next(item for item in finding.decisions if item.ratio == finding.ratio)
    return finding.decisions[0]


def _find_ratio(
    finding: Finding, decision: Decision, values: Mapping[Key, float], cores: int
) -> float | None:
    """Find the ratio of what is drawn, turned as the claim does; ``None`` where a side is not drawn."""
    comparison, is_less = finding.comparison, decision.relation in LESS
    gain = values.get(locate_value(GAIN, decision.sides[0]))
    if len(decision.sides) > 1 and gain:
        return gain if is_less else 1 / gain
    sides = [values.get(locate_value(decision.metric, side)) for side in decision.sides]
    if comparison.limit is not None:
        sides.append(comparison.limit * (cores if comparison.of_cores else 1))
    above, below = reversed(sides) if is_less else sides
    if above is None or below is None:
        return None
    return above / below if below else inf


def _is_near(ratio: float, claimed: Estimate, *, is_single: bool) -> bool:
    """Tell whether a ratio has the direction of one that is claimed, and lies near it."""
    if (claimed.low > 1 and ratio <= 1) or (claimed.high < 1 and ratio >= 1):
        return False
    factor = OF_TIMELINE if is_single else OF_CHART
    is_within = not is_single and claimed.low <= ratio <= claimed.high
    return is_within or claimed.median / factor <= ratio <= claimed.median * factor
