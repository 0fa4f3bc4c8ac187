"""Costs: what one more unit costs, and how many there can be."""

from collections.abc import Sequence
from html import escape
from statistics import median

from scripts.judge.judgement import Judgement
from scripts.pipeline import Evidence
from scripts.render.drawing import name_family, name_method, select_judgements
from scripts.render.html import body, cell, column, program_anchor, row_header, table
from scripts.render.words import Words

LARGEST, EXACT = 1000, 9.95


def show_costs(evidence: Evidence, family: str, reading: str, words: Words) -> str:
    """A row per program: how many units it made when asked for most, at what price for each.

    The price is the slope between the fewest and the most units made: what the interpreter itself
    takes is in both and so in neither.

    Args:
        evidence: of one experiment.
        family: whose programs make units.
        reading: what tells how many were made.
        words: of the page's language.
    """
    rows = [
        _show_row(evidence, members, reading, words)
        for members in _list_programs(evidence, family, reading)
    ]
    head = [
        column(words.text("program")),
        column(words.text("asked")),
        column(words.text("made")),
        column(words.text("each_time")),
        column(words.text("each_memory")),
        column(words.text("printed")),
    ]
    caption = escape(name_family(evidence, family, words))
    return table(words, caption, head, [body(rows)], kind="costs")


def _list_programs(evidence: Evidence, family: str, reading: str) -> list[list[Judgement]]:
    """The measured judgements with the reading, by program and start method, fewest tasks first."""
    groups: dict[str, list[Judgement]] = {}
    for judgement in select_judgements(evidence, family):
        if judgement.wall_s and any(reading in one.readings for one in judgement.record.timed):
            name = name_method(evidence, judgement.record.variant)
            groups.setdefault(name, []).append(judgement)
    return [
        sorted(members, key=lambda one: one.record.variant.tasks) for members in groups.values()
    ]


def _show_row(evidence: Evidence, members: Sequence[Judgement], reading: str, words: Words) -> str:
    least, most = members[0], members[-1]
    made = _count(most, reading)
    more = made - _count(least, reading)
    time_s = memory_bytes = None
    if more > 0 and least.inside_s and most.inside_s:
        time_s = (most.inside_s.median - least.inside_s.median) / more
    if more > 0 and least.peak_pss_bytes and most.peak_pss_bytes:
        memory_bytes = (most.peak_pss_bytes.median - least.peak_pss_bytes.median) / more
    variant = most.record.variant
    name = escape(name_method(evidence, variant))
    return (
        row_header(f'<a href="#{program_anchor(variant.program)}">{name}</a>')
        + cell(words.number(variant.tasks, 0))
        + cell(words.number(made, 0))
        + cell("—" if time_s is None else _write_cost(time_s, words))
        + cell("—" if memory_bytes is None else words.memory(max(0, memory_bytes)))
        + cell(f"<code>{escape(most.record.printed)}</code>", kind="prose")
    )


def _count(judgement: Judgement, reading: str) -> float:
    return median(
        trial.readings[reading] for trial in judgement.record.timed if reading in trial.readings
    )


def _write_cost(seconds: float, words: Words) -> str:
    """A time for one unit, in microseconds, or from one on in milliseconds."""
    value, unit = max(0.0, seconds) * 1e6, "µs"
    if value >= LARGEST:
        value, unit = value / 1000, "ms"
    number = words.number(value, 1 if value < EXACT else 0)
    return f"{number}\N{NO-BREAK SPACE}{words.term('unit', unit)}"
