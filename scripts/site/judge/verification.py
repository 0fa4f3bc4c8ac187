"""Verification: whether a claim holds on one machine, interpreter and core count."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, pairwise
from math import inf
from typing import Literal, get_args

from msgspec import structs

from scripts.harness.declaration import Code, Reason
from scripts.harness.machine import Machine
from scripts.harness.metrics import find_unit
from scripts.harness.record import Variant
from scripts.site.declare.claims import WITHIN, Claim, Comparison, Relation, Side, Verdict, Where
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.margins import DECIDED, ClaimStatus, combine, decide
from scripts.site.judge.selection import (
    Arena,
    choose_right,
    find_cell,
    list_claim_arenas,
    list_meant,
    list_sizes,
    name_python,
    select_cells,
    select_measured,
)
from scripts.site.judge.statistics import FEWEST, Estimate, Sample, estimate_median, estimate_ratio

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
        found = [find_cell(structs.replace(side, **{over: size}), arena) for size in sizes]
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


Obstacle = Callable[[str, str, str], Reason | None]
"""Why a program, by its name, does not run on an interpreter, by its id."""

Standing = ClaimStatus | Literal["not measured"]
"""Of a claim: the status of what a reader meets first of it, or that none of it has been measured."""
STANDINGS: tuple[Standing, ...] = (*get_args(ClaimStatus), "not measured")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One claim on one machine, interpreter and core count.

    ``findings`` has one for each comparison, in their order, ``verdict`` is that of its mark; there
    are none where nothing was measured, and ``reasons`` then say why, each with the program that
    it is about, or empty if with none. Where trials are of several sessions, ``sessions`` has the
    check of each that can tell, the oldest first.
    """

    claim: Claim
    machine: str
    interpreter: str
    cores: int
    workers: int
    status: ClaimStatus
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    reasons: tuple[tuple[str, Reason], ...] = ()
    sessions: tuple["Check", ...] = ()

    @property
    def deciding(self) -> Finding | None:
        """The first finding that gave the check its status; of one that flips, the first at all."""
        giving = (one for one in self.findings if one.status == self.status)
        return next(giving, self.findings[0] if self.findings and self.sessions else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A check on another machine than the one shown."""

    machine: Machine
    check: Check


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim of an experiment with its checks; none if nothing at all was measured.

    ``elsewhere`` has one of each other machine on which its answer is another.
    """

    experiment: str
    claim: Claim
    checks: tuple[Check, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()


def choose_check(checks: Sequence[Check]) -> Check | None:
    """The one that a reader meets first: where it applies, on the most cores."""
    return max(
        checks, key=lambda check: (check.status != "not applicable", check.cores), default=None
    )


def find_status(checks: Sequence[Check]) -> Standing:
    """What a reader is told first of a claim."""
    main = choose_check(checks)
    return main.status if main else "not measured"


def check_evidence(claims: Sequence[Claim], evidence: Evidence) -> tuple[Check, ...]:
    """Check the claims of an experiment on what there is of it, in each session by itself."""
    groups: dict[tuple[str, str, int], list[Check]] = {}
    for judgements in evidence.sessions or (evidence.judgements,):
        deciding = [one for one in judgements if one.can_decide]
        for check in check_claims(
            claims, deciding, evidence.machine.system, evidence.find_obstacle
        ):
            groups.setdefault((check.claim.id, check.interpreter, check.cores), []).append(check)
    return tuple(map(settle_check, groups.values()))


def settle_check(checks: Sequence[Check]) -> Check:
    """The check that stands for those of several sessions, which come with the oldest first.

    It is the last that is decided, or else the last that applies. What is confirmed in one session
    and refuted in another is borderline.
    """
    applying = [one for one in checks if one.status != "not applicable"]
    decided = [one for one in applying if one.status in DECIDED]
    main = (decided or applying or list(checks))[-1]
    if len(applying) < 2:
        return main
    flips = len({one.status for one in decided}) > 1
    return replace(main, status="borderline" if flips else main.status, sessions=tuple(applying))


def check_machines(
    name: str, claims: Sequence[Claim], evidences: Sequence[Evidence]
) -> Iterator[CheckedClaim]:
    """The claims of an experiment with their checks on the machine shown, the first, and on others.

    What strangers have contributed decides none.
    """
    shown, *others = (one for one in evidences if one.origin == "measured" or one is evidences[0])
    checks = check_evidence(claims, shown)
    away = [
        Elsewhere(machine=one.machine, check=check)
        for one in others
        for check in check_evidence(claims, one)
    ]
    for claim in claims:
        own = tuple(check for check in checks if check.claim is claim)
        told = find_otherwise(own, [one for one in away if one.check.claim is claim])
        yield CheckedClaim(experiment=name, claim=claim, checks=own, elsewhere=tuple(told))


def find_otherwise(checks: Sequence[Check], others: Sequence[Elsewhere]) -> list[Elsewhere]:
    """Of each other machine what a reader meets first of it, where that decides it otherwise.

    ``checks`` are of a claim on the machine shown, ``others`` of it elsewhere, each machine's together.
    """
    here = find_status(checks)
    found = []
    for _, group in groupby(others, lambda one: one.machine.id):
        own = list(group)
        main = choose_check([one.check for one in own])
        if main and main.status in DECIDED and main.status != here:
            found += [one for one in own if one.check is main]
    return found


def check_claims(
    claims: Sequence[Claim],
    judgements: Iterable[Judgement],
    system: str,
    find_obstacle: Obstacle = lambda *_: None,
) -> tuple[Check, ...]:
    """Check every claim on the smallest and on the largest core count of each interpreter.

    The interpreters keep the order in which the judgements have them.

    Args:
        claims: of one experiment.
        judgements: of that experiment, one machine and one profile.
        system: the machine's operating system, as ``Machine.system``.
        find_obstacle: tells why a program has no cell where another has.
    """
    judgements = tuple(judgements)
    return tuple(
        _check_claim(claim, arena, judgements, system, find_obstacle)
        for claim in claims
        for arena in list_claim_arenas(claim, judgements)
    )


def _check_claim(
    claim: Claim,
    arena: Arena,
    judgements: Sequence[Judgement],
    system: str,
    find_obstacle: Obstacle,
) -> Check:
    meant = list_meant(claim, arena, judgements)
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
    if any(
        one.right_python == "ordinary" and not choose_right(one, arena, judgements)
        for one in claim.all
    ):
        return replace(check, reasons=_tell("needs-ordinary-python"))
    group = select_cells(judgements, interpreter=variant.interpreter)
    missing = [
        (side.program, _explain(side, judged, group, find_obstacle))
        for side, judged in meant
        if judged is None or not judged.record.is_measured
    ]
    if missing:
        once = (one for place, one in enumerate(missing) if one not in missing[:place])
        return replace(check, reasons=tuple(once))
    if claim.mark:
        assert first
        return _check_mark(check, claim.mark.verdicts, first)
    found = [find_out(comparison, arena, judgements) for comparison in claim.all]
    codes = [one for one in found if isinstance(one, str)]
    if codes:
        return replace(check, reasons=_tell(codes[0]))
    is_disturbed = any(judged.record.is_disturbed for _, judged in meant if judged)
    findings = tuple(one for one in found if isinstance(one, Finding))
    return _conclude(check, findings, is_disturbed=is_disturbed)


def _conclude(check: Check, findings: tuple[Finding, ...], *, is_disturbed: bool) -> Check:
    """What all comparisons together come to."""
    few = any(not finding.ratio.is_sure for finding in findings)
    why: Code = "disturbed" if is_disturbed else "too-few-trials"
    return replace(
        check,
        status=combine(finding.status for finding in findings),
        findings=findings,
        reasons=_tell(why) if few else (),
    )


def _check_mark(check: Check, expected: Sequence[Verdict], marked: Judgement) -> Check:
    """Hold the verdict on a program against those that a mark stands for."""
    status: ClaimStatus
    match marked.verdict:
        case None:
            return replace(check, reasons=_tell("no-baseline"))
        case "borderline" | "undecided" as verdict:
            status = verdict
        case verdict:
            status = "confirmed" if verdict in expected else "refuted"
    reasons = _tell("too-few-trials") if len(marked.record.timed) < FEWEST else ()
    return replace(check, verdict=verdict, status=status, reasons=reasons)


def _applies(scope: Where, variant: Variant, system: str) -> bool:
    cores = "one" if variant.cores == 1 else "several"
    wanted_and_found = (
        (scope.cores, cores),
        (scope.gil, variant.gil),
        (scope.system, system),
        (scope.python, name_python(variant.interpreter)),
    )
    return all(wanted in (None, found) for wanted, found in wanted_and_found)


def _explain(side: Side, judged: Judgement | None, group: Arena, find_obstacle: Obstacle) -> Reason:
    """Why there is nothing of a program to compare, of what an interpreter gave."""
    if judged:
        return judged.record.reason or Reason("not-measured")
    interpreter = group[0].record.variant.interpreter
    if obstacle := find_obstacle(side.program, interpreter, side.family):
        return obstacle
    sized = side.tasks not in ("most", "least") or side.workers not in ("most", "least")
    others = select_cells(group, program=side.program, family=side.family)
    return Reason("other-size" if sized and others else "not-measured")


def _tell(code: Code) -> tuple[tuple[str, Reason]]:
    return (("", Reason(code)),)
