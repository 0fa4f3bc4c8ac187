"""Meant: which rows a claim is about, and where it is checked."""

import re
from collections.abc import Sequence

from scripts.site.declare.claims import Claim, Comparison, Side, Size, list_compared, list_sides
from scripts.site.judge.judge import Judgement
from scripts.site.judge.rows import Rows


def list_claim_arenas(claim: Claim, rows: Rows) -> list[Rows]:
    """List where a claim is checked: the fewest and the most cores of each Python it is about."""
    found = []
    for group in _choose_groups(claim, list(rows.by("interpreter").values())):
        counts = group.values("cores")
        found += [group.where(cores=count) for count in sorted({counts[0], counts[-1]})]
    return found


def name_python(interpreter: str) -> str:
    """Take the minor version out of an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def name_release(interpreter: str) -> str:
    """Take the release out of an interpreter's id: ``3.14.7t`` of ``cpython-3.14.7t-9786cd``.

    It is empty for what is none: other implementations, a JIT, a free-threaded build with the GIL.
    """
    found = re.fullmatch(r"cpython-([\d.]+(?:(?:a|b|rc)\d+)?t?)(?:-[0-9a-f]{6})?", interpreter)
    return found[1] if found else ""


def _choose_groups(claim: Claim, groups: Sequence[Rows]) -> Sequence[Rows]:
    """Choose the Pythons that a claim is about: of its version, running all its programs.

    If there is none, it is the first of those that come nearest: it says why it cannot be tried.
    """
    needed = {(side.program, side.family) for side in list_sides(claim)}

    def count_lacking(group: Rows) -> int:
        return len(needed - group.by("program", "family").keys())

    running = [group for group in groups if not count_lacking(group)]
    if not running:
        return sorted(groups, key=count_lacking)[:1]
    scope = claim.where
    named = [
        group
        for group in running
        if scope.python in (None, name_python(group[0].interpreter))
        and scope.release in (None, name_release(group[0].interpreter))
    ]
    return named or running[:1]


def find_cell(side: Side, arena: Rows) -> Judgement | None:
    """Find the row that a side of a comparison means; ``None`` if there is none of that size."""
    found = arena.where(program=side.program, family=side.family)
    if side.start_method:
        found = found.where(start_method=side.start_method)
    found = _choose_size(_choose_size(found, "tasks", side.tasks), "workers", side.workers)
    return next(iter(found.measured or found), None)


def list_meant(claim: Claim, arena: Rows, rows: Rows) -> list[tuple[Side, Judgement | None]]:
    """List every program that a claim compares, with the row that is meant.

    It is checked in ``arena``; ``rows`` are all of the experiment on that machine.
    """
    found = []
    for one in claim.all:
        places = (arena, choose_right(one, arena, rows))
        for side, place in zip(list_compared(one), places, strict=False):
            found.append((side, find_cell(side, place)))
    return found


def choose_right(comparison: Comparison, arena: Rows, rows: Rows) -> Rows:
    """Choose where the right side of a comparison is looked for, in rows of builds alike."""
    if comparison.right_python == "same":
        return arena
    release = comparison.right_python
    if release == "ordinary":
        release = name_release(arena[0].interpreter.removesuffix("-gil")).removesuffix("t")
    there = rows.where(cores=arena[0].cores)
    return Rows(row for row in there if name_release(row.interpreter) == release)


def _choose_size(found: Rows, size: Size, wanted: str | int) -> Rows:
    if not found:
        return found
    match wanted:
        case "most":
            return found.most(size)
        case "least":
            return found.least(size)
        case "cores":
            wanted = found[0].cores
        case "above cores":
            wanted = found[0].cores + 1
    return found.where(**{size: wanted})
