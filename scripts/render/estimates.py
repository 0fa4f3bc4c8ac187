"""Estimates: a median with its interval, in a line of text or in a cell of a table."""

import math

from markupsafe import Markup

from scripts.declare.metrics import METRICS
from scripts.judge.statistics import Estimate
from scripts.render.html import small
from scripts.render.words import Words, choose_decimals


def format_estimate(estimate: Estimate, metric: str, words: Words) -> str:
    """In a line of text: the median and, if it is not of one trial, its interval."""
    median, interval = _format_parts(estimate, metric, words)
    return median if estimate.is_point else f"{median} ({interval})"


def stack_estimate(estimate: Estimate, metric: str, words: Words) -> Markup:
    """In a cell of a table: the median, and below it, if there is one, its interval."""
    median, interval = _format_parts(estimate, metric, words)
    return Markup.escape(median) + small("" if estimate.is_point else interval)


def _format_parts(estimate: Estimate, metric: str, words: Words) -> tuple[str, str]:
    """A median and both ends of its interval, in the unit of a metric; of a reading, numbers."""
    if metric not in METRICS or METRICS[metric].unit != "s":
        ends = (words.value(metric, end) for end in (estimate.low, estimate.high))
        return words.value(metric, estimate.median), "–".join(dict.fromkeys(ends))
    # Milliseconds need more decimals than the tables of whole programs have.
    magnitude = math.floor(math.log10(estimate.median)) if estimate.median > 0 else 0
    decimals = max(choose_decimals(estimate), 1 - magnitude)
    low, high = (words.number(value, decimals) for value in (estimate.low, estimate.high))
    return words.seconds(estimate.median, decimals), f"{low}–{high}"
