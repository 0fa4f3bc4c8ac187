"""Margins: what the interval of a ratio says beside a margin, by the words of a claim.

It is decided by the interval, never by the ratio alone: *confirmed* if the whole interval satisfies
the condition, *refuted* if none of it does, *borderline* if all of it lies so near the margin that a
little more or less would turn it round, *undecided* otherwise. (The confidence-interval form of
equivalence and superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and
the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Iterable
from typing import Final, Literal

from scripts.site.declare.claims import Relation, Unsettled
from scripts.site.judge.statistics import Estimate

ClaimStatus = Literal["confirmed", "refuted", Unsettled, "not applicable"]
DECIDED: tuple[ClaimStatus, ...] = ("confirmed", "refuted")
OPEN: Final = "undecided"
"""The status of a claim, and the verdict on a program, that more trials may change."""

BORDER = 1.05
"""An interval within this factor of the margin is measured well enough: it lies at the margin."""
_WORST: tuple[ClaimStatus, ...] = ("refuted", OPEN, "borderline", "confirmed")


def decide(relation: Relation, margin: float, ratio: Estimate) -> ClaimStatus:
    """Hold the interval of a ratio, turned as ``Comparison`` says, against the margin."""
    if not ratio.is_sure:
        return OPEN
    low, high = ratio.low, ratio.high
    ends = (1 / margin, margin) if relation in ("equal", "stays") else (margin,)

    def reaches(bound: float) -> bool:
        return bound >= margin if margin > 1 else bound > 1

    match relation:
        case "equal" | "stays":
            holds = low >= 1 / margin and high <= margin
            fails = high < 1 / margin or low > margin
        case "not less" | "not more":
            holds, fails = not reaches(high), reaches(low)
        case _:
            holds, fails = reaches(low), not reaches(high)
    if holds:
        return "confirmed"
    if fails:
        return "refuted"
    return "borderline" if any(is_at(ratio, end) for end in ends) else OPEN


def is_at(ratio: Estimate, margin: float) -> bool:
    """Whether the whole interval lies at a margin."""
    return ratio.is_sure and margin / BORDER <= ratio.low and ratio.high <= margin * BORDER


def combine(statuses: Iterable[ClaimStatus]) -> ClaimStatus:
    """Of comparisons that must all hold: one that fails refutes the whole."""
    return min(statuses, key=_WORST.index)
