"""Estimates: values with as many digits as their intervals bear out, wherever they are told."""

import math
from dataclasses import replace

from markupsafe import Markup

from poolwise.metrics import find_unit
from poolwise.statistics import Estimate
from scripts.site.render.html import small
from scripts.site.render.words import MIB, Words, choose_bytes, choose_seconds

LEAST_DIGITS, MOST_DIGITS = 2, 3  # significant ones: more than three nobody compares
LEAST_FOLD = 1.5
"""Ratios below this are told in per cent."""
LEAST_DIFFERENCE = 1.1
"""A ratio below this that may as well be 1 is told as no difference."""
ROUNDING_SHARE = 1e-9
"""The share of a value that an interval is wide by arithmetic alone."""


def format_estimate(estimate: Estimate, metric: str, words: Words) -> str:
    """Tell in a line of text the median and, if it has any width, its interval."""
    median, interval = format_parts(estimate, metric, words)
    return f"{median} ({interval})" if interval else median


def stack_estimate(estimate: Estimate, metric: str, words: Words) -> Markup:
    """Stack in a cell the median and, if it has any width, its interval."""
    median, interval = format_parts(estimate, metric, words)
    return Markup.escape(median) + small(interval)


def format_value(value: float, metric: str, words: Words) -> str:
    """A median whose interval nobody is told."""
    return format_parts(make_point(value), metric, words)[0]


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


def tell_difference(ratio: Estimate, way: str, words: Words) -> tuple[str, str]:
    """Tell a ratio of 1 or more as ``1.9 times as fast`` or ``17% faster``, and the ends of its interval.

    It is in per cent where it is small and its interval does not reach below 1.
    """
    decimals = choose_decimals(ratio)
    factor, ends = format_ratio(ratio, words)
    if math.isinf(ratio.median):
        return factor, ends
    may_be_one = ratio.low < 1 and ratio.median < LEAST_DIFFERENCE
    if round(ratio.median, decimals) == 1 or may_be_one:
        return words.text("fold_same"), ends if ratio.is_unknown or not ends else f"×{ends}"
    if ratio.median >= LEAST_FOLD or ratio.low < 1 or ratio.is_unknown:
        form = "factor" if way == "less" else "times"
        return words.text(f"fold_{way}", times=words.count(form, ratio.median, decimals)), ends
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
        case "times" if (2 * estimate.median).is_integer():  # a count, or the middle of two
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
