"""Needs: which claims and verdicts are still open, and which variants further trials would settle.

What is borderline is not open: it was measured well. Nor is what cannot be tried here.
"""

from collections.abc import Iterator, Sequence
from math import inf, log

from msgspec import structs

from scripts.declare.claim import Claim
from scripts.declare.metrics import METRICS
from scripts.judge.findings import BORDER, Finding, list_swept
from scripts.judge.judgement import Judgement
from scripts.judge.selection import list_claim_arenas, list_meant, select_cells, select_measured
from scripts.judge.verification import Check
from scripts.measure.rounds import Need
from scripts.records.record import Record
from scripts.records.variant import Variant

OPEN = "undecided"
"""The status of a check, and the verdict on a program, that more trials may change."""
WORTHWHILE = 3
"""A variant that gets fewer trials in the first rounds is not there to be compared by its time."""


def find_needs(checks: Sequence[Check], judgements: Sequence[Judgement]) -> list[Need]:
    """What is open of an experiment: claims, which come first, and verdicts."""
    claimed = [
        need
        for check in checks
        if check.status == OPEN
        for need in _list_claimed(check, judgements)
    ]
    weighed = [
        Need(
            name=judged.record.variant.program,
            variants=_list_weighed(judged, judgements),
            urgent=False,
        )
        for judged in judgements
        if judged.verdict == OPEN and len(judged.record.timed) >= WORTHWHILE
    ]
    return claimed + weighed


def _list_claimed(check: Check, judgements: Sequence[Judgement]) -> Iterator[Need]:
    """One for each comparison of a claim that is open where it was checked, or for its mark."""
    for judged in _list_meant(check.claim, check, judgements) if check.claim.mark else ():
        yield Need(name=check.claim.id, variants=_list_weighed(judged, judgements))
    for finding in check.findings:
        if finding.status == OPEN:
            part = structs.replace(check.claim, all=[finding.comparison])
            meant = [one.record for one in _list_meant(part, check, judgements)]
            metric = METRICS.get(finding.comparison.metric)
            yield Need(
                name=check.claim.id,
                variants=tuple(dict.fromkeys(record.variant for record in meant)),
                trials=_expect_trials(finding, meant),
                traced=metric is not None and metric.traced,
            )


def _expect_trials(finding: Finding, records: Sequence[Record]) -> float:
    """How many trials a side may take until the interval lies on one side of the margin, or at it.

    An interval narrows with the root of their number.
    """
    ratio, margin = finding.ratio, finding.comparison.margin
    if not 0 < ratio.low < ratio.high < inf:
        return 0.0
    width = log(ratio.high / ratio.low) / 2
    ends = (margin, 1 / margin) if finding.comparison.relation in ("equal", "stays") else (margin,)
    away = min(abs(log(ratio.median / end)) for end in ends)
    target = max(away, log(BORDER) - away)
    tried = min(len(record.list_values(finding.comparison.metric)) for record in records)
    return tried * (width / target) ** 2


def _list_meant(claim: Claim, check: Check, judgements: Sequence[Judgement]) -> list[Judgement]:
    for arena, others in list_claim_arenas(claim, judgements):
        variant = arena[0].record.variant
        if (variant.interpreter, variant.cores) == (check.interpreter, check.cores):
            swept = [size for one in claim.all for size in list_swept(one, arena, others)]
            return [one for _, one in list_meant(claim, arena, others) if one] + swept
    return []


def _list_compared(judged: Judgement, judgements: Sequence[Judgement]) -> list[Judgement]:
    """What a verdict weighs: the program itself, its baseline, and the fastest beside them."""
    variant = judged.record.variant
    same = ("machine", "interpreter", "cores", "family", "tasks")
    beside = select_measured(
        select_cells(judgements, **{name: getattr(variant, name) for name in same})
    )
    fastest = min(beside, key=lambda one: one.median(judged.time) or 0.0)
    plain = [one for one in beside if one.record is judged.baseline]
    return [judged, fastest, *plain]


def _list_weighed(judged: Judgement, judgements: Sequence[Judgement]) -> tuple[Variant, ...]:
    compared = _list_compared(judged, judgements)
    return tuple(dict.fromkeys(one.record.variant for one in compared))
