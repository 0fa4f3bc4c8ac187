"""Checks: whether a claim holds on one machine, interpreter and core count.

A claim is decided by the bootstrap interval of a ratio against the claim's margin, never by the
ratio alone: *confirmed* if the whole interval satisfies the condition, *refuted* if none of it
does, *inconclusive* if it straddles the margin. (The confidence-interval form of equivalence and
superiority tests: Schuirmann, "A comparison of the two one-sided tests procedure and the power
approach", Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scripts.judge.claim import Claim, Comparison, Relation, Side, Where, list_sides
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
Cell = Sequence[Judgement]
"""What one interpreter gave on one core count."""


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
        _check_claim(claim, cell, cells[0], system)
        for claim in claims
        for group in _choose_groups(claim, groups)
        for cells in [_list_cells(group)]
        for cell in cells
    )


def _choose_groups(claim: Claim, groups: Sequence[Cell]) -> Sequence[Cell]:
    """The interpreters that a claim is about: of its Python, and running all its programs.

    If there is none, the first of those that come nearest: it says why it cannot be tried.
    """
    needed = {(side.program, side.family) for side in list_sides(claim)}

    def run(group: Cell) -> set[tuple[str, str]]:
        return {(one.record.variant.program, one.record.variant.family) for one in group}

    running = [group for group in groups if needed <= run(group)]
    if not running:
        return groups
    if claim.where.python is None:
        return running
    named = [
        group for group in running if _name_python(_interpreter(group[0])) == claim.where.python
    ]
    return named or running[:1]


def find_cell(side: Side, cell: Cell) -> Judgement | None:
    """The judgement that a side of a comparison means; ``None`` if there is none of that size."""
    found = [
        judged
        for judged in cell
        if (judged.record.variant.program, judged.record.variant.family)
        == (side.program, side.family)
        and side.start_method in (None, judged.record.variant.start_method)
    ]
    tasks = sorted({judged.record.variant.tasks for judged in found})
    if not tasks:
        return None
    cores = found[0].record.variant.cores
    named = {"most": tasks[-1], "least": tasks[0], "cores": cores, "above cores": cores + 1}
    wanted = named.get(side.tasks, side.tasks) if isinstance(side.tasks, str) else side.tasks
    found = [judged for judged in found if judged.record.variant.tasks == wanted]
    workers = sorted({judged.record.variant.workers for judged in found})
    if not workers:
        return None
    count = {"most": workers[-1], "least": workers[0]}.get(str(side.workers), side.workers)
    found = [judged for judged in found if judged.record.variant.workers == count]
    measured = [judged for judged in found if is_measured(judged.record)]
    return next(iter(measured or found), None)


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


def _list_cells(judgements: Cell) -> list[Cell]:
    """What each core count gave: the smallest and the largest."""
    counts = {judged.record.variant.cores for judged in judgements}
    return [
        [judged for judged in judgements if judged.record.variant.cores == count]
        for count in sorted({min(counts), max(counts)})
    ]


def _check_claim(claim: Claim, cell: Cell, smallest: Cell, system: str) -> Check:
    sides = list_sides(claim)
    meant = [find_cell(side, cell) for side in sides]
    variant = (meant[0] or cell[0]).record.variant
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
    missing = dict.fromkeys(
        _explain(side, judged)
        for side, judged in zip(sides, meant, strict=True)
        if judged is None or not is_measured(judged.record)
    )
    if missing:
        return replace(check, reason=", ".join(missing))
    if claim.mark:
        assert meant[0]
        verdict = meant[0].verdict
        if len(meant[0].record.timed) < FEWEST:
            return replace(check, verdict=verdict, status="inconclusive", reason=TOO_FEW)
        return replace(check, verdict=verdict, status=_decide_mark(claim.mark.verdicts, verdict))
    pairs = [_list_pair(comparison, cell, smallest) for comparison in claim.all]
    if not all(left and right for left, right in pairs):
        return replace(check, reason="this system does not give the metric")
    if not all(min(right) > 0 for _, right in pairs):
        return replace(check, reason="it is compared with nothing at all")
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
        right=estimate_median(right) if isinstance(claim.all[0].right, Side) else None,
    )


def _applies(where: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    wanted_and_found = (
        (where.cores, cores),
        (where.gil, variant.gil),
        (where.start_method, variant.start_method),
        (where.system, system),
        (where.python, _name_python(variant.interpreter)),
    )
    return all(wanted in (None, found) for wanted, found in wanted_and_found)


def _name_python(interpreter: str) -> str:
    """The minor version in an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def _explain(side: Side, judged: Judgement | None) -> str:
    """Why there is nothing of a program to compare."""
    return f"{side.program}: {judged.record.reason if judged else 'not measured'}"


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
    other = cell if comparison.right_cores == "same" else smallest

    def read(side: Side | float, cell: Cell) -> list[float]:
        if not isinstance(side, Side):
            return [side]
        judged = find_cell(side, cell)
        return list_values(comparison.metric, judged.record) if judged else []

    return read(comparison.left, cell), read(comparison.right, other)


def list_values(metric: str, record: Record) -> list[float]:
    """A metric or a reading of a record, a value per trial that gave it."""
    if metric == "peak_pss_bytes":
        return [trial.peak_pss_bytes for trial in record.traced if trial.peak_pss_bytes]
    if metric == "inside_s":
        return [trial.inside_s for trial in record.timed if trial.inside_s is not None]
    if metric in _READ:
        return [_READ[metric](trial) for trial in record.timed]
    return [trial.readings[metric] for trial in record.timed if metric in trial.readings]


def _read_cpu(trial: Trial) -> float:
    return trial.user_s + trial.system_s


_READ: Mapping[str, Callable[[Trial], float]] = {
    "wall_s": lambda trial: trial.wall_s,
    "cpu_s": _read_cpu,
    "system_s": lambda trial: trial.system_s,
    "cpu_share": lambda trial: _read_cpu(trial) / trial.wall_s,
    "max_rss_bytes": lambda trial: trial.max_rss_bytes,
}
