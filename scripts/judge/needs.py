"""Needs: which claims and verdicts are still open, and which variants further trials would settle.

What is borderline is not open: it was measured well. Nor is what cannot be tried here.
"""

from collections.abc import Iterator, Sequence
from math import inf, log

from msgspec import structs

from scripts.declare.claim import Claim
from scripts.declare.metrics import METRICS
from scripts.judge.doubts import list_doubts
from scripts.judge.evidence import Evidence
from scripts.judge.findings import Finding, list_swept
from scripts.judge.judge import Judgement, contend, name_contender
from scripts.judge.margins import BORDER, OPEN
from scripts.judge.selection import list_claim_arenas, list_meant, select_cells, select_measured
from scripts.judge.statistics import NORMAL, Estimate
from scripts.judge.verification import Check
from scripts.measure.rounds import Need

WORTHWHILE = 2
"""A variant that gets fewer trials in the first rounds is not there to be compared by its time."""


def find_needs(checks: Sequence[Check], evidence: Evidence) -> list[Need]:
    """What is open of an experiment: claims, which come first, and verdicts."""
    claimed = [
        need for check in checks if check.status == OPEN for need in _list_claimed(check, evidence)
    ]
    weighed = [
        need
        for judged in evidence.judgements
        if judged.verdict and len(judged.record.timed) >= WORTHWHILE
        for need in _list_weighed(judged, evidence, judged.record.variant.program, urgent=False)
    ]
    return claimed + weighed


def _list_claimed(check: Check, evidence: Evidence) -> Iterator[Need]:
    """One for each comparison of a claim that is open where it was checked, or for its mark."""
    name, judgements = check.claim.id, evidence.judgements
    for judged in _list_meant(check.claim, check, judgements) if check.claim.mark else ():
        yield from _list_weighed(judged, evidence, name, urgent=True)
    for finding in check.findings:
        if finding.status == OPEN:
            part = structs.replace(check.claim, all=[finding.comparison])
            meant = [one.record for one in _list_meant(part, check, judgements)]
            yield Need(
                name=name,
                variants=tuple(dict.fromkeys(record.variant for record in meant)),
                trials=expect_decision(finding),
                traced=_is_traced(finding.comparison.metric),
            )


def _list_weighed(
    judged: Judgement, evidence: Evidence, name: str, *, urgent: bool
) -> Iterator[Need]:
    """One for each comparison that keeps a verdict open."""
    variant = judged.record.variant
    same = ("machine", "interpreter", "cores", "family", "tasks")
    cells = select_cells(evidence.judgements, **{key: getattr(variant, key) for key in same})
    beside = {name_contender(one.record): one for one in select_measured(cells)}
    records = [one.record for one in beside.values()]
    contenders = contend(records, judged.time, judged.spreads)
    if judged.baseline is None:
        return
    family = evidence.experiment.family(variant.family)
    own, plain = name_contender(judged.record), name_contender(judged.baseline)
    for doubt in list_doubts(own, contenders, plain, serves=family.serves):
        if judged.verdict != OPEN and not _is_traced(doubt.quantity):
            continue  # it decides between two of which the verdict says enough
        yield Need(
            name=name,
            variants=tuple(beside[one].record.variant for one in doubt.names),
            trials=_expect_trials(doubt.ratio, doubt.ends),
            traced=_is_traced(doubt.quantity),
            urgent=urgent,
        )


def _is_traced(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].traced


def expect_decision(finding: Finding) -> float:
    """How many trials a side it may take to decide a comparison of a claim."""
    margin, relation = finding.comparison.margin, finding.comparison.relation
    ends = (margin, 1 / margin) if relation in ("equal", "stays") else (margin,)
    return _expect_trials(finding.ratio, ends)


def _expect_trials(ratio: Estimate, ends: Sequence[float]) -> float:
    """How many trials a side may take until the interval lies on one side of the margins, or at one.

    Nought where nothing is known of how far they differ.
    """
    if not ratio.deviation or not 0 < ratio.median < inf:
        return 0.0
    away = min(abs(log(ratio.median / end)) for end in ends)
    return (NORMAL * ratio.deviation / max(away, log(BORDER) - away)) ** 2


def _list_meant(claim: Claim, check: Check, judgements: Sequence[Judgement]) -> list[Judgement]:
    for arena in list_claim_arenas(claim, judgements):
        variant = arena[0].record.variant
        if (variant.interpreter, variant.cores) == (check.interpreter, check.cores):
            swept = [size for one in claim.all for size in list_swept(one, arena, judgements)]
            return [one for _, one in list_meant(claim, arena, judgements) if one] + swept
    return []
