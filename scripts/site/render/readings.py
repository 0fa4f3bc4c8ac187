"""Readings: what programs counted of themselves, and what one more unit costs."""

from collections.abc import Sequence
from itertools import product
from statistics import median

from markupsafe import Markup

from scripts.harness.statistics import Estimate
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows, order_releases, select_family
from scripts.site.render.estimates import stack_estimate
from scripts.site.render.html import Row, code, link_program, prose, small, table
from scripts.site.render.names import group_methods, link_title, name_family, tell_sizes
from scripts.site.render.plot import show_nothing
from scripts.site.render.words import Words

MADE = "made"
"""The reading that counts the units."""
MEMORY = "peak_pss_bytes"
MOST_US, MOST_EXACT = 1000, 9.95  # from there on in milliseconds; without decimals


def show_readings(
    evidence: Evidence, words: Words, family: str, reading: str, sentence: str = ""
) -> Markup:
    """Show a row for each Python, a column for each program that prints the reading: its median.

    It is that of most cores and most tasks; the oldest Python comes first. ``sentence`` is that of
    the claim which it shows.
    """
    found = _choose_read(evidence.rows.where(family=family), reading)
    printed = found.by("program")
    programs = [one.name for one in evidence.experiment.programs if one.name in printed]
    cells = found.pivot(["interpreter"], ["program"], Rows.find_largest)
    rows = []
    for python in order_releases(evidence.interpreters):
        if own := cells.get(python.id):
            gil = words.term("where", f"gil {python.gil}")
            medians = [_show_median(own.get(name), reading, words) for name in programs]
            rows.append((python.name + small(gil), *medians))
    head = ["Python", *(link_title(evidence, name, words) for name in programs)]
    caption = _tell_caption(evidence, words, [family], [reading], found.most("cores", "tasks"))
    return table(words, f"{sentence} {caption}".lstrip(), head, rows, kind="sizes")


def show_several(
    evidence: Evidence,
    words: Words,
    families: Sequence[str],
    readings: Sequence[str],
    sentence: str = "",
) -> Markup:
    """Show a row for each program and number of workers, a column for each reading: its median.

    Of several families each has its columns. It is of the most cores and most tasks of each, on the
    first Python that ran any of them.
    """
    rows: list[Judgement] = []
    for family in families:
        members = evidence.rows.where(family=family).first_python(evidence.interpreters)
        rows += _choose_read(members.largest(), readings[0]).most("cores", "tasks")
    if not rows:
        return show_nothing(words)
    order = {one.name: place for place, one in enumerate(evidence.experiment.programs)}
    found = Rows(sorted(rows, key=lambda row: (order.get(row.program, -1), row.workers)))
    shown = []
    for own in found.pivot(["program", "start_method", "workers"], ["family"]).values():
        row = next(iter(own.values()))
        name = link_title(evidence, row.program, words, tell_sizes(row, found, words))
        columns = product(map(own.get, families), readings)
        shown.append((name, *(_show_median(one, reading, words) for one, reading in columns)))
    titles = [name_family(evidence, one, words) for one in families]
    heads = titles if len(titles) > 1 else list(map(words.metric, readings))
    caption = _tell_caption(evidence, words, families, readings, found)
    return table(
        words,
        f"{sentence} {caption}".lstrip(),
        [words.text("program"), *heads],
        shown,
        kind="sizes",
    )


def _choose_read(rows: Rows, reading: str) -> Rows:
    return Rows(row for row in rows.measured if row.record.list_values(reading))


def _tell_caption(
    evidence: Evidence,
    words: Words,
    families: Sequence[str],
    readings: Sequence[str],
    found: Rows,
) -> str:
    return words.text(
        "readings_caption",
        family=", ".join(name_family(evidence, one, words) for one in families),
        reading=", ".join(map(words.metric, readings)),
        tasks=words.count("tasks", max(found.values("tasks"), default=0)),
    )


def _show_median(row: Judgement | None, reading: str, words: Words) -> Markup | None:
    """Show the median between the least and the greatest.

    Of counts that have a most, an interval might exceed it.
    """
    values = row.record.list_values(reading) if row else []
    if not values:
        return None
    estimate = Estimate(median=median(values), low=min(values), high=max(values))
    return stack_estimate(estimate, reading, words)


def show_costs(evidence: Evidence, words: Words, family: str) -> Markup:
    """Show a row per program: how many units it made when asked for most, at what price for each.

    The price is the slope between the fewest and the most units made: what the interpreter itself
    takes is in both and so in neither. Where more units took less, there is none: the difference
    is noise.
    """
    made = [row for row in select_family(evidence, family) if row.median(MADE) is not None]
    groups = group_methods(evidence, made, words)
    rows = [_list_costs(name, Rows(found), words) for name, found in groups.items()]
    head = words.texts("program", "asked", "made", "each_time", "each_memory", "printed")
    return table(words, name_family(evidence, family, words), head, rows, kind="costs")


def _list_costs(name: str, members: Rows, words: Words) -> Row:
    ordered = sorted(members, key=lambda row: row.tasks)
    least, most = ordered[0], ordered[-1]
    made = most.median(MADE) or 0.0
    more = made - (least.median(MADE) or 0.0)
    time_s = _find_price(least.median("inside_s"), most.median("inside_s"), more)
    memory_bytes = _find_price(least.median(MEMORY), most.median(MEMORY), more)
    return (
        link_program(most.program, name),
        words.number(most.tasks, 0),
        words.number(made, 0),
        None if time_s is None else _format_cost(time_s, words),
        None if memory_bytes is None else words.memory(memory_bytes),
        prose(code(most.record.printed)),
    )


def _find_price(least: float | None, most: float | None, more: float) -> float | None:
    """Find what each of ``more`` units took; ``None`` where that cannot be told."""
    if least is None or most is None or more <= 0 or most < least:
        return None
    return (most - least) / more


def _format_cost(seconds: float, words: Words) -> str:
    """Tell a time for one unit in microseconds, from a thousand on in milliseconds."""
    value, unit = seconds * 1e6, "µs"
    if value >= MOST_US:
        value, unit = value / 1000, "ms"
    return words.measure(words.number(value, 1 if value < MOST_EXACT else 0), unit)
