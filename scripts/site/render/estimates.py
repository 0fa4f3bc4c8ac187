"""Estimates: values with as many digits as their intervals bear out, wherever they are told."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from markupsafe import Markup

from poolwise.metrics import find_unit
from poolwise.statistics import Estimate
from scripts.site.render.html import small
from scripts.site.render.words import MIB, SHORTEST_S, Words, choose_bytes, choose_seconds

LEAST_DIGITS, MOST_DIGITS = 2, 3  # significant ones: more than three nobody compares
LEAST_FOLD = 1.5
"""Ratios below this are told in per cent."""
LEAST_DIFFERENCE = 1.1
"""A ratio below this that may as well be 1 is told as no difference."""
ROUNDING_SHARE = 1e-9
"""The share of a value that an interval is wide by arithmetic alone."""
MOST_SHARED, LEAST_SHARED = 1000, 0.01
"""The bounds of a number in a unit: one too large takes the next unit, one too small keeps its own."""
LEAST_PRINTED = 0.1
"""Below this a number is too small for the unit in which a program printed it."""
MS_READINGS = ("waited", "late", "latest", "p50", "p95", "p99", "max", "started", "slowest")
READINGS_S: Final[Mapping[str, float]] = dict.fromkeys(MS_READINGS, 1e-3) | {"pays_from": 1e-6}
"""The seconds in what a program prints of itself and calls milliseconds or microseconds."""


def stack_estimate(estimate: Estimate, metric: str, words: Words) -> Markup:
    """Stack in a cell the median and, if it has any width, its interval."""
    median, interval = format_parts(estimate, metric, words)
    return Markup.escape(median) + small(interval)


def stack_alike(
    estimates: Sequence[Estimate | None], metrics: Sequence[str], words: Words
) -> list[Markup | None]:
    """Stack several in cells; times that were printed in one unit have as many decimals as the coarsest."""
    cells: list[Markup | None] = [None] * len(estimates)
    alike: dict[float, dict[int, Estimate]] = defaultdict(dict)
    for place, (estimate, metric) in enumerate(zip(estimates, metrics, strict=True)):
        if estimate:
            cells[place] = stack_estimate(estimate, metric, words)
            alike[READINGS_S.get(metric, 0)][place] = estimate
    alike.pop(0, None)
    for printed in alike.values():
        numbers = _align(list(printed.values()), 1, words)
        for (place, estimate), number in zip(printed.items(), numbers, strict=True):
            ends = format_parts(estimate, metrics[place], words)[1]
            cells[place] = Markup.escape(number) + small(ends)
    return cells


def format_value(value: float, metric: str, words: Words) -> str:
    """A median whose interval nobody is told."""
    return format_parts(make_point(value), metric, words)[0]


def format_together(values: Sequence[tuple[Estimate, str]], words: Words) -> list[str]:
    """Write the medians of one sentence, each with its metric: times in one unit, and so sizes."""
    read = [read_time(*value) for value in values]
    written = [format_parts(*value, words)[0] for value in read]
    alike: dict[str, list[int]] = defaultdict(list)
    for place, (_, metric) in enumerate(read):
        alike[find_unit(metric).removeprefix("CPU ")].append(place)
    for kind in ("s", "bytes"):
        places = alike[kind]
        estimates = [read[place][0] for place in places]
        medians = [estimate.median for estimate in estimates]
        printed_s = {READINGS_S.get(values[place][1], 0.0) for place in places}
        scale, name = _choose_unit(medians, kind, max(printed_s, default=0))
        for place, number in zip(places, _align(estimates, scale, words), strict=True):
            if 0 < read[place][0].median < max(LEAST_SHARED * scale, SHORTEST_S):
                continue
            written[place] = words.measure(number, name)
            if find_unit(read[place][1]) == "CPU s":
                written[place] = words.text("cpu_seconds", time=written[place])
    return written


def _choose_unit(medians: Sequence[float], kind: str, printed_s: float) -> tuple[float, str]:
    """Choose the unit of the least, unless it makes the greatest too long; or that in which it was printed."""
    choose = {"bytes": choose_bytes, "s": choose_seconds}[kind]
    least, most = min(filter(None, medians), default=0), max(medians, default=0)
    if LEAST_PRINTED * printed_s <= least and most < MOST_SHARED * printed_s:
        return printed_s, choose_seconds(printed_s)[1]
    scale, name = choose(least)
    if most >= MOST_SHARED * scale:
        scale, name = choose(most)
    return scale, name


def _align(estimates: Sequence[Estimate], scale: float, words: Words) -> list[str]:
    """Write numbers with as many decimals as the coarsest has, but no fewer than two digits."""
    scaled = [scale_estimate(estimate, scale) for estimate in estimates]
    coarsest = min((choose_decimals(value) for value in scaled if value.median), default=0)
    numbers = []
    for value in scaled:
        decimals = 0
        if value.median:
            decimals = max(coarsest, choose_decimals(make_point(value.median)))
        numbers.append(words.number(value.median, decimals))
    return numbers


def read_time(estimate: Estimate, metric: str) -> tuple[Estimate, str]:
    """Read a time that a program printed as a time in seconds, with a metric that is one."""
    if metric not in READINGS_S:
        return estimate, metric
    return scale_estimate(estimate, 1 / READINGS_S[metric]), "inside_s"


def make_point(value: float) -> Estimate:
    """A value without interval."""
    return Estimate(median=value, low=value, high=value)


def format_ratio(ratio: Estimate, words: Words) -> tuple[str, str]:
    """``×1.9`` and the ends of its interval, empty if that has no width."""
    median, ends = _write(ratio, 1, words)
    return f"×{median}", ends


def tell_ratio(ratio: Estimate, words: Words) -> str:
    """Tell a ratio in a line of text: ``×1.9 (1.7–2.1)``."""
    median, ends = format_ratio(ratio, words)
    return f"{median} ({ends})" if ends else median


def tell_difference(
    ratio: Estimate, way: str, words: Words, *, is_fold: bool = False
) -> tuple[str, str]:
    """Tell a ratio of 1 or more as ``1.9 times as fast`` or ``17% faster``, and the ends of its interval.

    It is in per cent where it is small and its interval does not reach below 1, but not with ``is_fold``.
    """
    decimals = choose_decimals(ratio)
    factor, ends = format_ratio(ratio, words)
    if math.isinf(ratio.median):
        return factor, ends
    may_be_one = ratio.low < 1 and ratio.median < LEAST_DIFFERENCE
    if round(ratio.median, decimals) == 1 or may_be_one:
        return words.text("fold_same"), ends if ratio.is_unknown or not ends else f"×{ends}"
    if is_fold or ratio.median >= LEAST_FOLD or ratio.low < 1 or ratio.is_unknown:
        if way == "less":
            return words.fold(ratio.median, decimals, way=way), ends
        return words.text(f"fold_{way}", fold=words.fold(ratio.median, decimals)), ends
    low, middle, high = (
        100 * (1 - 1 / end if way == "less" else end - 1)
        for end in (ratio.low, ratio.median, ratio.high)
    )
    decimals = choose_decimals(Estimate(median=middle, low=low, high=high))
    least, percent, most = (words.number(end, decimals) for end in (low, middle, high))
    sign = words.percent(0).removeprefix("0")  # with the space of the language
    ends = "" if least == most else f"{least}–{most}{sign}"
    return words.text(f"percent_{way}", percent=percent + sign), ends


def format_parts(estimate: Estimate, metric: str, words: Words) -> tuple[str, str]:
    """A median in the unit of a metric, and both ends of its interval without it.

    The ends are empty where they read the same: an interval that shows no width says nothing.
    """
    unit = find_unit(metric)
    scale: float
    match unit:
        case "times" if estimate.is_point and float(estimate.median).is_integer():  # a count, exact
            return words.plain(estimate.median), ""
        case "times" if metric not in READINGS_S:  # a count, of which several sessions have a mean
            decimals = min(choose_decimals(estimate), 0)
            low, high = (words.number(end, decimals) for end in (estimate.low, estimate.high))
            return words.number(estimate.median, decimals), _join_ends(low, high, estimate, words)
        case "times":
            return _write(estimate, 1, words)
        case "cores":
            low, high = (words.number(100 * end, 0) for end in (estimate.low, estimate.high))
            return words.percent(estimate.median), _join_ends(low, high, estimate, words)
        case "bytes":
            scale, name = choose_bytes(estimate.median)
        case _:
            scale, name = choose_seconds(estimate.median)
    median, ends = _write(estimate, scale, words)
    median = words.measure(median, name)
    return words.text("cpu_seconds", time=median) if unit == "CPU s" else median, ends


def scale_estimate(estimate: Estimate, unit: float) -> Estimate:
    """The same in a larger unit."""
    median, low, high = (end / unit for end in (estimate.median, estimate.low, estimate.high))
    return replace(estimate, median=median, low=low, high=high)


def scale_to_axis(estimate: Estimate, metric: str) -> Estimate:
    """The same in the unit of an axis: memory is in mebibytes there."""
    return scale_estimate(estimate, MIB) if find_unit(metric) == "bytes" else estimate


def choose_decimals(estimate: Estimate) -> int:
    """Choose decimals down to the first digit that the interval leaves uncertain, two or three digits.

    Of three-digit numbers it may be negative: ``-1`` leaves tens.
    """
    magnitude = math.floor(math.log10(estimate.median)) if 0 < estimate.median < math.inf else 0
    least, most = LEAST_DIGITS - 1 - magnitude, MOST_DIGITS - 1 - magnitude
    half = (estimate.high - estimate.low) / 2
    if not estimate.median * ROUNDING_SHARE < half < math.inf:
        return least
    return min(max(least, -math.floor(math.log10(half))), most)


def _write(estimate: Estimate, scale: float, words: Words) -> tuple[str, str]:
    """The numbers alone, divided by ``scale``; an end that is not nought does not read as nought."""
    scaled = scale_estimate(estimate, scale)
    decimals, low = choose_decimals(scaled), scaled.low
    visible = max(decimals, -math.floor(math.log10(low))) if 0 < low < math.inf else decimals
    least, most = words.number(low, visible), words.number(scaled.high, decimals)
    return words.number(scaled.median, decimals), _join_ends(least, most, estimate, words)


def _join_ends(least: str, most: str, estimate: Estimate, words: Words) -> str:
    if estimate.is_unknown:
        return words.text("interval_unknown")
    return "" if least == most else f"{least}–{most}"
