"""Selection: which judgements are meant, where an experiment has many.

A program is measured on several interpreters and core counts, with several numbers of tasks and of
workers, and under several start methods. Whoever compares or shows one of these chooses it here.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal

from scripts.harness.pythons import Rank, rank_interpreter
from scripts.harness.record import Record
from scripts.site.declare.claims import Claim, Comparison, Side, Size, list_compared, list_sides
from scripts.site.judge.judge import Evidence, Judgement

Arena = Sequence[Judgement]
"""What one interpreter gave on one core count."""


def select_cells(judgements: Sequence[Judgement], **wanted: str | int | None) -> list[Judgement]:
    """Those whose variants have all of these values: ``select_cells(found, family="io", cores=2)``."""
    if not wanted:
        return list(judgements)
    read = attrgetter(*wanted)  # which is asked of very many
    values = tuple(wanted.values()) if len(wanted) > 1 else next(iter(wanted.values()))
    return [judged for judged in judgements if read(judged.record.variant) == values]


def select_measured(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Those that have something to show."""
    return [judged for judged in judgements if judged.record.is_measured]


def list_records(evidences: Iterable[Evidence]) -> list[Record]:
    """What was measured on a machine."""
    return [
        judged.record
        for evidence in evidences
        for judged in evidence.judgements
        if judged.record.timed
    ]


def select_family(evidence: Evidence, family: str, programs: Sequence[str] = ()) -> list[Judgement]:
    """The judgements of a family on the most cores and the first interpreter that has any.

    They come in the order of ``programs``, or without any in that of their declaration.

    Raises:
        ValueError: the family has no such program; names those there are.
    """
    members = select_cells(evidence.judgements, family=family)
    # Records of another machine may be older than a family, or newer than what is declared.
    declared = (one.name for one in evidence.experiment.programs if family in one.families)
    known = list(dict.fromkeys((*declared, *(one.record.variant.program for one in members))))
    if unknown := sorted(set(programs) - set(known)):
        raise ValueError(f"no {', '.join(unknown)} in {family}; there are {', '.join(known)}")
    shown = choose_interpreter(evidence, members)
    most = choose_end(select_measured(shown), "cores")
    if not most:
        return []
    arena = select_cells(shown, cores=most[0].record.variant.cores)
    return [one for program in programs or known for one in select_cells(arena, program=program)]


def list_sizes(judgements: Sequence[Judgement], size: Size) -> list[int]:
    """The core counts, or numbers of tasks or of workers, that there are, ascending."""
    return sorted({getattr(judged.record.variant, size) for judged in judgements})


def list_arenas(judgements: Sequence[Judgement]) -> list[list[Judgement]]:
    """The judgements of each core count and interpreter, most cores and oldest versions first."""

    def arena(judged: Judgement) -> tuple[int, Rank]:
        variant = judged.record.variant
        return (-variant.cores, rank_interpreter(variant.interpreter))

    return [list(group) for _, group in groupby(sorted(judgements, key=arena), key=arena)]


def choose_interpreter(evidence: Evidence, judgements: Sequence[Judgement]) -> list[Judgement]:
    """Those of the first interpreter on which any was measured, in the order of the build."""
    names = {judged.record.variant.interpreter for judged in select_measured(judgements)}
    places = {one.id: place for place, one in enumerate(evidence.interpreters)}
    first = min(names, key=lambda name: (places.get(name, len(places)), name), default=None)
    return select_cells(judgements, interpreter=first)


def choose_end(
    judgements: Sequence[Judgement], size: Size, end: Literal["most", "least"] = "most"
) -> list[Judgement]:
    """Those with the most or the least of a size; of none, none."""
    if not judgements:
        return []
    sizes = list_sizes(judgements, size)
    return select_cells(judgements, **{size: sizes[-1 if end == "most" else 0]})


def choose_largest(judgements: Sequence[Judgement]) -> list[Judgement]:
    """Of each program in each family on each interpreter and core count, those with most tasks."""

    def name(judged: Judgement) -> tuple[str, str, str, int]:
        variant = judged.record.variant
        return (variant.program, variant.family, variant.interpreter, variant.cores)

    most: dict[tuple[str, str, str, int], int] = {}
    for judged in judgements:
        most[name(judged)] = max(most.get(name(judged), 0), judged.record.variant.tasks)
    return [judged for judged in judgements if judged.record.variant.tasks == most[name(judged)]]


def find_largest(judgements: Sequence[Judgement]) -> Judgement | None:
    """One on the most cores, of those one with most tasks, of those one with most workers."""
    most = choose_end(choose_end(choose_end(judgements, "cores"), "tasks"), "workers")
    return next(iter(most), None)


def find_kind(evidence: Evidence, judged: Judgement) -> str:
    """What carries out the work: a pool inside a loop counts as the pool."""
    return evidence.experiment.program(judged.record.variant.program).ways[-1]


def find_best(
    evidence: Evidence, judgements: Sequence[Judgement], family: str, kind: str, cores: int
) -> Judgement | None:
    """The recommended of a kind, otherwise the fastest."""

    def rank(judged: Judgement) -> tuple[bool, float]:
        speedup = judged.speedup.median if judged.speedup else 0.0
        return judged.verdict == "recommended", speedup

    members = select_cells(judgements, family=family, cores=cores)
    found = (judged for judged in members if find_kind(evidence, judged) == kind)
    return max(found, key=rank, default=None)


def list_claim_arenas(claim: Claim, judgements: Sequence[Judgement]) -> list[Arena]:
    """Where a claim is checked: the fewest and the most cores of each interpreter it is about."""
    names = dict.fromkeys(judged.record.variant.interpreter for judged in judgements)
    groups = [select_cells(judgements, interpreter=name) for name in names]
    found: list[Arena] = []
    for group in _choose_groups(claim, groups):
        counts = list_sizes(group, "cores")
        ends = sorted({counts[0], counts[-1]})
        found += [select_cells(group, cores=count) for count in ends]
    return found


def name_python(interpreter: str) -> str:
    """The minor version in an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def _is_ordinary(interpreter: str, python: str) -> bool:
    """Whether this is a CPython of that minor version as it is usually built: with the GIL, no JIT."""
    return bool(re.fullmatch(rf"cpython-{re.escape(python)}\.\d+", interpreter))


def _choose_groups(claim: Claim, groups: Sequence[list[Judgement]]) -> Sequence[list[Judgement]]:
    """What the interpreters gave that a claim is about: of its Python, running all its programs.

    If there is none, the first of those that come nearest: it says why it cannot be tried.
    """
    needed = {(side.program, side.family) for side in list_sides(claim)}

    def find_lack(group: Sequence[Judgement]) -> int:
        variants = (judged.record.variant for judged in group)
        return len(needed - {(variant.program, variant.family) for variant in variants})

    running = [group for group in groups if not find_lack(group)]
    if not running:
        return sorted(groups, key=find_lack)[:1]
    python = claim.where.python
    if python is None:
        return running
    named = [one for one in running if name_python(one[0].record.variant.interpreter) == python]
    return named or running[:1]


def find_cell(side: Side, arena: Arena) -> Judgement | None:
    """The judgement that a side of a comparison means; ``None`` if there is none of that size."""
    found = select_cells(arena, program=side.program, family=side.family)
    if side.start_method:
        found = select_cells(found, start_method=side.start_method)
    found = _choose_size(_choose_size(found, "tasks", side.tasks), "workers", side.workers)
    return next(iter(select_measured(found) or found), None)


def list_meant(
    claim: Claim, arena: Arena, judgements: Sequence[Judgement]
) -> list[tuple[Side, Judgement | None]]:
    """Every program that a claim compares or marks, with the judgement that is meant.

    It is checked in ``arena``; ``judgements`` are all of the experiment on that machine.
    """
    if claim.mark:
        return [(claim.mark.program, find_cell(claim.mark.program, arena))]
    return [
        (side, find_cell(side, where))
        for one in claim.all
        for side, where in zip(
            list_compared(one), (arena, choose_right(one, arena, judgements)), strict=False
        )
    ]


def choose_right(comparison: Comparison, arena: Arena, judgements: Sequence[Judgement]) -> Arena:
    """Where the right side of a comparison is looked for."""
    if comparison.right_python == "same":
        return arena
    own = arena[0].record.variant
    there = select_cells(judgements, cores=own.cores)
    names = {one.record.variant.interpreter for one in there}
    ordinary = {name for name in names if _is_ordinary(name, name_python(own.interpreter))}
    return [one for one in there if one.record.variant.interpreter in ordinary]


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
