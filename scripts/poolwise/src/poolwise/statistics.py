"""Statistics: a median, or the ratio of values taken back to back, with its uncertainty.

Values are few and of any shape. An interval holds the truth at least 98 times of 100.

Of a median of eight values and more it is exact for samples of any continuous distribution: two
order statistics, by the binomial distribution of how many values lie below the median (Hollander,
Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd ed., 2014, section 3.6). Of fewer values,
and of ratios, it is Student's, of the logarithms: an approximation.

Trials are added until something is decided, and so each interval is looked at several times. At
98.18 % a look, four looks at growing samples err in 5 % of cases (Pocock, "Group sequential methods
in the design and analysis of clinical trials", Biometrika 64, 1977: 1.82 % a look). At 98.6 %
something is left for samples that spread unlike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from math import comb, exp, inf, log, sqrt
from statistics import fmean, median, variance
from typing import NamedTuple

# The fewest times of programs that compute which decide anything. Two are too few: of a program
# with two speeds, two slow trials against two fast ones are too likely.
FEWEST = 3
CONFIDENCE = 0.986
NORMAL = 2.458  # the quantile (1 + `CONFIDENCE`) ÷ 2 of the normal distribution
# The factor from a median to an end of its interval beyond which nothing is known yet.
FURTHEST_FACTOR = 10
# The same quantile of Student's distribution, by degrees of freedom.
STUDENT = {1: 45.47, 2: 8.363, 3: 5.175, 4: 4.173, 5: 3.700, 6: 3.428, inf: NORMAL}
_LARGEST_EXPONENT = 700.0  # e to a larger power is no float


class LogMean(NamedTuple):
    """The logarithm of an estimated value, as further estimates of the same value can be pooled with it.

    ``variance`` is that of the estimate, ``freedom`` its degrees of freedom, ``size`` how many values
    it is of; of a ratio, those of the side that has fewer. No further trials narrow the part of the
    variance that is ``between`` sessions.
    """

    centre: float
    variance: float
    freedom: float
    size: int
    between: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 98.6 % interval.

    ``is_sure`` is false where it decides nothing: there are too few values, and the interval reaches
    from the least to the greatest; or others moved them without bound, or they are of several sessions.
    ``deviation`` is the standard deviation of the logarithm of a single trial's value, zero where it
    is unknown: with more trials the interval narrows by their root. ``allowance`` is the
    factor by which an end is farther away because others were busy, which no trials narrow.
    ``mean`` is its logarithm, where it has any and there are enough values to tell its variance.
    """

    median: float
    low: float
    high: float
    is_sure: bool = True
    deviation: float = field(default=0.0, compare=False)
    allowance: float = field(default=1.0, compare=False)
    mean: LogMean | None = field(default=None, compare=False, repr=False)

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
        mean = self.mean and self.mean._replace(centre=-self.mean.centre)
        return replace(self, median=median, low=low, high=high, mean=mean)


class LogVariance(NamedTuple):
    """The variance of a value's logarithm, its degrees of freedom, and the number of values."""

    variance: float
    freedom: float
    size: int


@lru_cache(maxsize=16384)
def find_variance(values: tuple[float, ...]) -> LogVariance | None:
    """Find the variance of values, of freedom zero for a single one; ``None`` without logarithms."""
    if not 0 < min(values) <= max(values) < inf:
        return None
    logs = list(map(log, values))
    if len(logs) == 1:
        return LogVariance(0.0, 0.0, 1)
    return LogVariance(variance(logs), len(logs) - 1.0, len(logs))


def estimate_median(values: Sequence[float]) -> Estimate:
    """Return the median of at least one value, with its interval."""
    parts = [part for part in [find_variance(tuple(values))] if part and part.freedom]
    return bound_median(values, parts, len(values) >= FEWEST)


def estimate_pairs(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of values taken back to back, by Student's interval of pairs.

    Args:
        numerator: at least two positive values.
        denominator: as many, the n-th taken in the round of the n-th.
    """
    ratios = tuple(above / below for above, below in zip(numerator, denominator, strict=True))
    centre = exp(fmean(map(log, ratios)))
    return bound_few(centre, centre, list(filter(None, [find_variance(ratios)])))


def estimate_apart(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of two samples that were not taken in the same rounds, each of two values or more."""
    centre = exp(fmean(map(log, numerator)) - fmean(map(log, denominator)))
    parts = map(find_variance, (tuple(numerator), tuple(denominator)))
    return bound_few(centre, centre, list(filter(None, parts)))


def bound_median(
    values: Sequence[float], variances: Sequence[LogVariance], has_enough: bool
) -> Estimate:
    """Return the median of values with its interval, by their variance where that is known."""
    ordered = sorted(values)
    middle = median(ordered)
    place, is_sure = find_order(len(ordered))
    if variances and not is_sure and has_enough:
        # Of five or six values, which may be skewed, the interval is as wide as of four.
        return bound_few(middle, middle, variances, most_freedom=3.0)
    low, high = ordered[place], ordered[-1 - place]
    mean = None
    if is_sure and 0 < low <= high < inf:
        error = log(high / low) / 2 / NORMAL
        mean = LogMean(log(middle), error**2, inf, len(ordered))
    return Estimate(
        median=middle,
        low=low,
        high=high,
        is_sure=is_sure,
        deviation=find_deviation(variances),
        mean=mean,
    )


def bound_few(
    middle: float, centre: float, variances: Sequence[LogVariance], most_freedom: float = inf
) -> Estimate:
    """Return Student's interval of one sample, or of the ratio of two, about a centre."""
    total = sum(part.variance / part.size for part in variances)
    weighed = sum((part.variance / part.size) ** 2 / part.freedom for part in variances)
    freedom = 1.0
    if weighed:
        freedom = min(total**2 / weighed, most_freedom)
    mean = LogMean(log(centre), total, freedom, min(part.size for part in variances))
    return bound_mean(middle, mean, find_deviation(variances))


def bound_mean(middle: float, mean: LogMean, deviation: float = 0.0) -> Estimate:
    """Return Student's interval about the mean of logarithms; a value in the ``middle`` is within it."""
    reach = exp(min(find_student(mean.freedom) * sqrt(mean.variance), _LARGEST_EXPONENT))
    centre = exp(mean.centre)
    return Estimate(
        median=middle,
        low=min(middle, centre / reach),
        high=max(middle, centre * reach),
        deviation=deviation,
        mean=mean,
    )


def find_deviation(variances: Sequence[LogVariance]) -> float:
    """Find the standard deviation of the logarithm of a single trial's value."""
    return sqrt(sum(part.variance for part in variances))


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
def find_order(count: int) -> tuple[int, bool]:
    """Return how many values lie below the interval of their median, and whether it is sure."""
    ways = accumulate(comb(count, below) for below in range(count))
    within = sum(2 * way <= (1 - CONFIDENCE) * 2**count for way in ways)
    return max(within - 1, 0), within > 0
