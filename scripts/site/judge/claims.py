"""Claims: whether each holds on one machine, interpreter and core count, and what decided that.

A claim is checked on all cores of each interpreter, or on one if it says so. Each of its comparisons
comes to a finding, with the decisions that it rests on; all of them must hold. What may not happen
even once is refuted by a single trial.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, pairwise
from math import inf
from typing import Literal, get_args

from msgspec import structs

from poolwise.declaration import Code, Reason
from poolwise.experiment import Experiment
from poolwise.machine import Machine
from poolwise.metrics import find_unit
from poolwise.record import Record, Variant
from poolwise.statistics import FEWEST, Estimate
from scripts.site.declare.claims import (
    WITHIN,
    Claim,
    Comparison,
    Relation,
    Side,
    Size,
    Where,
    list_compared,
    list_sides,
)
from scripts.site.judge.decisions import DECIDED, OPEN, ClaimStatus, Decision, combine, hold
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.noise import find_task_wait
from scripts.site.judge.rounds import LEVELS
from scripts.site.judge.samples import UNMOVED, Sample, estimate_ratio, estimate_sample
from scripts.site.judge.verdicts import COST_MARGIN

MEMORY = "peak_pss_bytes"
STEP = 1.1  # from one size of a sweep to the next, a smaller change the wrong way is none
TICK_S = 0.01  # in which a system counts CPU time, so no program is known to take less
FEWEST_FOR_NEVER = 3  # fewer trials cannot say that something never happens
_LESS = ("less", "not less")

Standing = ClaimStatus | Literal["not measured"]
"""The answer that a reader is told first of a claim: a status, or that none of it has been measured."""
UNDECIDED: tuple[Standing, ...] = (OPEN, "not measured", "not applicable")
"""Those of which a reader is shown no number: it tells nothing yet."""
STANDINGS: tuple[Standing, ...] = (*DECIDED, "borderline", *UNDECIDED)
UNMEASURED: frozenset[Code] = frozenset(
    ("left-out", "measuring-off", "not-measured", "too-few-trials")
)
"""Reasons that say only that a program has not run yet, or not often enough to decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one comparison of a claim."""

    comparison: Comparison
    status: ClaimStatus
    ratio: Estimate  # which gave the status, turned as the comparison says
    left: Estimate  # of a sweep, the least size
    right: Estimate  # of a sweep, the largest
    # Of a sweep there is one for the whole way and for each step, or for each pair.
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One claim on one machine, interpreter and core count."""

    claim: Claim
    machine: str
    interpreter: str
    cores: int
    workers: int
    status: ClaimStatus
    findings: tuple[Finding, ...] = ()  # one for each comparison, if anything was measured
    decisions: tuple[Decision, ...] = ()
    # Why there is no finding, why it is open, or that others were busy, each with its program, if it has one.
    reasons: tuple[tuple[str, Reason], ...] = ()
    sessions: tuple["Check", ...] = ()  # the check of each that can tell, the oldest first
    memory: Finding | None = None  # of two programs of which one is said to gain, if it is no tie
    # What makes its number: the sizes of the rows compared, by name, each value once.
    at: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def standing(self) -> Standing:
        """The status as a reader is told it: where only trials are lacking, nothing is measured yet."""
        codes = {reason.code for _, reason in self.reasons}
        return "not measured" if codes and codes <= UNMEASURED else self.status

    @property
    def deciding(self) -> Finding | None:
        """The first finding that gave the check its status; of one that flips, the first at all."""
        giving = (one for one in self.findings if one.status == self.status)
        return next(giving, self.findings[0] if self.findings and self.sessions else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The checks of a claim on another machine than the one shown, of which there is at least one."""

    machine: Machine
    checks: tuple[Check, ...]

    @property
    def main(self) -> Check:
        """The check that a reader meets first."""
        return max(self.checks, key=_applies_here)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim with its checks on the machine shown, none if nothing was measured there, and elsewhere."""

    experiment: str
    claim: Claim
    checks: tuple[Check, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def main(self) -> Check | None:
        """The check that a reader meets first: of the first Python to which it applies."""
        return max(self.checks, key=_applies_here, default=None)

    @property
    def status(self) -> Standing:
        """The status that a reader is told first."""
        return self.main.standing if self.main else "not measured"

    @property
    def otherwise(self) -> tuple[Elsewhere, ...]:
        """The machines that decide it otherwise than it is decided on the machine shown."""
        decided = (one for one in self.elsewhere if one.main.status in DECIDED)
        return tuple(one for one in decided if one.main.status != self.status)

    @property
    def machines(self) -> int:
        """How many machines could try it, that shown among them."""
        found = (self.status, *(one.main.status for one in self.elsewhere))
        return sum(one not in ("not applicable", "not measured") for one in found)


def check_machines(
    name: str, claims: Sequence[Claim], evidences: Sequence[Evidence]
) -> Iterator[CheckedClaim]:
    """Check claims on the machine shown, the first, and on others."""
    shown, *others = evidences
    checks = check_evidence(claims, shown)
    away = [(one.machine, check_evidence(claims, one)) for one in others]
    for claim in claims:
        elsewhere = [
            Elsewhere(machine=machine, checks=theirs)
            for machine, found in away
            if (theirs := _choose_about(claim, found))
        ]
        own = _choose_about(claim, checks)
        yield CheckedClaim(experiment=name, claim=claim, checks=own, elsewhere=tuple(elsewhere))


def _choose_about(claim: Claim, checks: Sequence[Check]) -> tuple[Check, ...]:
    return tuple(check for check in checks if check.claim is claim)


def check_evidence(claims: Sequence[Claim], evidence: Evidence) -> tuple[Check, ...]:
    """Check the claims of an experiment on one machine, in each session by itself."""
    groups: dict[tuple[str, str, int], list[Check]] = {}
    for judgements in evidence.sessions or (evidence.judgements,):
        rows = Rows(one for one in judgements if one.can_decide)
        beside = {}
        for python in {row.interpreter for row in rows}:
            alike = evidence.list_alike(python)
            beside[python] = Rows(row for row in rows if row.interpreter in alike)
        for claim in claims:
            for arena in _list_arenas(claim, rows):
                check = _check_claim(claim, arena, beside[arena[0].interpreter], evidence)
                groups.setdefault((claim.id, check.interpreter, check.cores), []).append(check)
    return tuple(map(_settle, groups.values()))


def _settle(checks: Sequence[Check]) -> Check:
    """Choose the check that stands for several sessions: the last that is decided, else that applies."""
    applying = [one for one in checks if one.status != "not applicable"]
    decided = [one for one in applying if one.status in DECIDED]
    main = (decided or applying or list(checks))[-1]
    if len(applying) < 2:
        return main
    flips = len({one.status for one in decided}) > 1
    return replace(main, status="borderline" if flips else main.status, sessions=tuple(applying))


def _applies_here(check: Check) -> bool:
    return check.status != "not applicable"


def choose_told(checked: CheckedClaim, evidence: Evidence) -> Evidence:
    """Choose what a claim tells of: the Python of its main check comes first, of its session alone."""
    main = checked.main
    if main is None or main.status == "not applicable":
        return evidence
    first = sorted(evidence.interpreters, key=lambda one: one.id != main.interpreter)
    told = replace(evidence, interpreters=tuple(first), sessions=())
    for session in reversed(evidence.sessions):
        if replace(main, sessions=()) in check_evidence(
            [checked.claim], replace(told, judgements=session)
        ):
            pairs = zip(session, evidence.judgements, strict=True)
            own = (one if one.record.is_measured else other for one, other in pairs)
            return replace(told, judgements=tuple(own))
    return told


def find_taken(program: str, checked: CheckedClaim, evidence: Evidence) -> Judgement | None:
    """Find the cell of a program by which its claim is decided; ``None`` where it does not apply."""
    main = checked.main
    if main is None or main.status == "not applicable":
        return None
    side = next(one for one in list_sides(checked.claim) if one.program == program)
    return find_cell(side, evidence.rows.where(cores=main.cores, interpreter=main.interpreter))


def find_better(program: str, checked: CheckedClaim, evidence: Evidence) -> Judgement | None:
    """Find the program to take where the claim of another one does not hold: the recommended one of its family.

    ``None`` where the program may be taken as well, or nothing is recommended.
    """
    taken = find_taken(program, checked, evidence)
    if taken is None or is_borne_out(checked):
        return None
    family = evidence.rows.where(family=taken.family, tasks=taken.tasks, cores=taken.cores)
    rows = family.where(interpreter=taken.interpreter)
    best = [row for row in rows if row.verdict == "recommended" or row.cheaper == row.program]
    is_best = taken.verdict in ("recommended", "as good")
    return best[0] if best and not is_best else None


def is_borne_out(checked: CheckedClaim) -> bool:
    """Tell whether advice may stand with the sign and the number of its claim."""
    return checked.status in ("confirmed", "borderline")


def _check_claim(claim: Claim, arena: Rows, rows: Rows, evidence: Evidence) -> Check:
    meant = _list_meant(claim, arena, rows)
    variant = (meant[0][1] or arena[0]).variant
    check = Check(
        claim=claim,
        machine=variant.machine,
        interpreter=variant.interpreter,
        cores=variant.cores,
        workers=variant.workers,
        status="not applicable",
    )
    if not _applies(claim.where, variant, evidence.machine.system):
        return check
    if not all(_choose_right(one, arena, rows) for one in claim.all):
        return replace(check, reasons=_tell("needs-ordinary-python"))
    group = rows.where(interpreter=variant.interpreter)
    missing = [
        (side.program, _explain(side, judged, group, evidence))
        for side, judged in meant
        if judged is None or not judged.record.is_measured
    ]
    if missing:
        once = (one for place, one in enumerate(missing) if one not in missing[:place])
        return replace(check, reasons=tuple(once))
    findings: list[Finding] = []
    compared: list[Judgement] = []
    for comparison in claim.all:
        compared += _list_compared_cells(comparison, arena, rows).measured
        found = compare(comparison, arena, rows)
        if isinstance(found, str):
            is_new = any(0 < len(row.record.timed) < FEWEST for row in compared)
            lacks = found == "no-metric" and is_new  # memory is measured after the first look
            return replace(check, reasons=_tell("too-few-trials" if lacks else found))
        findings.append(found)
    status = combine(finding.status for finding in findings)
    return replace(
        check,
        status=status,
        findings=tuple(findings),
        decisions=tuple(chain.from_iterable(finding.decisions for finding in findings)),
        reasons=_explain_open(findings, [one.record for _, one in meant if one], status),
        memory=_compare_memory(claim, arena, rows),
        at=_list_sizes(claim, compared, evidence.experiment),
    )


def _list_sizes(
    claim: Claim, compared: Iterable[Judgement], experiment: Experiment
) -> dict[str, tuple[float, ...]]:
    """List the sizes of the rows that a claim compares, in their order; what is zero in all is left out."""
    # In their order: what is published is the same at every build.
    params = [name for name in claim.at if name not in get_args(Size)]
    at: dict[str, list[float]] = {}
    for row in compared:
        record = row.record
        wait_s, longest_wait_s = find_task_wait(experiment.profiles[record.profile], record)
        sizes = {"tasks": row.tasks, "wait_s": wait_s, "longest_wait_s": longest_wait_s}
        sizes |= {name: float(record.params[name]) for name in params if name in record.params}
        for name, value in (sizes | {"workers": row.workers, "cores": row.cores}).items():
            if value not in at.setdefault(name, []):
                at[name].append(value)
    return {name: tuple(values) for name, values in at.items() if values != [0]}


def _explain_open(
    findings: Sequence[Finding], records: Sequence[Record], status: ClaimStatus
) -> tuple[tuple[str, Reason], ...]:
    """Tell why there is no sure ratio, why all the trials of a session tell nothing, or that others were busy."""
    fewest = min(max(len(record.timed), len(record.traced)) for record in records)
    is_sure = all(finding.ratio.is_sure for finding in findings)
    decisions = chain.from_iterable(finding.decisions for finding in findings)
    is_moved = any(decision.ratio.allowance > 1 for decision in decisions)
    disturbed = [record for record in records if record.is_disturbed]
    if disturbed and fewest >= FEWEST and (is_moved or not is_sure):
        most = max(disturbed, key=lambda record: sum(record.taken) / record.cores)
        places = {"taken": round(sum(most.taken), 1), "cores": float(most.cores)}
        return (("", Reason("disturbed" if status == OPEN else "despite-others", places)),)
    if not is_sure:
        return _tell("too-few-trials")
    return _tell("too-close") if status == OPEN and fewest >= LEVELS[-1] else ()


def _compare_memory(claim: Claim, arena: Rows, rows: Rows) -> Finding | None:
    """Compare the memory of two programs of which one is said to gain; of a tie, nothing."""
    first = claim.all[0]
    is_gain = first.relation == "less" and first.limit is None
    if not is_gain or any(one.metric == MEMORY or one.left != first.left for one in claim.all):
        return None
    tie = structs.replace(first, metric=MEMORY, relation="equal", margin=COST_MARGIN)
    found = compare(tie, arena, rows)
    return None if isinstance(found, str) or found.status != "refuted" else found


def _applies(scope: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    python, release = name_python(variant.interpreter), name_release(variant.interpreter)
    wanted = (scope.cores, scope.gil, scope.system, scope.python, scope.release)
    found = (cores, variant.gil, system, python, release)
    return all(one in (None, other) for one, other in zip(wanted, found, strict=True))


def _explain(side: Side, judged: Judgement | None, group: Rows, evidence: Evidence) -> Reason:
    """Tell why an interpreter gave nothing of a program to compare."""
    if judged:
        return judged.record.reason or Reason("not-measured")
    if obstacle := evidence.find_obstacle(side.program, group[0].interpreter, side.family):
        return obstacle
    sized = side.tasks not in ("most", "least") or side.workers not in ("most", "least")
    others = group.where(program=side.program, family=side.family)
    return Reason("other-size" if sized and others else "not-measured")


def _tell(code: Code) -> tuple[tuple[str, Reason]]:
    return (("", Reason(code)),)


def compare(comparison: Comparison, arena: Rows, rows: Rows) -> Finding | Code:
    """Compare what was measured in an arena of the rows; gives the reason if there is nothing to compare."""
    planned = cells = _list_compared_cells(comparison, arena, rows)
    if comparison.over:
        cells = cells.measured
    samples = [judged.sample(comparison.metric) for judged in cells]
    if not all(samples):
        return "no-metric"
    if comparison.over and len(cells) < 2:
        return "not-measured" if len(planned) > 1 else "one-size"
    if comparison.of_cores:
        cores = arena[0].cores
        samples = [sample.turn(value / cores for value in sample) for sample in samples]
    if find_unit(comparison.metric) == "CPU s":
        samples = [sample.turn(max(value, TICK_S) for value in sample) for sample in samples]
    if not all(min(sample) > 0 for sample in samples[1:]):
        return "nothing-at-all"
    sides = list(zip([one.variant for one in cells], samples, strict=True))
    if (limit := comparison.limit) is not None:
        decisions = [_hold_against_number(comparison, limit, *sides[0])]
        right = Estimate(median=limit, low=limit, high=limit, is_sure=False)
    else:
        decisions = _hold_sides(comparison, sides)
        right = estimate_sample(samples[-1])
    status = combine(one.status for one in decisions)
    giving = next(one for one in decisions if one.status == status)
    is_step = giving.relation != comparison.relation  # which is turned the other way
    return Finding(
        comparison=comparison,
        status=status,
        ratio=giving.ratio.invert() if is_step else giving.ratio,
        left=estimate_sample(samples[0]),
        right=right,
        decisions=tuple(decisions),
    )


def _list_compared_cells(comparison: Comparison, arena: Rows, rows: Rows) -> Rows:
    """List the cells of the left and the right side, or of each size of a sweep, from the least on."""
    side, over = comparison.left, comparison.over
    if over == "cores":
        group = rows.where(interpreter=arena[0].interpreter)
        counts = range(1, arena[0].cores + 1)
        found = [find_cell(side, group.where(cores=count)) for count in counts]
    elif over:
        sizes = arena.where(program=side.program, family=side.family).values(over)
        found = [find_cell(structs.replace(side, **{over: size}), arena) for size in sizes]
    else:
        found = [find_cell(side, arena)]
        if isinstance(comparison.right, Side):
            found.append(find_cell(comparison.right, _choose_right(comparison, arena, rows)))
    return Rows(judged for judged in found if judged)


_Measured = tuple[Variant, Sample]


def _hold_sides(comparison: Comparison, sides: Sequence[_Measured]) -> list[Decision]:
    """Hold two sides against each other; of a sweep the whole way and each step, or each pair."""
    metric, relation, margin = comparison.metric, comparison.relation, comparison.margin
    if comparison.over is None:
        return [_hold_pair(metric, relation, margin, *sides)]
    if relation == "stays":
        pairs = combinations(sides, 2)
        return [_hold_pair(metric, relation, margin, other, one) for one, other in pairs]
    way = sides[::-1] if relation == "rises" else sides
    steps = [_hold_pair(metric, "not more", STEP, after, before) for before, after in pairwise(way)]
    return [_hold_pair(metric, relation, margin, way[0], way[-1]), *steps]


def _hold_pair(
    metric: str, relation: Relation, margin: float, left: _Measured, right: _Measured
) -> Decision:
    one, other = (right, left) if relation in _LESS else (left, right)
    sides = tuple(dict.fromkeys((left[0], right[0])))
    return hold(metric, sides, relation, margin, estimate_ratio(one[1], other[1]))


def _hold_against_number(
    comparison: Comparison, limit: float, cell: Variant, values: Sample
) -> Decision:
    relation = comparison.relation
    if relation in _LESS:
        turned = values.turn((limit / value if value else inf for value in values), inverted=True)
    else:
        turned = values.turn(value / limit for value in values)
    ratio = estimate_sample(turned)
    if comparison.every:  # the trial that is furthest from it tells
        worst = max(turned) if relation in WITHIN else min(turned)
        is_sure = len(turned) >= FEWEST_FOR_NEVER and turned.span == UNMOVED
        ratio = Estimate(median=worst, low=worst, high=worst, is_sure=is_sure)
    return hold(comparison.metric, (cell,), relation, comparison.margin, ratio)


def name_python(interpreter: str) -> str:
    """Take the minor version out of an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def name_release(interpreter: str) -> str:
    """Take the release out of an id: ``3.14.7t`` of ``cpython-3.14.7t-9786cd``; empty where it is none."""
    found = re.fullmatch(r"cpython-([\d.]+(?:(?:a|b|rc)\d+)?t?)(?:-[0-9a-f]{6})?", interpreter)
    return found[1] if found else ""


def _list_arenas(claim: Claim, rows: Rows) -> list[Rows]:
    """List where a claim is checked: on all cores of each Python it is about, or on one if it says so.

    It is about those of its version that run all its programs. If there are none, it is the first of
    those that come nearest: it says why it cannot be tried.
    """
    needed = {(side.program, side.family) for side in list_sides(claim)}

    def count_lacking(group: Rows) -> int:
        return len(needed - group.by("program", "family").keys())

    scope, groups = claim.where, list(rows.by("interpreter").values())
    chosen = [group for group in groups if not count_lacking(group)]
    named = [
        group
        for group in chosen
        if scope.python in (None, name_python(group[0].interpreter))
        and scope.release in (None, name_release(group[0].interpreter))
    ]
    chosen = named or chosen[:1] or sorted(groups, key=count_lacking)[:1]
    place = 0 if scope.cores == "one" else -1
    return [group.where(cores=group.values("cores")[place]) for group in chosen]


def find_cell(side: Side, arena: Rows) -> Judgement | None:
    """Find the row that a side of a comparison means; ``None`` if there is none of that size."""
    found = arena.where(program=side.program, family=side.family)
    if side.start_method:
        found = found.where(start_method=side.start_method)
    found = _choose_size(_choose_size(found, "tasks", side.tasks), "workers", side.workers)
    return next(iter(found.measured or found), None)


def _list_meant(claim: Claim, arena: Rows, rows: Rows) -> list[tuple[Side, Judgement | None]]:
    """List every program that a claim compares in an arena of the rows, with the row that is meant."""
    found = []
    for one in claim.all:
        places = (arena, _choose_right(one, arena, rows))
        for side, place in zip(list_compared(one), places, strict=False):
            found.append((side, find_cell(side, place)))
    return found


def list_cells(claim: Claim, rows: Rows, system: str) -> Iterator[Variant]:
    """List the cells that a claim compares where it applies, whether or not they have been measured."""
    for arena in _list_arenas(claim, rows):
        first = _list_meant(claim, arena, rows)[0][1] or arena[0]
        if _applies(claim.where, first.variant, system):
            for one in claim.all:
                yield from (judged.variant for judged in _list_compared_cells(one, arena, rows))


def _choose_right(comparison: Comparison, arena: Rows, rows: Rows) -> Rows:
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
    sizes, cores = found.values(size), found[0].cores
    named: dict[str | int, int] = {"most": sizes[-1], "least": sizes[0]}
    named |= {"cores": cores, "above cores": cores + 1}
    return found.where(**{size: named.get(wanted, wanted)})
