"""Findings: what one comparison of a claim comes to, by the rules of ``margins``.

What may not happen even once is refuted by a single trial.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf

from msgspec.structs import replace

from scripts.declare.comparison import WITHIN, Comparison, Relation, Side
from scripts.declare.metrics import find_unit
from scripts.declare.reason import Code
from scripts.judge.judge import Judgement
from scripts.judge.margins import ClaimStatus, combine, decide
from scripts.judge.sample import Sample
from scripts.judge.selection import (
    Arena,
    choose_right,
    find_cell,
    list_sizes,
    select_cells,
    select_measured,
)
from scripts.judge.statistics import Estimate, estimate_median, estimate_ratio

STEP = 1.1
"""From one size of a sweep to the next, a change the wrong way by less than this is none."""
TICK_S = 0.01
"""A system counts CPU time in ticks of this length."""
ALWAYS = 3
"""Of fewer trials nobody says that something never happens."""
_LESS = ("less", "not less")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one comparison of a claim came to.

    ``ratio`` is turned as the comparison says; ``left`` and ``right`` are what was compared, of a
    sweep the least and the largest size, and with shares of the cores where that is meant.
    """

    comparison: Comparison
    status: ClaimStatus
    ratio: Estimate
    left: Estimate
    right: Estimate


def find_out(
    comparison: Comparison, arena: Arena, judgements: Sequence[Judgement]
) -> Finding | Code:
    """What a comparison comes to, or the reason why there is nothing to compare.

    Args:
        comparison: of programs that were measured.
        arena: where it is checked.
        judgements: all of the experiment on that machine.
    """
    samples = _list_samples(comparison, arena, judgements)
    if not all(samples):
        return "no-metric"
    if len(samples) < 2:
        return "one-size"
    if find_unit(comparison.metric) == "CPU s":  # none is known to be less than a tick of its clock
        samples = [sample.turn(max(value, TICK_S) for value in sample) for sample in samples]
    if not all(min(sample) > 0 for sample in samples[1:]):
        return "nothing-at-all"
    if comparison.limit is not None:
        found = [_hold_against_a_number(comparison, samples[0], comparison.limit)]
    elif comparison.over is not None:
        found = list(_hold_over_sizes(comparison, samples))
    else:
        found = [_hold(comparison.relation, comparison.margin, samples[0], samples[1])]
    status = combine(status for status, _ in found)
    return Finding(
        comparison=comparison,
        status=status,
        ratio=next(ratio for one, ratio in found if one == status),
        left=estimate_median(samples[0]),
        right=estimate_median(samples[-1]),
    )


def list_swept(
    comparison: Comparison, arena: Arena, judgements: Sequence[Judgement]
) -> list[Judgement]:
    """What a program gave at each size of a sweep that was measured, from the least on."""
    side, over = comparison.left, comparison.over
    found: list[Judgement | None] = []
    if over == "cores":
        own = arena[0].record.variant
        group = select_cells(judgements, interpreter=own.interpreter)
        counts = range(1, own.cores + 1)
        found = [find_cell(side, select_cells(group, cores=count)) for count in counts]
    elif over:
        cells = select_cells(arena, program=side.program, family=side.family)
        sizes = list_sizes(cells, over)
        found = [find_cell(replace(side, **{over: size}), arena) for size in sizes]
    return select_measured([judged for judged in found if judged])


def _list_samples(
    comparison: Comparison, arena: Arena, judgements: Sequence[Judgement]
) -> list[Sample]:
    """The values of both sides, or of each size; one is empty where the metric was not measured."""

    def read(judged: Judgement | None) -> Sample:
        return judged.sample(comparison.metric) if judged else Sample(())

    left, right = comparison.left, comparison.right
    if comparison.over is not None:
        return [read(judged) for judged in list_swept(comparison, arena, judgements)]
    values = read(find_cell(left, arena))
    if isinstance(right, Side):
        return [values, read(find_cell(right, choose_right(comparison, arena, judgements)))]
    if comparison.of_cores:
        cores = arena[0].record.variant.cores
        values = values.turn(value / cores for value in values)
    return [values, Sample([comparison.limit or 0.0])]


def _hold(
    relation: Relation, margin: float, left: Sample, right: Sample
) -> tuple[ClaimStatus, Estimate]:
    turned = (right, left) if relation in _LESS else (left, right)
    ratio = estimate_ratio(*turned)
    return decide(relation, margin, ratio), ratio


def _hold_against_a_number(
    comparison: Comparison, values: Sample, limit: float
) -> tuple[ClaimStatus, Estimate]:
    if comparison.relation in _LESS:
        turned = values.turn(limit / value if value else inf for value in values)
    else:
        turned = values.turn(value / limit for value in values)
    ratio = estimate_median(turned)
    if comparison.every:  # the trial that is furthest from it tells
        worst = max(turned) if comparison.relation in WITHIN else min(turned)
        ratio = Estimate(median=worst, low=worst, high=worst, is_sure=len(turned) >= ALWAYS)
    return decide(comparison.relation, comparison.margin, ratio), ratio


def _hold_over_sizes(
    comparison: Comparison, samples: Sequence[Sample]
) -> Iterator[tuple[ClaimStatus, Estimate]]:
    """The whole way of what falls or rises, then each step of it; of what stays every pair."""
    relation, margin = comparison.relation, comparison.margin
    if relation == "stays":
        for one, other in combinations(samples, 2):
            yield _hold(relation, margin, other, one)
        return
    way = samples[::-1] if relation == "rises" else samples
    yield _hold(relation, margin, way[0], way[-1])
    for before, after in pairwise(way):
        status, ratio = _hold("not more", STEP, after, before)
        yield status, ratio.invert()
