"""Samples: medians and ratios of what trials gave, judged by what is known of values of their kind.

A ratio of two samples is that of their medians, with an interval about that of their geometric means,
with the degrees of freedom that their variances give (Welch, "The generalization of 'Student's'
problem when several different population variances are involved", Biometrika 34, 1947). Where it is
known how values of their kind usually spread, see ``spreads``, a variance is the mean of its own and
of the usual one, each with its degrees of freedom as weight (Smyth, "Linear models and empirical Bayes
methods for assessing differential expression", Statistical Applications in Genetics and Molecular
Biology 3, 2004): three trials alone hardly tell how far a program's trials differ, and many programs'
do. A sample whose own variance is far beyond the usual may not be of the kind, and is judged by its
own alone. All that is an approximation: how often it errs, also of samples that spread unlike or have
two modes, ``bench/simulation`` shows.

Two programs that run back to back in each round share what disturbs the machine for longer than a
trial, so the ratio of their n-th trials varies less than the trials do. Where it is known how such
ratios usually spread, the interval is that of Student's for pairs.

Others that are busy meanwhile move values, and no number of trials tells by how much. Where a bound is
known, the interval is as much wider.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, exp, inf, log
from statistics import fmean, median
from typing import Final, Self

from poolwise.statistics import (
    CONFIDENCE,
    FEWEST,
    Estimate,
    LogVariance,
    bound_few,
    bound_median,
    estimate_pairs,
    find_deviation,
    find_variance,
)

# The fewest values that decide anything of what has no two speeds: memory, and the time of a program that
# waits.
FEWEST_STEADY = 2
# Degrees of freedom of a ratio of two such values, at most: in simulation more erred in over 5 % of cases.
FREEDOM_OF_TWO = 3.0
# A sample is odd if fewer than this share of samples of its kind spread as much as it does.
ODD = 0.16


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
    values usually spread. ``fewest`` is how many values decide anything. Of samples taken ``in_pairs`` the n-th
    values followed one another, and one of them may have gone on for longer.
    """

    usual: Spread | None = None
    paired: Spread | None = None
    block: str = ""
    session: str = ""
    span: Span | None = UNMOVED
    most: float = inf
    fewest: int = FEWEST
    in_pairs: bool = False

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
        """Return other values that spread as these: multiples of them, or of their inverses."""
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


def estimate_sample(values: Sequence[float]) -> Estimate:
    """Return the median of at least one value, with its interval."""
    sample = Sample.of(values)
    estimate = _allow(_estimate_sample((tuple(sample), sample.usual), sample.has_enough), sample)
    return replace(estimate, high=min(estimate.high, sample.most))


_Side = tuple[tuple[float, ...], Spread | None]  # values, and how such values usually spread


@lru_cache(maxsize=16384)
def _estimate_sample(side: _Side, has_enough: bool) -> Estimate:
    return bound_median(side[0], _find_variances(side), has_enough)


def estimate_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """Return the ratio of the medians of two samples, with its interval.

    Args:
        numerator: at least one value, none negative; a ``Sample`` where its spread is known.
        denominator: as many or few; not zero where a value of the numerator is.
    """
    above, below = Sample.of(numerator), Sample.of(denominator)
    has_enough = above.has_enough and below.has_enough
    if above.in_pairs and below.in_pairs and has_enough:
        count = min(len(above), len(below))
        return estimate_pairs(above[:count], below[:count])
    sides = (tuple(above), above.usual), (tuple(below), below.usual)
    return _allow(_estimate_ratio(*sides, _find_paired(above, below), has_enough), above, below)


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
        return bound_few(middle, centre, variances, most_freedom)
    # Without logarithms: by how much the extremes differ, of which one order in so many is by chance.
    orders = comb(len(numerator) + len(denominator), len(numerator))
    return Estimate(
        median=middle,
        low=_divide(min(numerator), max(denominator)),
        high=_divide(max(numerator), min(denominator)),
        is_sure=has_enough and (1 - CONFIDENCE) * orders >= 2,
        deviation=find_deviation(variances),
    )


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
    """Return each side's variance, moderated by the usual one; empty if one has none."""
    variances = []
    for values, usual in sides:
        part = find_variance(values)
        if part and usual and part.variance <= usual.limit:
            freedom = part.freedom + usual.freedom
            moved = (usual.variance - part.variance) * usual.freedom / freedom
            part = LogVariance(part.variance + moved, freedom, part.size)
        if not part or not part.freedom:
            return []
        variances.append(part)
    return variances


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
    for values, usual in sides:
        part = find_variance(values)
        if part and usual and part.variance > usual.limit:
            return []
    return _find_variances((ratios, paired))
