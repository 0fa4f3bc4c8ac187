"""Verification: whether a claim holds on one machine, interpreter and core count.

A claim is decided by the bootstrap interval of a ratio against the claim's margin, never by the
ratio alone: *confirmed* if the whole interval satisfies the condition, *refuted* if none of it
does, *inconclusive* if it straddles the margin. (The confidence-interval form of equivalence and
superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scripts.declare.claim import Claim, Comparison, Relation, Side, Verdict, Where
from scripts.declare.reason import Code, Reason
from scripts.judge.judgement import Judgement
from scripts.judge.selection import (
    Arena,
    choose_right,
    find_cell,
    is_measured,
    list_claim_arenas,
    list_meant,
    name_python,
)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim of an experiment with its checks; none if nothing at all was measured."""

    experiment: str
    claim: Claim
    checks: tuple[Check, ...] = ()


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
    judgements = tuple(judgements)
    return tuple(
        _check_claim(claim, arena, one_core, system)
        for claim in claims
        for arena, one_core in list_claim_arenas(claim, judgements)
    )


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
    return _check_comparisons(
        check, [_list_pair(comparison, arena, one_core) for comparison in claim.all]
    )


def _check_comparisons(check: Check, pairs: Sequence[tuple[list[float], list[float]]]) -> Check:
    """What came of the comparisons of a claim that applies, by the values of their sides."""
    claim = check.claim
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


def _applies(scope: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    wanted_and_found = (
        (scope.cores, cores),
        (scope.gil, variant.gil),
        (scope.system, system),
        (scope.python, name_python(variant.interpreter)),
    )
    return all(wanted in (None, found) for wanted, found in wanted_and_found)


def _explain(judged: Judgement | None) -> Reason:
    """Why there is nothing of a program to compare."""
    return (judged and judged.record.reason) or Reason("not-measured")


def _tell(code: Code) -> tuple[tuple[str, Reason]]:
    return (("", Reason(code)),)


def _list_pair(
    comparison: Comparison, arena: Arena, one_core: Arena
) -> tuple[list[float], list[float]]:
    """The values of both sides; empty where the metric was not measured."""

    def read(side: Side | float, arena: Arena) -> list[float]:
        if not isinstance(side, Side):
            return [side]
        judged = find_cell(side, arena)
        return judged.record.list_values(comparison.metric) if judged else []

    other = choose_right(comparison, arena, one_core)
    return read(comparison.left, arena), read(comparison.right, other)


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
