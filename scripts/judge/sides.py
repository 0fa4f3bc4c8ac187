"""Sides: which judgement a side of a claim's comparison means, and the values that it gives."""

from collections.abc import Sequence

from scripts.declare.claim import Claim, Comparison, Side
from scripts.judge.cells import Size, choose_end, select_cells, select_measured
from scripts.judge.judgement import Judgement

Arena = Sequence[Judgement]
"""What one interpreter gave on one core count."""


def find_cell(side: Side, arena: Arena) -> Judgement | None:
    """The judgement that a side of a comparison means; ``None`` if there is none of that size."""
    found = select_cells(arena, program=side.program, family=side.family)
    if side.start_method:
        found = select_cells(found, start_method=side.start_method)
    found = _choose_size(_choose_size(found, "tasks", side.tasks), "workers", side.workers)
    return next(iter(select_measured(found) or found), None)


def list_meant(claim: Claim, arena: Arena, one_core: Arena) -> list[tuple[Side, Judgement | None]]:
    """Every program that a claim compares or marks, with the judgement that is meant.

    Args:
        claim: the first comparison's left side comes first.
        arena: where the claim is checked.
        one_core: what the same interpreter gave on one core.
    """
    if claim.mark:
        return [(claim.mark.program, find_cell(claim.mark.program, arena))]
    sides = [
        pair
        for one in claim.all
        for pair in ((one.left, arena), (one.right, _choose_right(one, arena, one_core)))
    ]
    return [(side, find_cell(side, where)) for side, where in sides if isinstance(side, Side)]


def list_pair(
    comparison: Comparison, arena: Arena, one_core: Arena
) -> tuple[list[float], list[float]]:
    """The values of both sides; empty where the metric was not measured."""

    def read(side: Side | float, arena: Arena) -> list[float]:
        if not isinstance(side, Side):
            return [side]
        judged = find_cell(side, arena)
        return judged.record.list_values(comparison.metric) if judged else []

    other = _choose_right(comparison, arena, one_core)
    return read(comparison.left, arena), read(comparison.right, other)


def _choose_size(found: Sequence[Judgement], size: Size, wanted: str | int) -> list[Judgement]:
    if not found:
        return []
    cores = found[0].record.variant.cores
    match wanted:
        case "most" | "least":
            return choose_end(found, size, wanted)
        case "cores":
            wanted = cores
        case "above cores":
            wanted = cores + 1
    return select_cells(found, **{size: wanted})


def _choose_right(comparison: Comparison, arena: Arena, one_core: Arena) -> Arena:
    return one_core if comparison.right_cores == "one" else arena
