"""Checks: whether a claim holds on one machine, interpreter and core count.

A claim is decided by the bootstrap interval of a ratio against the claim's margin, never by the
ratio alone: *confirmed* if the whole interval satisfies the condition, *refuted* if none of it
does, *inconclusive* if it straddles the margin. (The confidence-interval form of equivalence and
superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scripts.declare.claim import Claim, Comparison, Relation, Side, Verdict, Where, list_sides
from scripts.declare.reason import Code, Reason
from scripts.judge.cells import is_measured, list_sizes, select_cells
from scripts.judge.judgement import Judgement
from scripts.judge.sides import Arena, list_meant, list_pair
from scripts.judge.statistics import (
    FEWEST,
    FEWEST_AGAINST_A_NUMBER,
    Estimate,
    estimate_median,
    estimate_ratio,
)
from scripts.records.variant import Variant

ClaimStatus = Literal["confirmed", "refuted", "inconclusive", "not applicable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one comparison of a claim came to; ``ratio`` is left ÷ right."""

    comparison: Comparison
    status: ClaimStatus
    ratio: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One claim on one machine, interpreter and core count.

    ``findings`` has one for each comparison, in their order. ``ratio``, ``left`` and ``right``
    are those of the claim's first comparison, ``verdict`` that of its mark; ``None`` where there
    is none or nothing was measured, and ``reasons`` then say why, each with the program that it
    is about, or empty if with none. ``right`` is ``None`` also where
    the comparison is with a number.
    """

    claim: Claim
    machine: str
    interpreter: str
    cores: int
    workers: int
    status: ClaimStatus
    ratio: Estimate | None = None
    left: Estimate | None = None
    right: Estimate | None = None
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    reasons: tuple[tuple[str, Reason], ...] = ()


def check_claims(
    claims: Sequence[Claim], judgements: Iterable[Judgement], system: str
) -> tuple[Check, ...]:
    """Check every claim on the smallest and on the largest core count of each interpreter.

    The interpreters keep the order in which the judgements have them.

    Args:
        claims: of one experiment.
        judgements: of that experiment, one machine and one profile.
        system: the machine's operating system, as ``Machine.system``.
    """
    by_interpreter: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        by_interpreter.setdefault(_interpreter(judgement), []).append(judgement)
    groups = tuple(by_interpreter.values())
    return tuple(
        _check_claim(claim, arena, select_cells(group, cores=1), system)
        for claim in claims
        for group in _choose_groups(claim, groups)
        for arena in _list_arenas(group)
    )


def _choose_groups(
    claim: Claim, groups: Sequence[Sequence[Judgement]]
) -> Sequence[Sequence[Judgement]]:
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
    if claim.where.python is None:
        return running
    named = [
        group for group in running if _name_python(_interpreter(group[0])) == claim.where.python
    ]
    return named or running[:1]


def decide(relation: Relation, margin: float, ratio: Estimate) -> ClaimStatus:
    """Hold the interval of left ÷ right against the margin.

    Where a claim denies a difference (``equal``, ``not less``, ``not more``), the margin is what
    still counts as none.
    """
    low, high = ratio.low, ratio.high
    match relation:
        case "less":
            holds, fails = high <= 1 / margin, low > 1 / margin
        case "more":
            holds, fails = low >= margin, high < margin
        case "not less":
            holds, fails = low > 1 / margin, high <= 1 / margin
        case "not more":
            holds, fails = high < margin, low >= margin
        case "equal":
            holds = low >= 1 / margin and high <= margin
            fails = high < 1 / margin or low > margin
    if holds:
        return "confirmed"
    return "refuted" if fails else "inconclusive"


def _interpreter(judgement: Judgement) -> str:
    return judgement.record.variant.interpreter


def _list_arenas(group: Sequence[Judgement]) -> list[Arena]:
    """What the smallest and the largest core count gave."""
    counts = list_sizes(group, "cores")
    return [select_cells(group, cores=count) for count in sorted({counts[0], counts[-1]})]


def _check_claim(claim: Claim, arena: Arena, one_core: Arena, system: str) -> Check:
    meant = list_meant(claim, arena, one_core)
    first = meant[0][1]
    variant = (first or arena[0]).record.variant
    check = Check(
        claim=claim,
        machine=variant.machine,
        interpreter=variant.interpreter,
        cores=variant.cores,
        workers=variant.workers,
        status="not applicable",
    )
    if not _applies(claim.where, variant, system):
        return check
    missing: list[tuple[str, Reason]] = []
    for side, judged in meant:
        lack = (side.program, _explain(judged))
        if (judged is None or not is_measured(judged.record)) and lack not in missing:
            missing.append(lack)
    if missing:
        return replace(check, reasons=tuple(missing))
    if claim.mark:
        assert first
        if first.verdict is None:
            return replace(check, reasons=_tell("no-baseline"))
        status = _decide_mark(claim.mark.verdicts, first.verdict)
        reasons = _tell("too-few-trials") if len(first.record.timed) < FEWEST else ()
        return replace(check, verdict=first.verdict, status=status, reasons=reasons)
    pairs = [list_pair(comparison, arena, one_core) for comparison in claim.all]
    if not all(left and right for left, right in pairs):
        return replace(check, reasons=_tell("no-metric"))
    if not all(min(right) > 0 for _, right in pairs):
        return replace(check, reasons=_tell("nothing-at-all"))
    compared = list(zip(claim.all, pairs, strict=True))
    findings = tuple(_compare(comparison, *pair) for comparison, pair in compared)
    few = any(_are_few(one, *pair) for one, pair in compared)
    left, right = pairs[0]
    return replace(
        check,
        status=_combine([finding.status for finding in findings]),
        ratio=findings[0].ratio,
        findings=findings,
        reasons=_tell("too-few-trials") if few else (),
        left=estimate_median(left),
        right=estimate_median(right) if isinstance(claim.all[0].right, Side) else None,
    )


def _applies(where: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    wanted_and_found = (
        (where.cores, cores),
        (where.gil, variant.gil),
        (where.system, system),
        (where.python, _name_python(variant.interpreter)),
    )
    return all(wanted in (None, found) for wanted, found in wanted_and_found)


def _name_python(interpreter: str) -> str:
    """The minor version in an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def _explain(judged: Judgement | None) -> Reason:
    """Why there is nothing of a program to compare."""
    return (judged and judged.record.reason) or Reason("not-measured")


def _tell(code: Code) -> tuple[tuple[str, Reason]]:
    return (("", Reason(code)),)


def _compare(comparison: Comparison, left: list[float], right: list[float]) -> Finding:
    ratio = estimate_ratio(left, right)
    status = decide(comparison.relation, comparison.margin, ratio)
    if _are_few(comparison, left, right):
        status = "inconclusive"
    return Finding(comparison=comparison, status=status, ratio=ratio)


def _are_few(comparison: Comparison, left: list[float], right: list[float]) -> bool:
    if isinstance(comparison.right, Side):
        return min(len(left), len(right)) < FEWEST
    return len(left) < FEWEST_AGAINST_A_NUMBER


def _decide_mark(expected: Sequence[Verdict], verdict: Verdict) -> ClaimStatus:
    if verdict in expected:
        return "confirmed"
    return "inconclusive" if verdict == "inconclusive" else "refuted"


def _combine(statuses: Sequence[ClaimStatus]) -> ClaimStatus:
    """Of comparisons that must all hold: one that fails refutes the whole."""
    for status in ("refuted", "inconclusive"):
        if status in statuses:
            return status
    return "confirmed"
