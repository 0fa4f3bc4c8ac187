"""Statistics: medians and ratios and their uncertainty, from few values and of any shape.

Both intervals are exact for samples of any continuous distribution and of any size, and hold the
truth at least 99 times of 100. They are made of ranks alone, so nothing is drawn at random:

- of a median, two order statistics, by the binomial distribution of how many values lie below it
  (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd ed., 2014, section 3.6);
- of a ratio, two of the ratios of every value of one sample to every value of the other, by the
  exact distribution of the Mann-Whitney statistic. On logarithms that is the estimate of a shift
  (Hodges and Lehmann, "Estimates of Location Based on Rank Tests", Annals of Mathematical Statistics
  34, 1963; Moses's interval, Hollander, Wolfe and Chicken, section 4.3).

Trials are added until claims are decided, and so each interval is looked at several times. At 99 %
a look, ten looks at growing samples err in 5 % of cases (Pocock, "Group sequential methods in the
design and analysis of clinical trials", Biometrika 64, 1977: 1.06 % a look).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, floor, inf, sqrt
from statistics import NormalDist, median

import numpy as np

CONFIDENCE = 0.99
FEWEST = 5
FEWEST_AGAINST_A_NUMBER = 8
"""The least number of values, of either of two samples or of one, that can be so sure: of two
samples of one size n each value of one lies above all of the other with probability (n!)² ÷ (2n)!,
and n values all lie on one side of the median with 2⁻ⁿ."""
_EXACT = 50
"""Of larger samples the Mann-Whitney statistic is as good as normal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its 99 % interval.

    ``is_sure`` is false where there are too few values for that: the interval then reaches from the
    least to the greatest, holds the truth less often, and decides nothing.
    """

    median: float
    low: float
    high: float
    is_sure: bool = True

    @property
    def is_point(self) -> bool:
        """Whether the interval has no width, as that of a single trial: then it says nothing."""
        return self.low == self.high

    def invert(self) -> "Estimate":
        """That of one divided by the value."""
        median, low, high = (1 / end if end else inf for end in (self.median, self.high, self.low))
        return Estimate(median=median, low=low, high=high, is_sure=self.is_sure)


def estimate_median(values: Sequence[float]) -> Estimate:
    """The median of at least one value, with its interval."""
    ordered = sorted(values)
    place, is_sure = _find_order(len(ordered))
    return Estimate(
        median=median(ordered), low=ordered[place], high=ordered[-1 - place], is_sure=is_sure
    )


def estimate_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """By how many times one sample is larger than another, with the interval.

    Args:
        numerator: at least one value, none negative.
        denominator: as many or few; not zero where a value of the numerator is.

    Returns:
        the median of all ratios of a value to a value of the other, and its interval.
    """
    return _estimate_ratio(tuple(numerator), tuple(denominator))


@lru_cache(maxsize=16384)
def _estimate_ratio(numerator: tuple[float, ...], denominator: tuple[float, ...]) -> Estimate:
    with np.errstate(divide="ignore"):  # what is divided by zero is infinite
        ratios = np.sort(np.divide.outer(numerator, denominator), axis=None)
    place, is_sure = _find_rank(len(numerator), len(denominator))
    count = len(ratios)
    # Of an even number, the middle is that of their logarithms: so a ratio inverts to its inverse.
    middle = (
        sqrt(ratios[count // 2 - 1] * ratios[count // 2]) if count % 2 == 0 else ratios[count // 2]
    )
    return Estimate(
        median=float(middle),
        low=float(ratios[place]),
        high=float(ratios[-1 - place]),
        is_sure=is_sure,
    )


@lru_cache
def _find_order(count: int) -> tuple[int, bool]:
    """How many values lie below the interval of their median, and whether it is sure."""
    ways = accumulate(comb(count, below) for below in range(count))
    return _find_end(list(ways), 2**count)


@lru_cache
def _find_rank(first: int, second: int) -> tuple[int, bool]:
    """How many ratios of two samples lie below their interval, and whether it is sure."""
    if min(first, second) > _EXACT:
        deviation = sqrt(first * second * (first + second + 1) / 12)
        tail = NormalDist().inv_cdf((1 - CONFIDENCE) / 2)
        return floor(first * second / 2 + tail * deviation), True
    ways = accumulate(count_orders(*sorted((first, second))))
    return _find_end(list(ways), comb(first + second, first))


def _find_end(ways: Sequence[int], total: int) -> tuple[int, bool]:
    """The most places to leave out at an end; ``ways`` are cumulative, of ``total``."""
    within = sum(1 for way in ways if 2 * way <= (1 - CONFIDENCE) * total)
    return (within - 1, True) if within else (0, False)


def count_orders(first: int, second: int) -> list[int]:
    """In how many orders of two samples the Mann-Whitney statistic is 0, 1, … up to its middle.

    They are the coefficients of the Gaussian binomial (Mann and Whitney, "On a Test of Whether one
    of Two Random Variables is Stochastically Larger than the Other", Annals of Mathematical
    Statistics 18, 1947).
    """
    orders = [1] + [0] * (first * second // 2)
    for size in range(1, first + 1):
        for at in range(len(orders) - 1, second + size - 1, -1):
            orders[at] -= orders[at - second - size]
        for at in range(size, len(orders)):
            orders[at] += orders[at - size]
    return orders
