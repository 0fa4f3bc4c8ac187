"""Headlines: what a chart found, as a sentence that says no more than its intervals show.

A title compares two values whose drawn intervals lie apart, and tells by how much their near ends
do. Where none do, there is no such sentence, and a chart has its neutral name: a chart never says
that there is no difference. A value of one trial, or whose interval is not known yet, is no
evidence.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scripts.harness.metrics import find_unit
from scripts.harness.statistics import Estimate
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.estimates import is_unknown
from scripts.site.render.plot import Row
from scripts.site.render.words import Words, capitalise

MEMORY = "peak_pss_bytes"
CORES = "cpu_share"
KEYS = {
    "wall_s": "found_faster",
    "inside_s": "found_faster",
    MEMORY: "found_memory",
    CORES: "found_cores",
}
"""The sentence for a difference in a metric; of others it says which is more, not which is better."""
OF_LESS = ("found_faster", "found_late")
"""Sentences about what has less."""
UNITS = {"s": "s", "CPU s": "s", "bytes": "MiB"}
"""The unit of an axis, by the unit of its metric."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two rows of a chart whose intervals lie apart, by a factor at least."""

    factor: float
    larger: Row
    smaller: Row


def is_evidence(value: Estimate | None) -> bool:
    """Tell whether a title may rest on a value."""
    return value is not None and value.is_sure and value.low > 0 and not is_unknown(value)


def compare(one: Row, other: Row) -> Difference | None:
    """Compare two rows by the near ends of their intervals; ``None`` if the margin lies between."""
    if not one.value or not other.value or not all(map(is_evidence, (one.value, other.value))):
        return None
    larger, smaller = (one, other) if one.value.median > other.value.median else (other, one)
    assert larger.value
    assert smaller.value
    factor = larger.value.low / smaller.value.high
    return Difference(factor, larger, smaller) if GAIN_MARGIN <= factor < math.inf else None


def find_difference(rows: Iterable[Row], base: str = "") -> Difference | None:
    """Find the largest difference between values that stand at one place of a picture.

    Of ``base`` and another series where base has one there, otherwise of any two.
    """
    places: dict[float, list[Row]] = {}
    for row in rows:
        places.setdefault(row.x, []).append(row)
    found = []
    for own in places.values():
        bases = [row for row in own if row.series == base] or own
        found += [
            compare(one, other) for one in bases for other in own if one.series != other.series
        ]
    known = [one for one in found if one]
    return max(known, key=lambda one: one.factor, default=None)


def tell_difference(rows: Iterable[Row], words: Words, base: str = "") -> str:
    """Tell who differs most from the base, and in what; empty where nobody does for certain."""
    found = find_difference(rows, base)
    if not found:
        return ""
    larger, smaller, metric = found.larger, found.smaller, found.larger.metric
    assert larger.value
    assert smaller.value
    key = "found_late" if metric.startswith("lag_") else KEYS.get(metric, "found_reading")
    one, other = (smaller, larger) if key in OF_LESS else (larger, smaller)
    told = words.text(
        key,
        program=one.series,
        base=other.series,
        times=count_times(found.factor, words),
        metric=capitalise(name_metric(metric, words)),
        low=words.plain(_round(larger.value.low, math.floor)),
        high=words.plain(_round(smaller.value.high, math.ceil)),
    )
    if metric == "wall_s":  # the work alone may gain much more
        told = words.text("found_whole", found=told)
    return tell_where(told, larger.where, words)


def tell_pythons(ratios: Sequence[Estimate], program: str, base: str, words: Words) -> str:
    """Tell on how many Pythons a program certainly takes less time than its baseline."""
    sure = sum(is_evidence(one) and one.high <= 1 / GAIN_MARGIN for one in ratios)
    if not sure:
        return ""
    n, every = words.number(sure, 0), words.number(len(ratios), 0)
    return words.text("found_pythons", program=program, base=base, n=n, all=every)


def tell_workers(rows: Sequence[Row], words: Words) -> str:
    """Tell who gains most by the most workers over the fewest, at the most tasks."""
    tasks = max(row.x for row in rows)
    found: list[Difference] = []
    for series in dict.fromkeys(row.series for row in rows):
        own = sorted((r for r in rows if (r.series, r.x) == (series, tasks)), key=lambda r: r.y)
        difference = compare(own[0], own[-1]) if len(own) > 1 else None
        if difference and difference.smaller is own[-1]:
            found.append(difference)
    if not found:
        return ""
    most = max(found, key=lambda one: one.factor)
    told = words.text(
        "found_workers",
        program=most.smaller.series,
        tasks=words.count("tasks", int(tasks)),
        many=words.count("workers", int(most.smaller.y)),
        few=words.count("workers", int(most.larger.y)),
        times=count_times(most.factor, words),
    )
    return tell_where(told, most.smaller.where, words)


def tell_where(found: str, where: str, words: Words) -> str:
    """Add to a sentence where it was found; empty if there is none."""
    return words.text("found_on", found=found, cores=where) if found and where else found


def name_metric(metric: str, words: Words) -> str:
    """Name a metric without its unit."""
    return re.split(r", | \(", words.metric(metric))[0]


def name_metrics(metrics: Sequence[str], words: Words) -> str:
    """Name several metrics, as a title does."""
    if len(metrics) == 1:
        return capitalise(words.metric(metrics[0]))
    return capitalise(", ".join(name_metric(one, words) for one in metrics))


def name_axis(metrics: Sequence[str], words: Words) -> str:
    """Name the scale of metrics that share one: the metric and its unit, of several the unit."""
    name, unit = words.metric(metrics[0]), find_unit(metrics[0])
    if unit in UNITS:
        unit_name = words.term("unit", UNITS[unit])
        return f"{name}, {unit_name}" if len(metrics) == 1 else unit_name
    return name if len(metrics) == 1 else name.rpartition(", ")[2]


def count_times(factor: float, words: Words) -> str:
    """Write a lower bound, ``1.3 times``, and so rounded down."""
    return words.count("times", _round(factor, math.floor))


def _round(value: float, towards: Callable[[float], int]) -> float:
    """Round to two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(towards(value / step) * step, 9)
