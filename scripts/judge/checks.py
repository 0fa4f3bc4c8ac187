"""Checks: whether a claim holds on one machine, interpreter and core count.

A claim is decided by the bootstrap interval of a ratio against the claim's margin, never by the
ratio alone: *confirmed* if the whole interval satisfies the condition, *refuted* if none of it
does, *inconclusive* if it straddles the margin. (The confidence-interval form of equivalence and
superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from scripts.judge.claim import Claim, Comparison, Metric, Relation, Where
from scripts.judge.judge import is_measured
from scripts.judge.judgement import Estimate, Judgement, Verdict
from scripts.judge.statistics import estimate_median, estimate_ratio
from scripts.measure.variant import Trial, Variant
from scripts.records.record import Record

ClaimStatus = Literal["confirmed", "refuted", "inconclusive", "not applicable"]
FEWEST = 3
FEWEST_AGAINST_A_NUMBER = 5
"""With fewer values a side, the interval cannot keep its word: two samples of one size n lie wholly
on the wrong sides of each other with probability (n!)² ÷ (2n)!, one of n values wholly on the
wrong side of a number with 2⁻ⁿ; these are the least n for which either is at or under 5 %."""
TOO_FEW = "too few trials"
Cell = Mapping[str, Judgement]
"""What one interpreter gave on one core count, by program."""


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
    is none or nothing was measured, and ``reason`` then says why. ``right`` is ``None`` also where
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
    reason: str = ""


def check_claims(
    claims: Sequence[Claim], judgements: Iterable[Judgement], system: str
) -> tuple[Check, ...]:
    """Check every claim on the smallest and on the largest core count of each interpreter.

    Args:
        claims: of one experiment.
        judgements: of that experiment, one machine and one profile.
        system: the machine's operating system, as ``Machine.system``.
    """
    by_interpreter = sorted(judgements, key=_interpreter)
    return tuple(
        _check_claim(claim, cell, cells[0], system)
        for _, group in groupby(by_interpreter, key=_interpreter)
        for cells in [_list_cells(tuple(group))]
        for cell in cells
        for claim in claims
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


def _interpreter(judgement: Judgement) -> str:
    return judgement.record.variant.interpreter


def _list_cells(judgements: Sequence[Judgement]) -> list[Cell]:
    """The judgements by program, on one core count each: the smallest and the largest."""
    counts = {judged.record.variant.cores for judged in judgements}
    return [
        {
            judged.record.variant.program: judged
            for judged in judgements
            if judged.record.variant.cores == count
        }
        for count in sorted({min(counts), max(counts)})
    ]


def _check_claim(claim: Claim, cell: Cell, smallest: Cell, system: str) -> Check:
    program = claim.mark.program if claim.mark else claim.all[0].left
    variant = next(iter(cell.values())).record.variant
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
    needed = [program] if claim.mark else _list_programs(claim)
    missing = [name for name in needed if name not in cell or not is_measured(cell[name].record)]
    if missing:
        return replace(check, reason=", ".join(_explain(name, cell) for name in missing))
    if claim.mark:
        verdict = cell[program].verdict
        if len(cell[program].record.timed) < FEWEST:
            return replace(check, verdict=verdict, status="inconclusive", reason=TOO_FEW)
        return replace(check, verdict=verdict, status=_decide_mark(claim.mark.verdicts, verdict))
    pairs = [_list_pair(comparison, cell, smallest) for comparison in claim.all]
    if not all(left and right for left, right in pairs):
        return replace(check, reason="this system does not give the metric")
    compared = list(zip(claim.all, pairs, strict=True))
    findings = tuple(_compare(comparison, *pair) for comparison, pair in compared)
    left, right = pairs[0]
    return replace(
        check,
        status=_combine([finding.status for finding in findings]),
        ratio=findings[0].ratio,
        findings=findings,
        reason=TOO_FEW if any(_are_few(one, *pair) for one, pair in compared) else "",
        left=estimate_median(left),
        right=estimate_median(right) if isinstance(claim.all[0].right, str) else None,
    )


def _applies(where: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    wanted_and_found = (
        (where.cores, cores),
        (where.gil, variant.gil),
        (where.start_method, variant.start_method),
        (where.system, system),
    )
    return all(wanted in (None, found) for wanted, found in wanted_and_found)


def _list_programs(claim: Claim) -> list[str]:
    sides = [side for comparison in claim.all for side in (comparison.left, comparison.right)]
    return list(dict.fromkeys(side for side in sides if isinstance(side, str)))


def _explain(program: str, cell: Cell) -> str:
    """Why there is nothing of a program to compare."""
    return f"{program}: {cell[program].record.reason if program in cell else 'not measured'}"


def _compare(comparison: Comparison, left: list[float], right: list[float]) -> Finding:
    ratio = estimate_ratio(left, right)
    status = decide(comparison.relation, comparison.margin, ratio)
    if _are_few(comparison, left, right):
        status = "inconclusive"
    return Finding(comparison=comparison, status=status, ratio=ratio)


def _are_few(comparison: Comparison, left: list[float], right: list[float]) -> bool:
    if isinstance(comparison.right, str):
        return min(len(left), len(right)) < FEWEST
    return len(left) < FEWEST_AGAINST_A_NUMBER


def _decide_mark(expected: Sequence[Verdict], verdict: Verdict | None) -> ClaimStatus:
    if verdict in expected:
        return "confirmed"
    return "inconclusive" if verdict in (None, "inconclusive") else "refuted"


def _combine(statuses: Sequence[ClaimStatus]) -> ClaimStatus:
    """Of comparisons that must all hold: one that fails refutes the whole."""
    for status in ("refuted", "inconclusive"):
        if status in statuses:
            return status
    return "confirmed"


def _list_pair(
    comparison: Comparison, cell: Cell, smallest: Cell
) -> tuple[list[float], list[float]]:
    """The values of both sides; empty where the system does not give the metric."""
    left = list_values(comparison.metric, cell[comparison.left].record)
    if not isinstance(comparison.right, str):
        return left, [comparison.right]
    other = cell if comparison.right_cores == "same" else smallest
    if comparison.right not in other:
        return left, []
    return left, list_values(comparison.metric, other[comparison.right].record)


def list_values(metric: Metric, record: Record) -> list[float]:
    """A metric of a record, a value per trial that gave it."""
    if metric == "peak_pss_bytes":
        return [trial.peak_pss_bytes for trial in record.traced if trial.peak_pss_bytes]
    return [_READ[metric](trial) for trial in record.timed]


def _read_cpu(trial: Trial) -> float:
    return trial.user_s + trial.system_s


_READ: Mapping[Metric, Callable[[Trial], float]] = {
    "wall_s": lambda trial: trial.wall_s,
    "cpu_s": _read_cpu,
    "system_s": lambda trial: trial.system_s,
    "cpu_share": lambda trial: _read_cpu(trial) / trial.wall_s,
    "max_rss_bytes": lambda trial: trial.max_rss_bytes,
}
