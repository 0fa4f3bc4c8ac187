"""Statistics: medians and ratios with their uncertainty, and what a ratio decides about a margin.

Values are few and of any shape. Both intervals hold the truth at least 98 times of 100.

Of a median of eight values and more it is exact for samples of any continuous distribution: two
order statistics, by the binomial distribution of how many values lie below the median (Hollander,
Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd ed., 2014, section 3.6).

Of fewer values, and of ratios, it is Student's, of the logarithms; of two samples about the ratio of
their geometric means, with the degrees of freedom that their own variances tell (Welch, "The
generalization of 'Student's' problem when several different population variances are involved",
Biometrika 34, 1947). Where it is known how values of their kind usually spread, see ``spreads``, a
variance is the mean of its own and of the usual one, each with its degrees of freedom as weight
(Smyth, "Linear models and empirical Bayes methods for assessing differential expression",
Statistical Applications in Genetics and Molecular Biology 3, 2004): three trials alone hardly tell
how far a program's trials differ, and many programs' do. A sample whose own variance is far beyond
the usual may not be of the kind, and is judged by its own alone. All that is an approximation: how
often it errs, also of samples that spread unlike or have two modes, ``bench/simulation`` shows.

Two programs that run back to back in each round share what disturbs the machine for longer than a
trial, so the ratio of their n-th trials varies less than the trials do. Where it is known how such
ratios usually spread, the interval is that of Student's for pairs.

Others that are busy meanwhile move values, and no number of trials tells by how much. Where a bound is
known, the interval is as much wider.

Trials are added until claims are decided, and so each interval is looked at several times. At 98.18 %
a look, four looks at growing samples err in 5 % of cases (Pocock, "Group sequential methods in the
design and analysis of clinical trials", Biometrika 64, 1977: 1.82 % a look). At 98.6 % something is
left for samples that spread unlike.

The interval decides about a margin, never the ratio alone: *confirmed* if the whole interval satisfies
the condition, *refuted* if none of it does, *borderline* if all of it lies so near the margin that a
little more or less would turn it round, *open* otherwise. (The confidence-interval form of equivalence
and superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.) A ``Decision`` keeps all of that.
Verdicts and claims return the decisions that they rest on, and whoever asks why, or what further trials
may settle, reads them: no rule is written down twice.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb, exp, inf, log, sqrt
from statistics import fmean, median, variance
from typing import Final, Literal, Self

from poolwise.record import Variant

FEWEST = 3
"""The fewest times of programs that compute which decide anything. Two are too few: of a program with two
speeds, two slow trials against two fast ones are too likely."""
FEWEST_STEADY = 2
"""The same of what has no two speeds: memory, and the time of a program that waits."""
FREEDOM_OF_TWO = 3.0
"""Degrees of freedom of a ratio of two such values, at most: in simulation more erred in over 5 % of cases."""
ODD = 0.16
"""A sample is odd if fewer than this share of samples of its kind spread as much as it does."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The usual spread of the logarithms of values of a kind.

    Attributes:
        variance: of one such value.
        freedom: what knowing it is worth, in degrees of freedom of a sample measured besides.
    """

    variance: float
    freedom: float

    @property
    def limit(self) -> float:
        """The variance that a share of ``ODD`` of three values exceeds by chance, by the F distribution."""
        return self.variance * self.freedom / 2 * (math.pow(ODD, -2 / self.freedom) - 1)


Span = tuple[float, float]
UNMOVED: Final[Span] = (1.0, 1.0)


class Sample(tuple[float, ...]):
    """A value per trial; ``usual`` is the spread of values of their kind, where it is known.

    ``session`` is where the values are from, empty where that is unknown. ``span`` has the factors from
    a value to the least and the most that it would have been without others; it is ``None`` where
    others were busy and no bound is known. None is larger than ``most``. The n-th values
    of samples of one ``block`` were taken back to back, and ``paired`` is how ratios of two such
    values usually spread; empty and ``None`` where that is not so, or unknown. ``fewest`` is how many
    values decide anything.
    """

    usual: Spread | None
    paired: Spread | None
    block: str
    session: str
    span: Span | None
    most: float
    fewest: int

    def __new__(
        cls,
        values: Iterable[float],
        usual: Spread | None = None,
        *,
        paired: Spread | None = None,
        block: str = "",
        session: str = "",
        span: Span | None = UNMOVED,
        most: float = math.inf,
        fewest: int = FEWEST,
    ) -> Self:
        """The values as they come."""
        made = super().__new__(cls, values)
        vars(made).update(usual=usual, paired=paired, block=block, session=session)
        vars(made).update(span=span, most=most, fewest=fewest)
        return made

    def turn(self, values: Iterable[float], *, inverted: bool = False) -> "Sample":
        """Other values that spread as these: multiples of them, or of their inverses."""
        span = self.span
        if span and inverted:
            span = (1 / span[1], 1 / span[0])
        return Sample(values, **vars(self) | {"most": math.inf, "span": span})


def can_decide(*samples: Sequence[float]) -> bool:
    """Return whether these may decide anything together: values of one session, moved within bounds."""
    known = [sample for sample in samples if isinstance(sample, Sample)]
    sessions = {sample.session for sample in known if sample.session}
    return len(sessions) < 2 and all(sample.span for sample in known)


CONFIDENCE = 0.986
NORMAL = 2.458
"""The quantile (1 + ``CONFIDENCE``) ÷ 2 of the normal distribution."""
FURTHEST_FACTOR = 10
"""The factor from a median to an end of its interval beyond which nothing is known yet."""
STUDENT = {1: 45.47, 2: 8.363, 3: 5.175, 4: 4.173, 5: 3.700, 6: 3.428, inf: NORMAL}
"""The same quantile of Student's distribution, by degrees of freedom."""
_LARGEST_EXPONENT = 700.0  # e to a larger power is no float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 98.6 % interval.

    ``is_sure`` is false where it decides nothing: there are too few values, and the interval reaches
    from the least to the greatest; or others moved them without bound, or they are of several sessions.
    ``deviation`` is the standard deviation of the logarithm of what a single trial would tell, nought
    if nothing is known of it: with more trials the interval narrows by their root. ``allowance`` is the
    factor by which an end is farther away because others were busy, which no trials narrow.
    """

    median: float
    low: float
    high: float
    is_sure: bool = True
    deviation: float = field(default=0.0, compare=False)
    allowance: float = field(default=1.0, compare=False)

    @property
    def is_point(self) -> bool:
        """Tell whether the interval has no width, as that of a single trial, and so says nothing."""
        return self.low == self.high

    @property
    def is_unknown(self) -> bool:
        """Tell whether the interval is so wide that it tells nothing: beyond ``FURTHEST_FACTOR``."""
        return 0 < self.median < inf and (
            0 < self.low * FURTHEST_FACTOR < self.median
            or self.high > self.median * FURTHEST_FACTOR
        )

    def invert(self) -> "Estimate":
        """Return the estimate of one divided by the value."""
        median, low, high = (1 / end if end else inf for end in (self.median, self.high, self.low))
        return replace(self, median=median, low=low, high=high)


_Known = tuple[tuple[float, ...], Spread | None]
"""Values, and how such values usually spread."""
_Variance = tuple[float, float, int]
"""The variance of a value's logarithm, its degrees of freedom, and the number of values."""


def estimate_median(values: Sequence[float]) -> Estimate:
    """The median of at least one value, with its interval."""
    found = _allow(_estimate_median(_know(values), _has_enough(values)), values)
    if isinstance(values, Sample) and found.high > values.most:
        found = replace(found, high=values.most)
    return found


@lru_cache(maxsize=16384)
def _estimate_median(known: _Known, has_enough: bool) -> Estimate:
    ordered = sorted(known[0])
    middle = median(ordered)
    place, is_sure = _find_order(len(ordered))
    told = _tell_variances(known)
    if told and not is_sure and has_enough:
        # Of five or six values, which may be skewed, the interval is as wide as of four.
        return _estimate_few(middle, middle, told, most_freedom=3.0)
    return Estimate(
        median=middle,
        low=ordered[place],
        high=ordered[-1 - place],
        is_sure=is_sure,
        deviation=_find_deviation(told),
    )


def estimate_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of the medians of two samples, with its interval.

    Args:
        numerator: at least one value, none negative; a ``Sample`` where its spread is known.
        denominator: as many or few; not zero where a value of the numerator is.
    """
    paired = _find_paired(numerator, denominator)
    has_enough = _has_enough(numerator) and _has_enough(denominator)
    found = _estimate_ratio(_know(numerator), _know(denominator), paired, has_enough)
    return _allow(found, numerator, denominator)


@lru_cache(maxsize=16384)
def _estimate_ratio(
    one: _Known,
    other: _Known,
    paired: Spread | None,
    has_enough: bool,
) -> Estimate:
    numerator, denominator = one[0], other[0]
    middle = _divide(median(numerator), median(denominator))
    told = _tell_variances(one, other)
    if told and has_enough:
        centre = exp(fmean(map(log, numerator)) - fmean(map(log, denominator)))
        # Where two values are enough, these may be unlike those that tell of the usual spread.
        most_freedom = inf if min(len(numerator), len(denominator)) >= FEWEST else FREEDOM_OF_TWO
        told = _tell_pairs(one, other, paired) or told
        return _estimate_few(middle, centre, told, most_freedom)
    # Without logarithms: by how much the extremes differ, of which one order in so many is by chance.
    orders = comb(len(numerator) + len(denominator), len(numerator))
    return Estimate(
        median=middle,
        low=_divide(min(numerator), max(denominator)),
        high=_divide(max(numerator), min(denominator)),
        is_sure=has_enough and (1 - CONFIDENCE) * orders >= 2,
        deviation=_find_deviation(told),
    )


def estimate_pairs(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of values taken back to back, by Student's interval of pairs.

    Args:
        numerator: at least two positive values.
        denominator: as many, the n-th taken in the round of the n-th.
    """
    ratios = tuple(one / other for one, other in zip(numerator, denominator, strict=True))
    centre = exp(fmean(map(log, ratios)))
    return _estimate_few(centre, centre, _tell_variances((ratios, None)))


def _allow(estimate: Estimate, sample: Sequence[float], by: Sequence[float] = ()) -> Estimate:
    """Widen the interval of a sample, or of its ratio to another, by what others may have moved it."""
    if not can_decide(sample, by):
        return replace(estimate, is_sure=False)
    (least, most), (least_by, most_by) = _find_span(sample), _find_span(by)
    low, high = least / most_by, most / least_by
    allowance = max(1 / low, high)
    if not estimate.is_sure:  # a single trial stays a point
        return replace(estimate, allowance=allowance)
    return replace(estimate, low=estimate.low * low, high=estimate.high * high, allowance=allowance)


def _find_span(sample: Sequence[float]) -> Span:
    return sample.span or UNMOVED if isinstance(sample, Sample) else UNMOVED


def _divide(value: float, by: float) -> float:
    return value / by if by else inf


def _has_enough(values: Sequence[float]) -> bool:
    return len(values) >= (values.fewest if isinstance(values, Sample) else FEWEST)


def _know(values: Sequence[float]) -> _Known:
    return tuple(values), values.usual if isinstance(values, Sample) else None


def _tell_variances(*samples: _Known) -> list[_Variance]:
    """Return each sample's variance, moderated by the usual one; empty if one has no logarithms."""
    told = []
    for values, usual in samples:
        if not 0 < min(values) <= max(values) < inf:
            return []
        freedom = len(values) - 1.0
        own = _vary_logs(values) if freedom else 0.0
        if usual and own <= usual.limit:
            freedom += usual.freedom
            own += (usual.variance - own) * usual.freedom / freedom
        if not freedom:
            return []
        told.append((own, freedom, len(values)))
    return told


@lru_cache(maxsize=16384)
def _vary_logs(values: tuple[float, ...]) -> float:
    return variance(map(log, values))


def _find_paired(one: Sequence[float], other: Sequence[float]) -> Spread | None:
    """Return the usual spread of ratios of values taken back to back; ``None`` if these were not."""
    if not (isinstance(one, Sample) and isinstance(other, Sample)):
        return None
    is_paired = one.block and one.block == other.block and len(one) == len(other)
    if not is_paired or one.paired is None or other.paired is None:
        return None
    return max(one.paired, other.paired, key=lambda spread: spread.variance)


def _tell_pairs(one: _Known, other: _Known, paired: Spread | None) -> list[_Variance]:
    """Return the variance of ratios within rounds; empty where a side or the ratios are odd."""
    if paired is None:
        return []
    ratios = tuple(left / right for left, right in zip(one[0], other[0], strict=True))
    known = (one, other, (ratios, paired))
    if any(usual and _vary_logs(values) > usual.limit for values, usual in known):
        return []
    return _tell_variances((ratios, paired))


def _find_deviation(told: Sequence[_Variance]) -> float:
    return sqrt(sum(own for own, _, _ in told))


def _estimate_few(
    middle: float, centre: float, told: Sequence[_Variance], most_freedom: float = inf
) -> Estimate:
    """Student's interval of one sample, or of the ratio of two, about a centre, with what is shown."""
    parts = [own / count for own, _, count in told]
    weighed = [part**2 / freedom for part, (_, freedom, _) in zip(parts, told, strict=True)]
    freedom = sum(parts) ** 2 / sum(weighed) if sum(weighed) else 1.0
    reach = exp(min(find_student(min(freedom, most_freedom)) * sqrt(sum(parts)), _LARGEST_EXPONENT))
    return Estimate(
        median=middle,
        low=min(middle, centre / reach),
        high=max(middle, centre * reach),
        deviation=_find_deviation(told),
    )


def find_student(freedom: float) -> float:
    """Student's quantile of so many degrees of freedom, at least one.

    Between those of ``STUDENT`` its logarithm is taken along a line over their inverse: to within 4 %,
    and never too small.
    """
    (below, more), (above, less) = next(
        ends for ends in pairwise(STUDENT.items()) if freedom <= ends[1][0]
    )
    share = (1 / below - 1 / freedom) / (1 / below - 1 / above)
    return float(more ** (1 - share) * less**share)


@lru_cache
def _find_order(count: int) -> tuple[int, bool]:
    """Return how many values lie below the interval of their median, and whether it is sure."""
    ways = accumulate(comb(count, below) for below in range(count))
    within = sum(1 for way in ways if 2 * way <= (1 - CONFIDENCE) * 2**count)
    return (within - 1, True) if within else (0, False)


Relation = Literal["less", "more", "equal", "not less", "not more", "falls", "rises", "stays"]
Unsettled = Literal["borderline", "open"]
"""Results of a comparison that no interval settles: it lies at the margin, or trials are lacking."""
ClaimStatus = Literal["confirmed", "refuted", Unsettled, "not applicable"]
DECIDED: tuple[ClaimStatus, ...] = ("confirmed", "refuted")
OPEN: Final = "open"
"""The status of a claim, and the verdict on a program, that more trials may change."""

BORDER = 1.05
"""An interval within this factor of the margin is measured well enough: it lies at the margin."""
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
    """The ratios at which a condition begins or ceases to hold."""
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
        return bound >= margin if margin > 1 else bound > 1

    match relation:
        case "equal" | "stays":
            holds = low >= 1 / margin and high <= margin
            fails = high < 1 / margin or low > margin
        case "not less" | "not more":
            holds, fails = not reaches(high), reaches(low)
        case _:
            holds, fails = reaches(low), not reaches(high)
    if holds or fails:
        return "confirmed" if holds else "refuted"
    ends = find_ends(relation, margin)
    is_at_an_end = any(end / BORDER <= low and high <= end * BORDER for end in ends)
    return "borderline" if is_at_an_end else OPEN


def combine(statuses: Iterable[ClaimStatus]) -> ClaimStatus:
    """The status of conditions that must all hold: one that fails refutes the whole."""
    return min(statuses, key=_WORST_FIRST.index)
