"""Decisions: what the interval of a ratio says about a margin.

The interval decides about a margin, never the ratio alone: *confirmed* if the whole interval satisfies
the condition, *refuted* if none of it does, *borderline* if all of it lies so near the margin that a
little more or less would turn it round, *open* otherwise. (The confidence-interval form of equivalence
and superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.) A ``Decision`` keeps all of that.
Verdicts and claims return the decisions that they rest on, and whoever asks why, or what further trials
may settle, reads them: no rule is written down twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from poolwise.record import Variant
from poolwise.statistics import Estimate
from scripts.site.declare.claims import Relation

ClaimStatus = Literal["confirmed", "refuted", "borderline", "open", "not applicable"]
DECIDED: tuple[ClaimStatus, ...] = ("confirmed", "refuted")
OPEN: Final = (
    "open"  # the status of a claim, and the verdict on a program, that more trials may change
)

# An interval within this factor of the margin is measured well enough: it lies at the margin.
BORDER = 1.05
_WORST_FIRST: tuple[ClaimStatus, ...] = ("refuted", OPEN, "borderline", "confirmed")


@dataclass(frozen=True, slots=True)
class Decision:
    """The ratio of a ``metric`` that is held against a margin.

    It is of trials of the cells ``sides``, one or two, and turned so that it stands beside the margin as
    it is. ``relation`` is the condition, in the words of a claim; ``status`` what the interval says of it.
    """

    metric: str
    sides: tuple[Variant, ...]
    relation: Relation
    margin: float
    ratio: Estimate
    status: ClaimStatus

    @property
    def ends(self) -> tuple[float, ...]:
        """The ratios at which the condition begins or ceases to hold."""
        return find_ends(self.relation, self.margin)


def find_ends(relation: Relation, margin: float) -> tuple[float, ...]:
    """Return the ratios at which a condition begins or ceases to hold."""
    return (1 / margin, margin) if relation in ("equal", "stays") else (margin,)


def hold(
    metric: str, sides: tuple[Variant, ...], relation: Relation, margin: float, ratio: Estimate
) -> Decision:
    """Hold a ratio against a margin."""
    return Decision(metric, sides, relation, margin, ratio, decide(relation, margin, ratio))


def decide(relation: Relation, margin: float, ratio: Estimate) -> ClaimStatus:
    """Tell by the interval of a ratio whether it satisfies the condition."""
    if not ratio.is_sure:
        return OPEN
    low, high = ratio.low, ratio.high

    def reaches(bound: float) -> bool:
        return bound > margin or bound == margin > 1

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
    ends = find_ends(relation, margin)
    is_at_an_end = any(end / BORDER <= low and high <= end * BORDER for end in ends)
    return "borderline" if is_at_an_end else OPEN


def combine(statuses: Iterable[ClaimStatus]) -> ClaimStatus:
    """Return the status of conditions that must all hold: one that fails refutes the whole."""
    return min(statuses, key=_WORST_FIRST.index)
