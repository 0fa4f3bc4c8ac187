"""Statistics: medians and their uncertainty, from few values and without assuming a shape.

The interval is the percentile bootstrap (Efron, "Bootstrap Methods: Another Look at the
Jackknife", Annals of Statistics 7, 1979): the trials are drawn again with replacement many times,
and the middle 95 % of the medians so obtained is the interval. Two samples are drawn independently
of each other for a ratio. pyperf and criterion.rs report their results in this way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
CONFIDENCE = 0.95
SEED = 20_260_101
"""Fixed, so that the same records always give the same page."""
FEWEST = 3
FEWEST_AGAINST_A_NUMBER = 5
"""With fewer values a side, the interval cannot keep its word: two samples of one size n lie wholly
on the wrong sides of each other with probability (n!)² ÷ (2n)!, one of n values wholly on the
wrong side of a number with 2⁻ⁿ; these are the least n for which either is at or under 5 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A median with its bootstrap 95 % interval."""

    median: float
    low: float
    high: float

    @property
    def is_point(self) -> bool:
        """Whether the interval has no width, as that of a single trial: then it says nothing."""
        return self.low == self.high


def estimate_median(values: Sequence[float]) -> Estimate:
    """The median of at least one value with its bootstrap interval."""
    return _estimate_median(tuple(values))


@lru_cache(maxsize=4096)
def _estimate_median(values: tuple[float, ...]) -> Estimate:
    return _describe(float(np.median(values)), _resample_medians(values, stream=0))


def estimate_ratio(numerator: Sequence[float], denominator: Sequence[float]) -> Estimate:
    """The ratio of two medians with its bootstrap interval; both samples positive, not empty."""
    medians = _resample_medians(tuple(numerator), stream=0)
    others = _resample_medians(tuple(denominator), stream=1)
    ratio = float(np.median(numerator) / np.median(denominator))
    return _describe(ratio, medians / others)


@lru_cache(maxsize=4096)
def _resample_medians(values: tuple[float, ...], stream: int) -> NDArray[np.float64]:
    picks = _draw_picks(RESAMPLES, len(values), stream)
    medians: NDArray[np.float64] = np.median(np.asarray(values)[picks], axis=1)
    return medians


@lru_cache(maxsize=64)
def _draw_picks(resamples: int, count: int, stream: int) -> NDArray[np.int64]:
    """Which of ``count`` values each resample has: the same for all samples of that size."""
    generator = np.random.default_rng([SEED, stream, count])
    return generator.integers(count, size=(resamples, count))


def _describe(middle: float, resampled: NDArray[np.float64]) -> Estimate:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return Estimate(median=middle, low=float(low), high=float(high))
