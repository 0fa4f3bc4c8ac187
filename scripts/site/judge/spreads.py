"""Spreads: how far the trials of a variant usually differ, told by all variants of a machine together.

Three trials of one program say little of how far its trials differ, but a hundred programs say much
of how far such programs' trials do. The variances of the logarithms of their times are taken for
draws around a usual one; how closely they lie about it says what it is worth (``fit_spread``).

What spreads alike is fixed beforehand, by what is measured and by what a program does meanwhile:
compute, or wait. It is never chosen by what is to be decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from math import exp, inf, lgamma, log, sqrt
from statistics import fmean, median, variance

import numpy as np

from poolwise.metrics import METRICS
from poolwise.record import Record
from scripts.site.judge.samples import FEWEST_STEADY, Spread

ENOUGH_SAMPLES = 6  # fewer say nothing of how others of their kind spread
MOST_FREEDOM = 8.0
"""The most degrees of freedom that the usual variance counts for, however alike variants are. A variant
that differs from the others then soon shows it by its own trials."""
_SMALLEST_SHARE = 0.001
"""The share of the median variance that a smaller one, perhaps of equal values, counts as. Of three
values hardly one variance in a thousand is smaller by chance."""
_FREEDOMS = (0.01, 1000.0)  # the range searched; more is as good as infinitely many


class Spreads:
    """The usual spreads of a machine in a profile, by metric and by whether programs compute or wait.

    Of what counts as its cores ``smt`` share one.
    """

    def __init__(self, records: Iterable[Record] = (), smt: int = 1) -> None:
        self.smt = smt
        self._by_kind: dict[bool, list[Record]] = {True: [], False: []}
        self._found: dict[tuple[str, bool, bool], Spread | None] = {}
        for record in records:
            # Between sessions values differ by more than trials of one do.
            for own in map(record.within, record.sessions):
                if own.status == "ok":
                    self._by_kind[own.computes].append(own)

    def find(self, record: Record, name: str, *, paired: bool = False) -> Spread | None:
        """The usual spread of a metric, or of its ratios within rounds; ``None`` of a reading, like no other."""
        return self._find(name, record.computes, paired=paired) if name in METRICS else None

    def list_usual(self) -> list[tuple[str, bool, Spread]]:
        """All there are to find: of which metric, whether of what computes, and the spread."""
        kinds = product(METRICS, (False, True))
        told = ((name, computes, self._find(name, computes)) for name, computes in kinds)
        return [(name, computes, usual) for name, computes, usual in told if usual]

    def _find(self, metric: str, computes: bool, *, paired: bool = False) -> Spread | None:
        """Fit the spread of each program's values, or of the ratios within rounds of two programs each."""
        key = (metric, computes, paired)
        if key not in self._found:
            blocks: dict[str, list[Sequence[float]]] = {}
            for record in self._by_kind[computes]:
                values = record.list_values(metric)
                if len(values) >= FEWEST_STEADY and not (paired and min(values) <= 0):
                    block = f"{name_block(record)} {len(values)}" if paired else ""
                    blocks.setdefault(block, []).append(values)
            told = map(divide_pairs, blocks.values()) if paired else blocks.values()
            self._found[key] = fit_spread([*chain.from_iterable(told)])
        return self._found[key]


def divide_pairs(samples: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    """Divide the first sample by the second, value by value, the third by the fourth, and so on."""
    for left, right in zip(samples[::2], samples[1::2], strict=False):
        yield [one / other for one, other in zip(left, right, strict=True)]


def name_block(record: Record) -> str:
    """Name all that runs back to back with a record, see ``plan.shuffle_blocks``; empty of several sessions."""
    variant = record.variant
    place = (variant.experiment, variant.family, variant.interpreter, str(variant.cores))
    return " ".join((record.sessions[0], *place)) if len(record.sessions) == 1 else ""


def fit_spread(samples: Sequence[Sequence[float]]) -> Spread | None:
    """The usual variance of the logarithms of some samples, and what knowing it is worth.

    It is that of Smyth (2004, section 6.2): the logarithms of the samples' variances are those of a
    scaled F distribution, of which mean and variance are known. ``None`` of fewer samples than
    ``ENOUGH_SAMPLES``, or where most have no spread at all: what is counted, not measured.

    Args:
        samples: each of at least two values; those with one that is not positive tell nothing.
    """
    usable = [one for one in samples if 0 < min(one) <= max(one) < inf]
    found = [float(np.log(one).var(ddof=1)) for one in usable]
    if len(found) < ENOUGH_SAMPLES or not (middle := median(found)):
        return None
    freedoms = [len(one) - 1 for one in usable]
    told = [
        log(max(own, _SMALLEST_SHARE * middle)) - _expect_log(freedom)
        for own, freedom in zip(found, freedoms, strict=True)
    ]
    between = variance(told) - fmean(_vary_log(freedom) for freedom in freedoms)
    worth = _find_freedom(between)
    if worth == inf:  # they differ no more than by chance
        usual = float(np.average(found, weights=freedoms))
    else:
        usual = exp(fmean(told) + _expect_log(worth))
    return Spread(usual, min(worth, MOST_FREEDOM))


def _find_freedom(between: float) -> float:
    """Return the degrees of freedom of a variance whose logarithm has this variance."""
    least, most = _FREEDOMS
    if between <= _vary_log(most):
        return inf
    while most / least > 1.001:
        middle = sqrt(least * most)
        least, most = (middle, most) if _vary_log(middle) > between else (least, middle)
    return least


def _expect_log(freedom: float) -> float:
    """The mean of the logarithm of a sample's variance, of one that is 1 in truth: ψ(d ÷ 2) - ln(d ÷ 2)."""
    half, step = freedom / 2, freedom / 200
    return (lgamma(half + step) - lgamma(half - step)) / (2 * step) - log(half)


def _vary_log(freedom: float) -> float:
    """The variance of that logarithm: the derivative of ψ at d ÷ 2."""
    half, step = freedom / 2, freedom / 200
    return (lgamma(half + step) - 2 * lgamma(half) + lgamma(half - step)) / step**2
