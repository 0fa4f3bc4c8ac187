"""Readings: what programs counted of themselves, on every interpreter."""

from collections.abc import Sequence
from statistics import median

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.releases import order_releases
from scripts.judge.selection import (
    choose_end,
    choose_interpreter,
    choose_largest,
    find_largest,
    select_cells,
    select_measured,
)
from scripts.judge.statistics import Estimate
from scripts.render.estimates import stack_estimate
from scripts.render.html import cell, join, link_program, row_header, small, table
from scripts.render.names import name_family
from scripts.render.words import Words


def show_readings(evidence: Evidence, words: Words, family: str, reading: str) -> Markup:
    """A row for each interpreter, a column for each program that prints the reading: its median.

    It is that of most cores and most tasks; the oldest Python comes first.
    """
    found = [
        one
        for one in select_measured(select_cells(evidence.judgements, family=family))
        if one.record.list_values(reading)
    ]
    printed = {one.record.variant.program for one in found}
    programs = [one.name for one in evidence.experiment.programs if one.name in printed]
    rows = []
    for interpreter in order_releases(evidence.interpreters):
        members = select_cells(found, interpreter=interpreter.id)
        if members:
            gil = words.term("where", f"gil {interpreter.gil}")
            shown = [_show_cell(members, program, reading, words) for program in programs]
            rows.append(row_header(interpreter.name + small(gil)) + join(shown))
    largest = find_largest(found)
    caption = words.text(
        "readings_caption",
        family=name_family(evidence, family, words),
        reading=words.metric(reading),
        tasks=words.count("tasks", largest.record.variant.tasks if largest else 0),
    )
    head = ["Python", *map(link_program, programs)]
    return table(words, caption, head, rows, kind="sizes")


def show_several(evidence: Evidence, words: Words, family: str, readings: Sequence[str]) -> Markup:
    """A row for each program and number of workers, a column for each reading: its median.

    It is of the most cores and most tasks, on the first interpreter that ran any of them.
    """
    members = choose_interpreter(evidence, select_cells(evidence.judgements, family=family))
    found = [
        one
        for one in select_measured(choose_largest(members))
        if one.record.list_values(readings[0])
    ]
    found = choose_end(found, "cores")
    several = len({one.record.variant.workers for one in found}) > 1
    rows = [
        row_header(
            link_program(one.record.variant.program)
            + (small(words.count("workers", one.record.variant.workers)) if several else "")
        )
        + join(_show_median(one, reading, words) for reading in readings)
        for one in found
    ]
    tasks = max((one.record.variant.tasks for one in found), default=0)
    names = [words.metric(reading) for reading in readings]
    caption = words.text(
        "readings_caption",
        family=name_family(evidence, family, words),
        reading=", ".join(names),
        tasks=words.count("tasks", tasks),
    )
    return table(words, caption, [words.text("program"), *names], rows, kind="sizes")


def _show_cell(members: Sequence[Judgement], program: str, reading: str, words: Words) -> Markup:
    one = find_largest(select_cells(members, program=program))
    return _show_median(one, reading, words) if one else cell("—")


def _show_median(one: Judgement, reading: str, words: Words) -> Markup:
    """The median, and the least and the greatest: of counts with a most, an interval may exceed it."""
    values = one.record.list_values(reading)
    if not values:
        return cell("—")
    estimate = Estimate(median=median(values), low=min(values), high=max(values))
    return cell(stack_estimate(estimate, reading, words))
