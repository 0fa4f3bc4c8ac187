"""Sessions: how far a ratio differs from session to session, and what several sessions say together.

The trials of one session tell how far trials of that session differ. Another session, with the caches,
the neighbours and the memory of another hour, gives another ratio, and no number of trials in the first
tells by how much. So the variance of a session's ratio is the sum of two: its own, and that between
sessions. Sessions are pooled with the inverse of that sum as their weight (DerSimonian and Laird,
"Meta-analysis in clinical trials", Controlled Clinical Trials 7, 1986). Degrees of freedom are
Welch's, as in ``samples``. Where sessions lie further apart than both variances explain, the pooled
variance grows (Birge, "The calculation of errors by the method of least squares", Physical Review 40,
1932), moderated as in ``samples``: two sessions hardly tell how far such sessions differ. A single
session gets the same variance, as it stands for all others too.

The variance between sessions is that of a class of ratios: by what is measured and whether a program
keeps the cores busy. It is estimated by moments (Paule and Mandel, "Consensus values and weighting
factors", Journal of Research of the National Bureau of Standards 87, 1982) from what was measured in
several sessions: in each place every program against the first. It never is estimated from the experiment
that is judged, nor ever said to be less than ``LEAST``: it is a small difference of large numbers.
All of that stands on sessions of few days, so it is a lower bound of what differs in a year.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, inf, log, sqrt
from statistics import median
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poolwise.metrics import METRICS, find_unit
from poolwise.record import Record, Variant
from poolwise.statistics import FEWEST, Estimate, LogMean, bound_mean, find_student
from scripts.site.judge.noise import COUNTS
from scripts.site.judge.samples import estimate_ratio
from scripts.site.judge.spreads import MOST_FREEDOM, Spreads, take_sample

Kind = Literal["time", "memory", "lag"]
# The standard deviation of log ratios between sessions is at least this.
LEAST: Mapping[Kind, float] = {"time": 0.02, "memory": 0.005, "lag": 0.05}
# And this on a machine that has too few sessions to tell: what the shipped records gave in November 2026.
USUAL: Mapping[Kind, float] = {"time": 0.04, "memory": 0.015, "lag": 0.07}
# A ratio's own scatter between sessions counts besides so many degrees of freedom of its class: by
# likelihood, on the shipped records. Of two or three sessions alone it would hang on any one of them.
PRIOR_FREEDOM = 3.0
ENOUGH_RATIOS = 15  # fewer tell nothing of their class: a wider one does
# A program saturates the cores if it keeps this share of them busy.
SATURATED = 0.7
_COMPARED = ("cpu_s", "peak_pss_bytes", "lag_p99_s", "lag_max_s")
_LARGEST_SPREAD = 4.0  # of a logarithm; the search begins below it
_STEPS = 40  # of the search, which halves what is left in each


def find_kind(metric: str) -> Kind:
    """Find how a metric or a reading differs between sessions: like a time, like memory or like a lag."""
    if find_unit(metric) == "bytes":
        return "memory"
    if metric.startswith("lag_") or metric not in {*METRICS, *COUNTS}:
        return "lag"
    return "time"


def saturates(record: Record) -> bool:
    """Tell whether a program keeps most of its cores busy, in its work or else in its whole time."""
    for cpu_s, time_s in (("work_cpu_s", "inside_s"), ("cpu_s", "wall_s")):
        cpu, time = record.list_values(cpu_s), record.list_values(time_s)
        if cpu and time:
            return median(cpu) >= SATURATED * record.cores * median(time)
    return False


def is_session(estimate: Estimate) -> bool:
    """Tell whether an estimate is of a session that counts: of enough trials a side that nobody disturbed."""
    has_enough = estimate.mean is None or estimate.mean.size >= FEWEST
    return estimate.is_sure and estimate.allowance == 1 and has_enough


def pool(estimates: Sequence[Estimate], spread: float) -> Estimate:
    """Return what estimates of one value, each of its session, say together; one alone is widened.

    ``spread`` is the standard deviation of its logarithm between sessions.
    """
    if len(estimates) == 1:
        return _widen(estimates[0], spread)
    means = [estimate.mean for estimate in estimates if estimate.mean]
    shares = weigh(estimates, spread)
    if len(means) < len(estimates):  # nought has no logarithm
        low = min(estimate.low for estimate in estimates)
        high = max(estimate.high for estimate in estimates)
        return Estimate(median=average(estimates, shares).median, low=low, high=high)
    middle = average(estimates, shares).median
    deviation = estimates[-1].deviation * shares[-1]  # trials are added to the last
    return bound_mean(middle, _pool_means(means, shares, spread), deviation)


def weigh(estimates: Sequence[Estimate], spread: float) -> list[float]:
    """Return the share of each session in what they say together; equal ones where there is no logarithm."""
    weights = []
    for estimate in estimates:
        if estimate.mean is None:
            return [1 / len(estimates)] * len(estimates)
        weights.append(1 / (estimate.mean.variance + spread**2))
    return [weight / sum(weights) for weight in weights]


def average(estimates: Sequence[Estimate], shares: Sequence[float]) -> Estimate:
    """Return the weighted geometric means of values and of the ends of their intervals."""
    if len(estimates) == 1:
        return estimates[0]
    ends = []
    for name in ("median", "low", "high"):
        values = [getattr(estimate, name) for estimate in estimates]
        if 0 < min(values) <= max(values) < inf:
            ends.append(exp(_average(map(log, values), shares)))
        else:
            ends.append(median(values))
    middle, low, high = ends
    return replace(estimates[-1], median=middle, low=low, high=high, mean=None)


def _average(values: Iterable[float], shares: Sequence[float]) -> float:
    return sum(share * value for share, value in zip(shares, values, strict=True))


def _widen(estimate: Estimate, spread: float) -> Estimate:
    """Widen the interval of a session that stands alone; a point stays one."""
    mean = estimate.mean
    if mean is None or not estimate.is_sure:
        return estimate
    wider = _pool_means([mean], [1.0], spread)
    reach, further = (find_student(part.freedom) * sqrt(part.variance) for part in (mean, wider))
    factor = exp(min(max(further - reach, 0.0), log(1e9)))
    alone = mean._replace(between=wider.between)  # by which it is pooled with others
    return replace(estimate, low=estimate.low / factor, high=estimate.high * factor, mean=alone)


def _pool_means(means: Sequence[LogMean], shares: Sequence[float], spread: float) -> LogMean:
    """Pool the logarithms of one value of several sessions, each with its share."""
    centre = _average((mean.centre for mean in means), shares)
    between = sum(share**2 for share in shares) * spread**2
    variance, weighed = between, between**2 / MOST_FREEDOM
    scatter = 0.0
    for mean, share in zip(means, shares, strict=True):
        part = share**2 * mean.variance
        variance += part
        weighed += part**2 / mean.freedom
        scatter += (mean.centre - centre) ** 2 / (mean.variance + spread**2)
    further = max(1.0, (PRIOR_FREEDOM + scatter) / (PRIOR_FREEDOM + len(means) - 1))
    return LogMean(
        centre=centre,
        variance=variance * further,
        freedom=variance**2 / weighed,
        size=min(mean.size for mean in means),
        between=between * further,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A ratio that several sessions gave, with what decides how far they differ."""

    experiment: str
    kind: Kind
    saturates: bool
    means: tuple[LogMean, ...]


class Between:
    """The spreads between the sessions of a machine in a profile."""

    def __init__(self, records: Iterable[Record] = (), spreads: Spreads | None = None) -> None:
        self._records = list(records)
        self._spreads = spreads or Spreads()
        self._found: dict[tuple[Kind, bool, str], float] = {}

    def find(self, metric: str, sides: Iterable[Variant], experiment: str) -> float:
        """Find the spread between sessions of a ratio of two cells or of a value, told by other experiments."""
        key = (find_kind(metric), any(side in self._saturating for side in sides), experiment)
        if key not in self._found:
            self._found[key] = self._estimate(*key)
        return self._found[key]

    @cached_property
    def _saturating(self) -> frozenset[Variant]:
        return frozenset(record.variant for record in self._records if saturates(record))

    def _estimate(self, kind: Kind, is_saturating: bool, experiment: str) -> float:
        alike: list[Repeated] = []
        closest: list[Repeated] = []
        for ratio in self.repeated:
            if ratio.kind == kind and ratio.experiment != experiment:
                alike.append(ratio)
                if ratio.saturates == is_saturating:
                    closest.append(ratio)
        for ratios in (closest, alike):
            if len(ratios) >= ENOUGH_RATIOS:
                return max(estimate_spread(ratios), LEAST[kind])
        return USUAL[kind]

    @cached_property
    def repeated(self) -> list[Repeated]:
        """The ratios that two sessions and more gave."""
        return list(_list_repeated(self._records, self._spreads))


def estimate_spread(ratios: Sequence[Repeated]) -> float:
    """Estimate the standard deviation between sessions, by which ratios differ as much as they do."""
    if not ratios:
        return 0.0
    most = max(len(ratio.means) for ratio in ratios)
    centres, variances = np.zeros((len(ratios), most)), np.full((len(ratios), most), inf)
    for place, ratio in enumerate(ratios):
        count = len(ratio.means)
        centres[place, :count], variances[place, :count] = np.array(ratio.means).T[:2]
    freedom = sum(len(ratio.means) - 1 for ratio in ratios)
    least, most_spread = 0.0, _LARGEST_SPREAD
    for _ in range(_STEPS):
        middle = (least + most_spread) / 2
        if _scatter(centres, variances, middle) > freedom:
            least = middle
        else:
            most_spread = middle
    return most_spread


def _scatter(centres: NDArray[np.float64], variances: NDArray[np.float64], spread: float) -> float:
    """Add up the weighted squares by which sessions lie off what they say together."""
    weights = 1 / (variances + spread**2)
    middles = (weights * centres).sum(axis=1, keepdims=True) / weights.sum(axis=1, keepdims=True)
    return float((weights * (centres - middles) ** 2).sum())


def _list_repeated(records: Iterable[Record], spreads: Spreads) -> Iterator[Repeated]:
    """List in each place the ratios of every program to the first that two sessions and more gave."""
    places: dict[Hashable, list[Record]] = defaultdict(list)
    for record in records:
        if record.status == "ok" and len(record.sessions) > 1:
            cell = record.variant
            place = (cell.experiment, cell.family, cell.machine, cell.interpreter)
            places[*place, cell.cores, cell.tasks].append(record)
    for members in places.values():
        first, *others = sorted(members, key=lambda record: str(record.variant))
        views = _split(first)
        for record in others:
            pairs = []
            for session, view in _split(record).items():
                if session in views:
                    pairs.append((view, views[session]))
            is_busy = saturates(first) or saturates(record)
            for name in _list_names(first, record):
                means = []
                for view, by in pairs:
                    if mean := _divide(view, by, name, spreads):
                        means.append(mean)
                if len(means) > 1:
                    yield Repeated(
                        experiment=record.experiment,
                        kind=find_kind(name),
                        saturates=is_busy,
                        means=tuple(means),
                    )


def _split(record: Record) -> dict[str, Record]:
    """Split a record by session; those in which it did not do its work are left out."""
    views = {}
    for session in record.sessions:
        view = record.within(session)
        if view.is_measured:
            views[session] = view
    return views


def _list_names(first: Record, other: Record) -> list[str]:
    """List what two records are compared by: metrics that are not made of each other, and readings."""
    time = "wall_s"
    if first.list_values("inside_s") and other.list_values("inside_s"):
        time = "inside_s"
    names = [time, *sorted(first.readings.keys() & other.readings.keys() - METRICS.keys())]
    for name in _COMPARED:
        if first.list_values(name) and other.list_values(name):
            names.append(name)  # noqa: PERF401 - no comprehension
    return names


def _divide(view: Record, by: Record, name: str, spreads: Spreads) -> LogMean | None:
    """Divide what two programs gave in a session, if it counts."""
    above, below = take_sample(view, name, spreads), take_sample(by, name, spreads)
    if min(len(above), len(below)) < FEWEST or min(*above, *below) <= 0:
        return None
    ratio = estimate_ratio(above, below)
    return ratio.mean if is_session(ratio) else None
