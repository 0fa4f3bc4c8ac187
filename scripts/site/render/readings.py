"""Readings: what programs counted of themselves, on every interpreter."""

from collections.abc import Sequence
from statistics import median

from markupsafe import Markup

from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import order_releases
from scripts.site.judge.selection import (
    choose_end,
    choose_interpreter,
    choose_largest,
    find_largest,
    select_cells,
    select_measured,
)
from scripts.site.judge.statistics import Estimate
from scripts.site.render.estimates import stack_estimate
from scripts.site.render.html import Row, link_program, small, table
from scripts.site.render.names import name_family
from scripts.site.render.words import Words


def show_readings(evidence: Evidence, words: Words, family: str, reading: str) -> Markup:
    """A row for each interpreter, a column for each program that prints the reading: its median.

    It is that of most cores and most tasks; the oldest Python comes first.
    """
    found = _select_read(select_cells(evidence.judgements, family=family), reading)
    printed = {one.record.variant.program for one in found}
    programs = [one.name for one in evidence.experiment.programs if one.name in printed]
    rows = []
    for interpreter in order_releases(evidence.interpreters):
        members = select_cells(found, interpreter=interpreter.id)
        largest = (find_largest(select_cells(members, program=name)) for name in programs)
        if members:
            gil = words.term("where", f"gil {interpreter.gil}")
            cells = [_show_median(one, reading, words) for one in largest]
            rows.append((interpreter.name + small(gil), *cells))
    head = ["Python", *map(link_program, programs)]
    one = find_largest(found)
    return _show_table(evidence, words, family, [reading], [one] if one else [], head, rows)


def show_several(evidence: Evidence, words: Words, family: str, readings: Sequence[str]) -> Markup:
    """A row for each program and number of workers, a column for each reading: its median.

    It is of the most cores and most tasks, on the first interpreter that ran any of them.
    """
    members = choose_interpreter(evidence, select_cells(evidence.judgements, family=family))
    found = choose_end(_select_read(choose_largest(members), readings[0]), "cores")
    several = len({one.record.variant.workers for one in found}) > 1
    rows = [
        (
            link_program(one.record.variant.program)
            + small(words.count("workers", one.record.variant.workers) if several else ""),
            *(_show_median(one, reading, words) for reading in readings),
        )
        for one in found
    ]
    head = [words.text("program"), *map(words.metric, readings)]
    return _show_table(evidence, words, family, readings, found, head, rows)


def _select_read(judgements: Sequence[Judgement], reading: str) -> list[Judgement]:
    return [one for one in select_measured(judgements) if one.record.list_values(reading)]


def _show_table(
    evidence: Evidence,
    words: Words,
    family: str,
    readings: Sequence[str],
    found: Sequence[Judgement],
    head: Sequence[str],
    rows: Sequence[Row],
) -> Markup:
    """``found`` has what the caption tells the most tasks of."""
    caption = words.text(
        "readings_caption",
        family=name_family(evidence, family, words),
        reading=", ".join(map(words.metric, readings)),
        tasks=words.count("tasks", max((one.record.variant.tasks for one in found), default=0)),
    )
    return table(words, caption, head, rows, kind="sizes")


def _show_median(one: Judgement | None, reading: str, words: Words) -> Markup | None:
    """The median, and the least and the greatest: of counts with a most, an interval may exceed it."""
    values = one.record.list_values(reading) if one else []
    if not values:
        return None
    estimate = Estimate(median=median(values), low=min(values), high=max(values))
    return stack_estimate(estimate, reading, words)
