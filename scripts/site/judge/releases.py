"""Releases: how fast each is next to the one before it, by runs back to back in one session.

A ratio is of pairs: the n-th trials of two cells followed one another, so what slows the machine for longer
than two trials is in both. Between builds of one kind, in one session, nothing else widens its interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record
from poolwise.statistics import Estimate, estimate_pairs
from scripts.site.judge.evidence import Evidence, Rows
from scripts.site.judge.ratios import Ratio

SAME = (0.95, 1.05)  # a ratio whose interval lies between these is none
FEWEST_PAIRS = 5  # fewer say too little of how far pairs differ
NARROW = 1.1  # the factor from a ratio to an end of its interval, where it is known well enough

Cell = tuple[str, int]
"""The id of a Python, and how many threads share the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Two cells of each program that are compared: one thread of two releases, or two threads with one."""

    kind: Literal["on", "off", "gain"]
    new: Interpreter
    old: Interpreter

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The new cell, and the old one that it is held against."""
        return (self.new.id, 1 + (self.kind == "gain")), (self.old.id, 1)


def pair_releases(pythons: Sequence[Interpreter]) -> list[Column]:
    """List what is compared of builds alike: with the GIL, without it, and there two threads with one."""
    released = sorted(pythons, key=lambda python: rank_interpreter(python.version))
    ordinary = [python for python in released if not python.free_threaded]
    free = [python for python in released if python.gil == "off"]
    return [
        *(Column(kind="on", new=new, old=old) for old, new in pairwise(ordinary)),
        *(Column(kind="off", new=new, old=old) for old, new in pairwise(free)),
        *(Column(kind="gain", new=python, old=python) for python in free),
    ]


def relate(records: Mapping[Cell, Record], column: Column) -> Estimate | None:
    """Return how many times as fast the new cell of a column is, in the session with most pairs.

    ``None`` of fewer than ``FEWEST_PAIRS`` pairs.
    """
    new, old = map(records.get, column.cells)
    pairs: list[tuple[float, float]] = []
    if new and old:
        for session in new.sessions:
            times_s = [cell.within(session).list_values("inside_s") for cell in (old, new)]
            pairs = max(pairs, list(zip(*times_s, strict=False)), key=len)
    if len(pairs) < FEWEST_PAIRS:
        return None
    return estimate_pairs(*zip(*pairs, strict=True))


Table = tuple[list[Column], list[list[Ratio | None]]]
"""What is compared, and a line of ratios for each program; none where too little was measured."""


def tabulate(evidence: Evidence) -> Table:
    """Compare the builds alike that have most ratios, at the size that is declared now."""
    programs = {program.name: program for program in evidence.experiment.programs}
    rows = Rows(row for row in evidence.rows.measured if row.tasks == programs[row.program].tasks)
    builds: dict[object, list[Interpreter]] = {}
    used = set(rows.values("interpreter"))
    for python in evidence.interpreters:
        if python.id in used:
            builds.setdefault(python.options, []).append(python)
    groups = [group for name in programs if (group := rows.where(program=name))]
    tables = [_compare_all(groups, pair_releases(alike)) for alike in builds.values()]
    return max(tables, key=count_ratios, default=([], []))


def count_ratios(table: Table) -> int:
    """Count the comparisons that came to a ratio."""
    return sum(ratio is not None for line in table[1] for ratio in line)


def _compare_all(groups: Sequence[Rows], columns: list[Column]) -> Table:
    lines: list[list[Ratio | None]] = []
    for group in groups:
        records = {(row.interpreter, row.workers): row.record for row in group}
        line: list[Ratio | None] = []
        for column in columns:
            estimate = relate(records, column)
            line.append(Ratio(estimate, records[column.cells[0]]) if estimate else None)
        lines.append(line)
    return columns, lines


def is_same(ratio: Estimate) -> bool:
    """Tell whether two cells are equally fast: the interval lies within a twentieth of 1."""
    return SAME[0] <= ratio.low and ratio.high <= SAME[1]


def is_decided(ratio: Estimate | None) -> bool:
    """Tell whether one cell is faster for sure, or both are equally fast."""
    return ratio is not None and (ratio.low > 1 or ratio.high < 1 or is_same(ratio))


def is_narrow(ratio: Estimate | None) -> bool:
    """Tell whether further pairs would say nothing new: it is decided, and known well enough."""
    if ratio is None or is_same(ratio):
        return ratio is not None
    return is_decided(ratio) and max(ratio.median / ratio.low, ratio.high / ratio.median) < NARROW
