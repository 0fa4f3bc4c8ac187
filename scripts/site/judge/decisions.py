"""Decisions: what the interval of a ratio says about a margin.

The whole interval comes to an *outcome*, never the ratio alone: ``decide`` is the one table of them.
Each stands under one status, so sign, sentence, badge and published data cannot differ: *confirmed*
if the interval satisfies the condition, *borderline* if the difference is of the kind that was
claimed and its size is not, or all of it lies at the margin, *refuted* if it fails, *open* otherwise.
(The confidence-interval form of equivalence and superiority tests: Schuirmann, "A comparison of the two
one-sided tests procedure and the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15,
1987.) A ``Decision`` keeps all of that. Verdicts and claims return the decisions that they rest on, and
whoever asks why, or what further trials may settle, reads them: no rule is written down twice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from poolwise.record import Variant
from poolwise.statistics import Estimate
from scripts.site.declare.claims import WITHIN, Outcome, Relation

ClaimStatus = Literal["confirmed", "refuted", "borderline", "open", "not applicable"]
DECIDED: tuple[ClaimStatus, ...] = ("confirmed", "refuted")
SETTLED: tuple[ClaimStatus, ...] = (*DECIDED, "borderline")
# What further trials may change: that a difference is there is known, but not yet how large it is.
UNSETTLED: frozenset[Outcome] = frozenset(("at-most", "not-decided", "how-much-open"))
OPEN: Final = (
    "open"  # the status of a claim, and the verdict on a program, that more trials may change
)
STATUSES: Mapping[Outcome, ClaimStatus] = {
    "as-claimed": "confirmed",
    "equal": "confirmed",
    "equal-with-direction": "confirmed",
    "less": "borderline",
    "how-much-open": "borderline",
    "at-the-margin": "borderline",
    "no-difference": "refuted",
    "other-way": "refuted",
    "apart": "refuted",
    "at-most": OPEN,
    "not-decided": OPEN,
    "preview": OPEN,
}

# An interval within this factor of the margin is measured well enough: it lies at the margin.
BORDER = 1.15
# A difference by less than this, either way, is none: nobody chooses by it.
NO_DIFFERENCE = 1.05
_WORST_FIRST: tuple[ClaimStatus, ...] = ("refuted", OPEN, "borderline", "confirmed")


@dataclass(frozen=True, slots=True)
class Decision:
    """The ratio of a ``metric`` that is held against a margin.

    It is of trials of the cells ``sides``, one or two, and turned so that it stands beside the margin as
    it is. ``relation`` is the condition, in the words of a claim; ``outcome`` what the interval says of it.
    """

    metric: str
    sides: tuple[Variant, ...]
    relation: Relation
    margin: float
    ratio: Estimate
    outcome: Outcome

    @property
    def status(self) -> ClaimStatus:
        """The status that the outcome stands under."""
        return STATUSES[self.outcome]

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


def decide(relation: Relation, margin: float, ratio: Estimate) -> Outcome:
    """Return the outcome of an interval beside a margin; both stand as ``Comparison`` turns them."""
    if not ratio.is_sure:
        return "not-decided"
    if relation in WITHIN:
        return _decide_within(relation, margin, ratio)
    return _decide_beyond(margin, ratio)


def _decide_beyond(margin: float, ratio: Estimate) -> Outcome:
    """Return the outcome of a claimed difference, of which the margin is the least."""
    low, high = ratio.low, ratio.high
    is_far = margin > NO_DIFFERENCE
    if is_far and low >= 1 / NO_DIFFERENCE and high <= NO_DIFFERENCE:
        return "no-difference"
    if _reaches(low, margin):
        return "as-claimed"
    if low == high == 1:
        return "no-difference"
    if high < 1 or high == margin == 1:
        return "other-way"
    if not _reaches(high, margin):
        return "less" if low > 1 else "at-most"
    if _is_at(margin, ratio):
        return "at-the-margin"
    return "how-much-open" if low > 1 else "not-decided"


def _decide_within(relation: Relation, margin: float, ratio: Estimate) -> Outcome:
    """Return the outcome of a denied difference, of which the margin is what still counts as none."""
    low, high = ratio.low, ratio.high
    if relation in ("equal", "stays"):
        holds = low >= 1 / margin and high <= margin
        fails = high < 1 / margin or low > margin
    else:
        holds, fails = not _reaches(high, margin), _reaches(low, margin)
    if holds:
        return "equal-with-direction" if low > 1 or high < 1 else "equal"
    if fails:
        return "apart"
    is_at_an_end = any(_is_at(end, ratio) for end in find_ends(relation, margin))
    return "at-the-margin" if is_at_an_end else "not-decided"


def _reaches(bound: float, margin: float) -> bool:
    """Tell whether an end of an interval reaches a margin; one of 1 it has to pass."""
    return bound > margin or bound == margin > 1


def _is_at(end: float, ratio: Estimate) -> bool:
    return end / BORDER <= ratio.low <= end <= ratio.high <= end * BORDER


def combine(statuses: Iterable[ClaimStatus]) -> ClaimStatus:
    """Return the status of conditions that must all hold: one that fails refutes the whole."""
    return min(statuses, key=_WORST_FIRST.index)
