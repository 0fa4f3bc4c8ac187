"""Checks: whether a claim holds on one machine, interpreter and core count.

A claim is decided by the bootstrap interval of a ratio against the claim's margin, never by the
ratio alone: *confirmed* if the whole interval satisfies the condition, *refuted* if none of it
does, *inconclusive* if it straddles the margin. (The confidence-interval form of equivalence and
superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from scripts.judge.claim import Claim, Comparison, Metric, Relation, Where
from scripts.judge.judge import is_measured
from scripts.judge.judgement import Estimate
from scripts.judge.statistics import estimate_median, estimate_ratio
from scripts.measure.variant import Trial, Variant
from scripts.records.record import Record

ClaimStatus = Literal["confirmed", "refuted", "inconclusive", "not applicable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One claim on one machine, interpreter and core count.

    ``ratio``, ``left`` and ``right`` are those of the claim's first comparison; ``None`` where
    nothing can be compared, and ``reason`` then says why. ``right`` is ``None`` also where the
    comparison is with a number.
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
    reason: str = ""


def check_claims(
    claims: Sequence[Claim], records: Iterable[Record], system: str
) -> tuple[Check, ...]:
    """Check every claim on the smallest and on the largest core count of each interpreter.

    Args:
        claims: of one experiment.
        records: of that experiment, one machine and one profile.
        system: the machine's operating system, as ``Machine.system``.
    """
    ordered = sorted(records, key=lambda record: record.variant.interpreter)
    return tuple(
        _check_claim(claim, cell, system)
        for _, group in groupby(ordered, key=lambda record: record.variant.interpreter)
        for cell in _list_cells(tuple(group))
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


def _list_cells(records: Sequence[Record]) -> list[dict[str, Record]]:
    """The records by program, on one core count each: the smallest and the largest."""
    counts = {record.variant.cores for record in records}
    return [
        {record.variant.program: record for record in records if record.variant.cores == count}
        for count in sorted({min(counts), max(counts)})
    ]


def _check_claim(claim: Claim, cell: Mapping[str, Record], system: str) -> Check:
    first = claim.all[0]
    variant = cell[first.left].variant
    if not _applies(claim.where, variant, system):
        return _make_check(claim, variant, "not applicable")
    missing = [
        side
        for comparison in claim.all
        for side in (comparison.left, comparison.right)
        if isinstance(side, str) and not is_measured(cell[side])
    ]
    if missing:
        reason = ", ".join(f"{side}: {cell[side].reason}" for side in dict.fromkeys(missing))
        return _make_check(claim, variant, "not applicable", reason=reason)
    ratios = [_compare(comparison, cell) for comparison in claim.all]
    if None in ratios:
        return _make_check(claim, variant, "not applicable", reason="not measured on this system")
    statuses = [
        decide(comparison.relation, comparison.margin, ratio)
        for comparison, ratio in zip(claim.all, ratios, strict=True)
        if ratio
    ]
    right = first.right
    return Check(
        claim=claim,
        machine=variant.machine,
        interpreter=variant.interpreter,
        cores=variant.cores,
        workers=variant.workers,
        status=_combine(statuses),
        ratio=ratios[0],
        left=estimate_median(list_values(first.metric, cell[first.left])),
        right=estimate_median(list_values(first.metric, cell[right]))
        if isinstance(right, str)
        else None,
    )


def _make_check(
    claim: Claim, variant: Variant, status: ClaimStatus, *, reason: str = ""
) -> Check:
    return Check(
        claim=claim,
        machine=variant.machine,
        interpreter=variant.interpreter,
        cores=variant.cores,
        workers=variant.workers,
        status=status,
        reason=reason,
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


def _combine(statuses: Sequence[ClaimStatus]) -> ClaimStatus:
    """Of comparisons that must all hold: one that fails refutes the whole."""
    for status in ("refuted", "inconclusive"):
        if status in statuses:
            return status
    return "confirmed"


def _compare(comparison: Comparison, cell: Mapping[str, Record]) -> Estimate | None:
    """The ratio of left to right, or to a number; ``None`` if the system does not give the metric."""
    left = list_values(comparison.metric, cell[comparison.left])
    if isinstance(comparison.right, str):
        right = list_values(comparison.metric, cell[comparison.right])
    else:
        right = [comparison.right]
    return estimate_ratio(left, right) if left and right else None


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
