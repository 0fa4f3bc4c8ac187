"""Spreads: how far the trials of a variant usually differ, told by all variants of a machine together.

Three trials of one program say little of how far its trials differ, but a hundred programs say much
of how far such programs' trials do. The variances of the logarithms of their times are taken for
draws around a usual one; how closely they lie about it says what it is worth (``fit_spread``).

What spreads alike is fixed beforehand, by what is measured and by what a program does meanwhile:
compute, or wait. It is never chosen by what is to be decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import exp, inf, lgamma, log, sqrt
from statistics import fmean, median, variance

import numpy as np

from poolwise.experiment import Experiment
from poolwise.metrics import METRICS, find_unit
from poolwise.record import Record
from poolwise.statistics import FEWEST
from scripts.site.judge.noise import find_span
from scripts.site.judge.samples import FEWEST_STEADY, Sample, Spread

ENOUGH_SAMPLES = 6  # fewer say nothing of how others of their kind spread
# The most degrees of freedom that the usual variance counts for, however alike variants are. A variant
# that differs from the others then soon shows it by its own trials.
MOST_FREEDOM = 8.0
# The share of the median variance that a smaller one, perhaps of equal values, counts as. Of three
# values hardly one variance in a thousand is smaller by chance.
_SMALLEST_SHARE = 0.001
_FREEDOMS = (0.01, 1000.0)  # the range searched; more is as good as infinitely many


class Spreads:
    """The usual spreads of a machine in a profile, by metric and by whether programs compute or wait.

    Of what counts as its cores ``smt`` share one.
    """

    def __init__(self, records: Iterable[Record] = (), smt: int = 1) -> None:
        self.smt = smt
        self._by_kind: dict[bool, list[Record]] = {True: [], False: []}
        self._fitted: dict[tuple[str, bool, bool], Spread | None] = {}
        for record in records:
            # Between sessions values differ by more than trials of one do.
            for session in record.sessions:
                view = record.within(session)
                if view.status == "ok":
                    self._by_kind[view.computes].append(view)

    def find(self, record: Record, name: str, *, paired: bool = False) -> Spread | None:
        """Find the usual spread of a metric, or of its ratios within rounds; ``None`` of a reading, like no other."""
        if name not in METRICS:
            return None
        return self._find(name, record.computes, paired=paired)

    def _find(self, metric: str, computes: bool, *, paired: bool = False) -> Spread | None:
        """Fit the spread of each program's values, or of the ratios within rounds of two programs each."""
        key = (metric, computes, paired)
        if key not in self._fitted:
            blocks: dict[str, list[Sequence[float]]] = {}
            for record in self._by_kind[computes]:
                values = record.list_values(metric)
                if len(values) >= FEWEST_STEADY and not (paired and min(values) <= 0):
                    block = f"{name_block(record)} {len(values)}" if paired else ""
                    blocks.setdefault(block, []).append(values)
            samples: list[Sequence[float]] = []
            for block_samples in blocks.values():
                samples += divide_pairs(block_samples) if paired else block_samples
            self._fitted[key] = fit_spread(samples)
        return self._fitted[key]


def take_sample(
    record: Record, name: str, spreads: Spreads, experiment: Experiment | None = None
) -> Sample:
    """Return a metric or a reading of a record as a sample, with all that is known of its values."""
    values = record.list_values(name)
    # A reading that counts tasks is no larger than they are.
    counts = name not in METRICS and all(
        float(value).is_integer() and value <= record.tasks for value in values
    )
    return Sample(
        values,
        spreads.find(record, name),
        paired=spreads.find(record, name, paired=True),
        block=name_block(record),
        session="+".join(record.sessions),
        span=find_span(experiment, record, name, spreads.smt),
        most=record.tasks if counts else inf,
        fewest=FEWEST_STEADY if is_steady(record, name) else FEWEST,
        in_pairs=bool(experiment and experiment.on_request == "in pairs"),
    )


def is_steady(record: Record, name: str) -> bool:
    """Tell whether a metric has no two speeds: memory has none, nor the time of a program that waits."""
    return find_unit(name) == "bytes" or (name in ("inside_s", "wall_s") and not record.computes)


def divide_pairs(samples: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    """Divide the first sample by the second, value by value, the third by the fourth, and so on."""
    for left, right in zip(samples[::2], samples[1::2], strict=False):
        yield [above / below for above, below in zip(left, right, strict=True)]


def name_block(record: Record) -> str:
    """Name all that runs back to back with a record, see ``plan.shuffle_blocks``; empty of several sessions."""
    if len(record.sessions) != 1:
        return ""
    variant = record.variant
    place = (variant.experiment, variant.family, variant.interpreter, str(variant.cores))
    return " ".join((record.sessions[0], *place))


def fit_spread(samples: Sequence[Sequence[float]]) -> Spread | None:
    """Estimate the usual variance of the logarithms of some samples, and what knowing it is worth.

    It is that of Smyth (2004, section 6.2): the logarithms of the samples' variances are those of a
    scaled F distribution, of which mean and variance are known. ``None`` of fewer samples than
    ``ENOUGH_SAMPLES``, or where most have no spread at all: what is counted, not measured.

    Args:
        samples: each of at least two values; those with one that is not positive tell nothing.
    """
    variances, freedoms = [], []
    for sample in samples:
        if 0 < min(sample) <= max(sample) < inf:
            variances.append(float(np.log(sample).var(ddof=1)))
            freedoms.append(len(sample) - 1)
    if len(variances) < ENOUGH_SAMPLES or not (middle := median(variances)):
        return None
    logarithms = []
    for value, freedom in zip(variances, freedoms, strict=True):
        logarithms.append(log(max(value, _SMALLEST_SHARE * middle)) - _expect_log(freedom))
    between = variance(logarithms) - fmean(map(_vary_log, freedoms))
    worth = _find_freedom(between)
    if worth == inf:  # they differ no more than by chance
        usual = float(np.average(variances, weights=freedoms))
    else:
        usual = exp(fmean(logarithms) + _expect_log(worth))
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
    """Return the mean of the logarithm of a sample's variance, of one that is 1 in truth: ψ(d ÷ 2) - ln(d ÷ 2)."""
    half, step = freedom / 2, freedom / 200
    return (lgamma(half + step) - lgamma(half - step)) / (2 * step) - log(half)


def _vary_log(freedom: float) -> float:
    """Return the variance of that logarithm: the derivative of ψ at d ÷ 2."""
    half, step = freedom / 2, freedom / 200
    return (lgamma(half + step) - 2 * lgamma(half) + lgamma(half - step)) / step**2
