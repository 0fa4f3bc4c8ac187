"""Statistics: medians and ratios with their uncertainty, and what a ratio decides about a margin.

Values are few and of any shape. Both intervals hold the truth at least 98 times of 100.

Of a median of eight values and more it is exact for samples of any continuous distribution: two
order statistics, by the binomial distribution of how many values lie below the median (Hollander,
Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd ed., 2014, section 3.6).

Of fewer values, and of ratios, it is Student's, of the logarithms; of two samples about the ratio of
their geometric means, with the degrees of freedom that their variances give (Welch, "The
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
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb, exp, inf, log, sqrt
from statistics import fmean, median, variance
from typing import Final, NamedTuple, Self

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
    values usually spread. ``fewest`` is how many values decide anything.
    """

    usual: Spread | None = None
    paired: Spread | None = None
    block: str = ""
    session: str = ""
    span: Span | None = UNMOVED
    most: float = inf
    fewest: int = FEWEST

    def __new__(cls, values: Iterable[float], usual: Spread | None = None, **facts: object) -> Self:
        """Keep the values as they come, with ``facts`` about them: the attributes above by name."""
        assert facts.keys() <= cls.__annotations__.keys()
        sample = super().__new__(cls, values)
        vars(sample).update(facts, usual=usual)
        return sample

    @classmethod
    def of(cls, values: Sequence[float]) -> "Sample":
        """Return the values as a sample, of which nothing is known where they are none yet."""
        return values if isinstance(values, Sample) else Sample(values)

    def turn(self, values: Iterable[float], *, inverted: bool = False) -> "Sample":
        """Other values that spread as these: multiples of them, or of their inverses."""
        span = self.span
        if span and inverted:
            span = (1 / span[1], 1 / span[0])
        return Sample(values, **vars(self) | {"most": inf, "span": span})

    @property
    def has_enough(self) -> bool:
        """Tell whether there are enough values to decide anything."""
        return len(self) >= self.fewest


def can_decide(*samples: Sequence[float]) -> bool:
    """Return whether these may decide anything together: values of one session, moved within bounds."""
    known = list(map(Sample.of, samples))
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
    ``deviation`` is the standard deviation of the logarithm of a single trial's value, nought where it
    is unknown: with more trials the interval narrows by their root. ``allowance`` is the
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


class LogVariance(NamedTuple):
    """The variance of a value's logarithm, its degrees of freedom, and the number of values."""

    variance: float
    freedom: float
    size: int


def estimate_median(values: Sequence[float]) -> Estimate:
    """Return the median of at least one value, with its interval."""
    sample = Sample.of(values)
    estimate = _allow(_estimate_median(tuple(sample), sample.usual, sample.has_enough), sample)
    return replace(estimate, high=min(estimate.high, sample.most))


@lru_cache(maxsize=16384)
def _estimate_median(values: tuple[float, ...], usual: Spread | None, has_enough: bool) -> Estimate:
    ordered = sorted(values)
    middle = median(ordered)
    place, is_sure = _find_order(len(ordered))
    variances = _find_variances((values, usual))
    if variances and not is_sure and has_enough:
        # Of five or six values, which may be skewed, the interval is as wide as of four.
        return _estimate_few(middle, middle, variances, most_freedom=3.0)
    return Estimate(
        median=middle,
        low=ordered[place],
        high=ordered[-1 - place],
        is_sure=is_sure,
        deviation=_find_deviation(variances),
    )


def estimate_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of the medians of two samples, with its interval.

    Args:
        numerator: at least one value, none negative; a ``Sample`` where its spread is known.
        denominator: as many or few; not zero where a value of the numerator is.
    """
    above, below = Sample.of(numerator), Sample.of(denominator)
    has_enough = above.has_enough and below.has_enough
    sides = (tuple(above), above.usual), (tuple(below), below.usual)
    return _allow(_estimate_ratio(*sides, _find_paired(above, below), has_enough), above, below)


_Side = tuple[tuple[float, ...], Spread | None]
"""Values, and how such values usually spread."""


@lru_cache(maxsize=16384)
def _estimate_ratio(
    above: _Side, below: _Side, paired: Spread | None, has_enough: bool
) -> Estimate:
    numerator, denominator = above[0], below[0]
    middle = _divide(median(numerator), median(denominator))
    variances = _find_variances(above, below)
    if variances and has_enough:
        centre = exp(fmean(map(log, numerator)) - fmean(map(log, denominator)))
        # Where two values are enough, these may be unlike those that tell of the usual spread.
        most_freedom = inf if min(len(numerator), len(denominator)) >= FEWEST else FREEDOM_OF_TWO
        variances = _find_paired_variance(above, below, paired) or variances
        return _estimate_few(middle, centre, variances, most_freedom)
    # Without logarithms: by how much the extremes differ, of which one order in so many is by chance.
    orders = comb(len(numerator) + len(denominator), len(numerator))
    return Estimate(
        median=middle,
        low=_divide(min(numerator), max(denominator)),
        high=_divide(max(numerator), min(denominator)),
        is_sure=has_enough and (1 - CONFIDENCE) * orders >= 2,
        deviation=_find_deviation(variances),
    )


def estimate_pairs(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of values taken back to back, by Student's interval of pairs.

    Args:
        numerator: at least two positive values.
        denominator: as many, the n-th taken in the round of the n-th.
    """
    ratios = tuple(above / below for above, below in zip(numerator, denominator, strict=True))
    centre = exp(fmean(map(log, ratios)))
    return _estimate_few(centre, centre, _find_variances((ratios, None)))


def _allow(estimate: Estimate, sample: Sample, by: Sample | None = None) -> Estimate:
    """Widen the interval of a sample, or of its ratio to another, by what others may have moved it."""
    if not can_decide(sample, by or ()):
        return replace(estimate, is_sure=False)
    (least, most), (least_by, most_by) = sample.span or UNMOVED, (by and by.span) or UNMOVED
    low, high = least / most_by, most / least_by
    allowance = max(1 / low, high)
    if not estimate.is_sure:  # a single trial stays a point
        return replace(estimate, allowance=allowance)
    return replace(estimate, low=estimate.low * low, high=estimate.high * high, allowance=allowance)


def _divide(value: float, by: float) -> float:
    return value / by if by else inf


def _find_variances(*sides: _Side) -> list[LogVariance]:
    """Return each side's variance, moderated by the usual one; empty if one has no logarithms."""
    variances = []
    for values, usual in sides:
        if not 0 < min(values) <= max(values) < inf:
            return []
        freedom = len(values) - 1.0
        variance = _vary_logs(values) if freedom else 0.0
        if usual and variance <= usual.limit:
            freedom += usual.freedom
            variance += (usual.variance - variance) * usual.freedom / freedom
        if not freedom:
            return []
        variances.append(LogVariance(variance, freedom, len(values)))
    return variances


@lru_cache(maxsize=16384)
def _vary_logs(values: tuple[float, ...]) -> float:
    return variance(map(log, values))


def _find_paired(above: Sample, below: Sample) -> Spread | None:
    """Return the usual spread of ratios of values taken back to back; ``None`` if these were not."""
    is_paired = above.block and above.block == below.block and len(above) == len(below)
    if not is_paired or above.paired is None or below.paired is None:
        return None
    return max(above.paired, below.paired, key=lambda spread: spread.variance)


def _find_paired_variance(above: _Side, below: _Side, paired: Spread | None) -> list[LogVariance]:
    """Return the variance of ratios within rounds; empty where a side or the ratios are odd."""
    if paired is None:
        return []
    ratios = tuple(left / right for left, right in zip(above[0], below[0], strict=True))
    sides = (above, below, (ratios, paired))
    if any(usual and _vary_logs(values) > usual.limit for values, usual in sides):
        return []
    return _find_variances((ratios, paired))


def _find_deviation(variances: Sequence[LogVariance]) -> float:
    return sqrt(sum(part.variance for part in variances))


def _estimate_few(
    middle: float, centre: float, variances: Sequence[LogVariance], most_freedom: float = inf
) -> Estimate:
    """Student's interval of one sample, or of the ratio of two, about a centre, with what is shown."""
    total = sum(part.variance / part.size for part in variances)
    weighed = sum((part.variance / part.size) ** 2 / part.freedom for part in variances)
    freedom = total**2 / weighed if weighed else 1.0
    reach = exp(min(find_student(min(freedom, most_freedom)) * sqrt(total), _LARGEST_EXPONENT))
    return Estimate(
        median=middle,
        low=min(middle, centre / reach),
        high=max(middle, centre * reach),
        deviation=_find_deviation(variances),
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
