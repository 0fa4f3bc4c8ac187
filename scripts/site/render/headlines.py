"""Headlines: what a chart found, as a sentence that says no more than the intervals allow.

Each names the near end of a 98.42 % interval, which the truth lies beyond in fewer than 1 % of cases;
where the best of several programs is named, in as many times more at most as there are programs.
Where no interval is clear of the gain margin of the verdicts, the sentence says that nothing is
certain; where there is nothing to compare it is empty, and a chart's title names the quantity.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from scripts.harness.metrics import METRICS
from scripts.harness.record import Variant
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.statistics import Estimate, estimate_median, estimate_ratio
from scripts.site.judge.usage import Quantity
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.names import name_method, name_place
from scripts.site.render.words import Words

MEMORY = "peak_pss_bytes"
LATE = "lag_max_s"
ONE_CORE = 1.15
"""Cores that what runs one thread at a time may be measured to keep busy."""

Panel = Mapping[tuple[int, int], Judgement]
"""What was measured of a program, by tasks and workers."""
Trials = Mapping[str, Sequence[float]]
"""What each program gave, trial by trial, by the name that the chart gives it."""


def tell_difference(trials: Trials, metric: str, words: Words, base: str = "") -> str:
    """The program that differs most from ``base``: faster, less late, or with more memory.

    Without a base the slowest is one, or of memory that which takes least; and of a reading, of which
    nobody knows what is better. Of the whole time it says so: work alone may gain much more.
    """
    found = _tell_difference(trials, metric, words, base)
    return words.text("found_whole", found=found) if found and metric == "wall_s" else found


def _tell_difference(trials: Trials, metric: str, words: Words, base: str) -> str:
    usable = {name: own for name, own in trials.items() if own and min(own) > 0}
    if len(usable) < 2 or (base and base not in usable):
        return ""
    of_amount = metric == MEMORY or metric not in METRICS
    ordered = sorted(usable, key=lambda name: estimate_median(usable[name]).median)
    base = base or ordered[0 if of_amount else -1]
    ratios = {
        name: estimate_ratio(*((own, usable[base]) if of_amount else (usable[base], own)))
        for name, own in usable.items()
        if name != base
    }
    sure = {name: ratio for name, ratio in ratios.items() if ratio.is_sure}
    best = max(sure, key=lambda name: sure[name].low, default="")
    if best and sure[best].low >= GAIN_MARGIN:
        return _tell_factor(metric, best, base, sure[best].low, words)
    none = len(sure) == len(ratios) and all(one.high < GAIN_MARGIN for one in ratios.values())
    if none and metric not in (MEMORY, LATE):
        return words.text("found_no_gain", base=base, margin=words.percent(GAIN_MARGIN - 1))
    worst = min(sure, key=lambda name: sure[name].high, default="")
    if worst and sure[worst].high <= 1 / GAIN_MARGIN:
        return _tell_factor(metric, base, worst, 1 / sure[worst].high, words)
    return words.text("found_unsure", base=base, margin=words.percent(GAIN_MARGIN - 1))


def _tell_factor(metric: str, program: str, base: str, factor: float, words: Words) -> str:
    known = {MEMORY: "found_memory", LATE: "found_late"}
    key = known.get(metric, "found_faster") if metric in METRICS else "found_reading"
    places = {"program": program, "base": base, "times": count_times(factor, words)}
    name = re.split(r", | \(", words.metric(metric))[0]  # without its unit
    return words.text(key, **places, metric=name)


def tell_cores(trials: Trials, words: Words) -> str:
    """Who keeps how many cores busy, ``trials`` being how many that were."""
    shares = {name: estimate_median(own) for name, own in trials.items() if own}
    sure = {name: share for name, share in shares.items() if share.is_sure}
    if not sure or len(sure) < len(trials):
        return ""
    most = max(sure, key=lambda name: sure[name].low)
    least = min(sure, key=lambda name: sure[name].high)
    if sure[most].low >= GAIN_MARGIN * sure[least].high:
        low, high = _write(sure[most].low, words), _write(sure[least].high, words, up=True)
        return words.text("found_cores", program=most, low=low, base=least, high=high)
    highest = max(share.high for share in sure.values())
    if highest <= ONE_CORE:
        return words.text("found_one_core", n=_write(highest, words, up=True))
    return ""


def tell_pythons(speedups: Mapping[str, Estimate], program: str, base: str, words: Words) -> str:
    """On how many Pythons a program is faster, and on how many that is open."""
    sure = [one for one in speedups.values() if one.is_sure]
    gains = sum(one.low >= GAIN_MARGIN for one in sure)
    left = len(speedups) - gains - sum(one.high < GAIN_MARGIN for one in sure)
    counts = {"n": gains, "all": len(speedups), "open": left}
    places = {name: words.number(count, 0) for name, count in counts.items()}
    if left == len(speedups):
        return words.text("found_unsure", base=base, margin=words.percent(GAIN_MARGIN - 1))
    key = "found_pythons_open" if left else "found_pythons"
    return words.text(key, program=program, base=base, **places)


def tell_workers(panels: Collection[Panel], evidence: Evidence, words: Words) -> str:
    """What every program gains at least, at the most tasks, with the most workers over the fewest.

    One with one number of workers alone does not count; all others have the same fewest and most.
    """
    tasks = max(size for panel in panels for size, _ in panel)
    rows = [
        {workers: one for (size, workers), one in panel.items() if size == tasks}
        for panel in panels
    ]
    varied = [row for row in rows if len(row) > 1]
    if len({(min(row), max(row)) for row in varied}) != 1:
        return ""
    few, many = min(varied[0]), max(varied[0])
    ratios = [
        estimate_ratio(*(row[size].sample("inside_s") for size in (few, many))) for row in varied
    ]
    least = min(one.low for one in ratios)
    if not 0 < least < math.inf:
        return ""
    is_sure = least >= GAIN_MARGIN and all(one.is_sure for one in ratios)
    found = words.text(
        "found_workers" if is_sure else "found_workers_open",
        tasks=words.count("tasks", tasks),
        many=words.count("workers", many),
        few=words.count("workers", few),
        times=count_times(least, words),
    )
    return tell_place(found, evidence, varied[0][few].record.variant, words)


def tell_use(evidence: Evidence, variants: Sequence[Variant], of: Quantity, words: Words) -> str:
    """Which of the variants takes most memory, or most cores, by all their trials."""
    metric = MEMORY if of == "memory" else "cpu_share"
    judged = {one.record.variant: one for one in evidence.judgements}
    trials = {name_method(evidence, one): judged[one].sample(metric) for one in variants}
    found = tell_difference(trials, metric, words) if of == "memory" else tell_cores(trials, words)
    return tell_place(found, evidence, variants[0], words)


def tell_place(found: str, evidence: Evidence, variant: Variant, words: Words) -> str:
    """The sentence with where it was found; empty if there is none."""
    if not found:
        return ""
    return words.text("found_on", found=found, cores=name_place(evidence, variant, words))


def count_times(factor: float, words: Words) -> str:
    """``1.3 times``: a lower bound, and so rounded down."""
    return words.count("times", _round(factor, math.floor))


def _write(value: float, words: Words, *, up: bool = False) -> str:
    return words.plain(_round(value, math.ceil if up else math.floor))


def _round(value: float, towards: Callable[[float], int]) -> float:
    """To two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(towards(value / step) * step, 9)
