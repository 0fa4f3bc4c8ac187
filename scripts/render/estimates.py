"""Estimates: a median with its interval, in a line of text or in a cell of a table."""

import math
import re

from markupsafe import Markup

from scripts.declare.metrics import METRICS
from scripts.judge.statistics import Estimate
from scripts.render.html import small
from scripts.render.words import Words, choose_decimals

_UNIT = re.compile(r"\D+$")


def format_estimate(estimate: Estimate, metric: str, words: Words) -> str:
    """In a line of text: the median and, if it has any width, its interval."""
    median, interval = _format_parts(estimate, metric, words)
    return f"{median} ({interval})" if interval else median


def stack_estimate(estimate: Estimate, metric: str, words: Words) -> Markup:
    """In a cell of a table: the median, and below it, if it has any width, its interval."""
    median, interval = _format_parts(estimate, metric, words)
    return Markup.escape(median) + small(interval)


def format_ratio(ratio: Estimate, words: Words) -> tuple[str, str]:
    """``×1.93`` and the ends of its interval, empty if that has no width."""
    low, high = (words.ratio(end).lstrip("×") for end in (ratio.low, ratio.high))
    return words.ratio(ratio.median), format_ends(low, high)


def format_ends(low: str, high: str) -> str:
    """Two values of one metric as an interval: a unit that they share is said once.

    Empty if they read the same: an interval that shows no width says nothing.
    """
    unit = _UNIT.search(high)
    return "" if low == high else f"{low.removesuffix(unit[0]) if unit else low}–{high}"


def _format_parts(estimate: Estimate, metric: str, words: Words) -> tuple[str, str]:
    """A median and both ends of its interval, in the unit of a metric; of a reading, numbers."""
    if metric not in METRICS or METRICS[metric].unit != "s":
        low, high = (words.value(metric, end) for end in (estimate.low, estimate.high))
        return words.value(metric, estimate.median), format_ends(low, high)
    # Milliseconds need more decimals than the tables of whole programs have.
    magnitude = math.floor(math.log10(estimate.median)) if estimate.median > 0 else 0
    decimals = max(choose_decimals(estimate), 1 - magnitude)
    low, high = (words.number(value, decimals) for value in (estimate.low, estimate.high))
    return words.seconds(estimate.median, decimals), format_ends(low, high)
