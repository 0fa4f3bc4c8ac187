"""Cells: which judgements are meant, where an experiment has many.

A program is measured on several interpreters and core counts, with several numbers of tasks and of
workers, and under several start methods. Whoever compares or shows one of these chooses it here.
"""

import re
from collections.abc import Sequence
from typing import Literal

from scripts.judge.judgement import Judgement
from scripts.records.record import Record

Size = Literal["cores", "tasks", "workers"]


def is_measured(record: Record) -> bool:
    """Whether a record has something to estimate: it is ``ok`` and has timed trials."""
    return record.status == "ok" and bool(record.timed)


def select_cells(judgements: Sequence[Judgement], **wanted: str | int | None) -> list[Judgement]:
    """Those whose variants have all of these values: ``select_cells(found, family="io", cores=2)``."""
    return [
        judged
        for judged in judgements
        if all(getattr(judged.record.variant, name) == value for name, value in wanted.items())
    ]


def select_measured(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Those that have something to show."""
    return [judged for judged in judgements if is_measured(judged.record)]


def list_sizes(judgements: Sequence[Judgement], size: Size) -> list[int]:
    """The core counts, or numbers of tasks or of workers, that there are, ascending."""
    return sorted({getattr(judged.record.variant, size) for judged in judgements})


def choose_end(
    judgements: Sequence[Judgement], size: Size, end: Literal["most", "least"] = "most"
) -> list[Judgement]:
    """Those with the most or the least of a size; of none, none."""
    if not judgements:
        return []
    sizes = list_sizes(judgements, size)
    return select_cells(judgements, **{size: sizes[-1 if end == "most" else 0]})


def choose_interpreter(judgements: Sequence[Judgement], order: Sequence[str]) -> list[Judgement]:
    """Those of the first interpreter, by ``order`` of their ids, on which any was measured."""
    names = {judged.record.variant.interpreter for judged in select_measured(judgements)}
    places = {name: place for place, name in enumerate(order)}
    first = min(names, key=lambda name: (places.get(name, len(places)), name), default=None)
    return select_cells(judgements, interpreter=first)


def rank_interpreter(name: str) -> list[str | int]:
    """What to sort ids of interpreters by: ``cpython-3.9.18`` comes before ``cpython-3.10.13``."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def choose_largest(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Of each program in each family on each interpreter and core count, those with most tasks."""

    def name(judged: Judgement) -> tuple[str, str, str, int]:
        variant = judged.record.variant
        return (variant.program, variant.family, variant.interpreter, variant.cores)

    most: dict[tuple[str, str, str, int], int] = {}
    for judged in judgements:
        most[name(judged)] = max(most.get(name(judged), 0), judged.record.variant.tasks)
    return [judged for judged in judgements if judged.record.variant.tasks == most[name(judged)]]
