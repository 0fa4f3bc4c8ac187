"""What is seen in a chart without a claim: the sentence that is its title, made of what is drawn."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from poolwise.metrics import find_unit
from scripts.site.render.estimates import format_together, scale_estimate
from scripts.site.render.plot import NO_FINDING, Finding, Row, group
from scripts.site.render.words import MIB, Words, capitalise

RANKED = {"s": "seen_time", "bytes": "seen_bytes"}  # by the unit of a metric; others have a range


def see(rows: Sequence[Row], words: Words, place: str = "") -> Finding:
    """Tell the least and the most of rows, one a series, at a ``place`` such as ``1,600 tasks``.

    The order is told where the intervals of both ends lie apart from all others, and no difference
    where those of the ends overlap. Of what rests on one trial it is the range, which is drawn.
    """
    known = sorted(rows, key=lambda row: row.values[0])
    if len(known) < 2:
        return NO_FINDING
    first, last = known[0], known[-1]
    is_sure = all(row.value and row.value.is_sure and not row.value.is_unknown for row in known)
    key = "seen_range"
    if is_sure and not _is_below(first, last):
        key = "seen_alike"
    elif is_sure and _is_below(*known[:2]) and _is_below(*known[-2:]):
        key = RANKED.get(find_unit(first.metric), key)
    values = [row.value for row in (first, last) if row.value]
    if find_unit(first.metric) == "bytes":
        values = [scale_estimate(value, 1 / MIB) for value in values]
    low, high = format_together([(value, first.metric) for value in values], words)
    metric = words.metric(first.metric).partition(" (")[0]
    if place and key not in RANKED.values():
        metric, place = f"{metric}, {place}", ""
    names = {"first": first.series, "last": last.series}
    sentence = capitalise(words.text(key, low=low, high=high, metric=metric, **names))
    if place:
        sentence = f"{place}. {sentence}"
    return Finding(sentence=sentence)


def see_lines(rows: Sequence[Row], words: Words) -> Finding:
    """Tell the least and the most at the largest number of tasks that two series have."""
    counts = Counter(row.x for row in rows)
    largest = max(counts, key=lambda x: (counts[x] > 1, x), default=0)
    return see([row for row in rows if row.x == largest], words, words.count("tasks", largest))


def see_waits(rows: Sequence[Row], words: Words) -> Finding:
    """Tell that all gain more by waiting longer, where they do; not by how much, as others keep other limits."""
    for line in group(rows).values():
        gains = [row.values[0] for row in sorted(line, key=lambda row: row.x)]
        if len(gains) < 2 or any(a >= b for a, b in pairwise(gains)):
            return NO_FINDING
    return Finding(sentence=words.text("seen_waits"))


def _is_below(row: Row, other: Row) -> bool:
    """Tell whether the whole interval of a row lies below that of another."""
    return bool(row.value and other.value and row.value.high < other.value.low)
