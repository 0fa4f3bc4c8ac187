"""Costs: what one more unit costs, and how many there can be."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import select_family
from scripts.render.html import cell, code, link_program, row_header, table
from scripts.render.names import name_family, name_method
from scripts.render.words import Words

MADE = "made"
"""The reading that counts the units."""
LARGEST, EXACT = 1000, 9.95


def show_costs(evidence: Evidence, words: Words, family: str) -> Markup:
    """A row per program: how many units it made when asked for most, at what price for each.

    The price is the slope between the fewest and the most units made: what the interpreter itself
    takes is in both and so in neither. Where more units took less, there is none: the difference
    is noise.
    """
    rows = [_show_row(evidence, found, words) for found in _list_programs(evidence, family)]
    head = words.texts("program", "asked", "made", "each_time", "each_memory", "printed")
    caption = name_family(evidence, family, words)
    return table(words, caption, head, rows, kind="costs")


def _list_programs(evidence: Evidence, family: str) -> list[list[Judgement]]:
    """The measured judgements with the reading, by program and start method, fewest tasks first."""
    groups: dict[str, list[Judgement]] = {}
    for judgement in select_family(evidence, family):
        if judgement.median(MADE) is not None:
            name = name_method(evidence, judgement.record.variant)
            groups.setdefault(name, []).append(judgement)
    return [
        sorted(members, key=lambda one: one.record.variant.tasks) for members in groups.values()
    ]


def _show_row(evidence: Evidence, members: Sequence[Judgement], words: Words) -> Markup:
    least, most = members[0], members[-1]
    made = most.median(MADE) or 0.0
    more = made - (least.median(MADE) or 0.0)
    time_s = _find_price(least.median("inside_s"), most.median("inside_s"), more)
    memory_bytes = _find_price(least.median("peak_pss_bytes"), most.median("peak_pss_bytes"), more)
    variant = most.record.variant
    return (
        row_header(link_program(variant.program, name_method(evidence, variant)))
        + cell(words.number(variant.tasks, 0))
        + cell(words.number(made, 0))
        + cell("—" if time_s is None else _format_cost(time_s, words))
        + cell("—" if memory_bytes is None else words.memory(memory_bytes))
        + cell(code(most.record.printed), kind="prose")
    )


def _find_price(least: float | None, most: float | None, more: float) -> float | None:
    """What each of ``more`` units took; ``None`` where that cannot be told."""
    if least is None or most is None or more <= 0 or most < least:
        return None
    return (most - least) / more


def _format_cost(seconds: float, words: Words) -> str:
    """A time for one unit, in microseconds, or from one on in milliseconds."""
    value, unit = seconds * 1e6, "µs"
    if value >= LARGEST:
        value, unit = value / 1000, "ms"
    number = words.number(value, 1 if value < EXACT else 0)
    return f"{number}\N{NO-BREAK SPACE}{words.term('unit', unit)}"
