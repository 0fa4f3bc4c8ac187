"""Claims: whether each holds on one machine, interpreter and core count, and what decided that.

A claim is checked on all cores of each interpreter, or on one if it says so. Each of its comparisons
comes to a finding, with the decisions that it rests on; all of them must hold. What may not happen
even once is refuted by a single trial. Every session is compared by itself, and what all of them say
together decides, see ``sessions``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, pairwise
from math import inf, log
from typing import Literal, get_args

from msgspec import structs

from poolwise.declaration import Code, Reason
from poolwise.experiment import Experiment
from poolwise.machine import Machine
from poolwise.metrics import find_unit
from poolwise.plan import is_sized
from poolwise.record import Record, Variant
from poolwise.statistics import FEWEST, Estimate
from scripts.site.declare.claims import (
    CLAIMED,
    WITHIN,
    Claim,
    Comparison,
    Outcome,
    Relation,
    Side,
    Size,
    find_minor,
    list_compared,
    list_sides,
    name_release,
)
from scripts.site.judge.decisions import (
    DECIDED,
    OPEN,
    STATUSES,
    ClaimStatus,
    Decision,
    combine,
    hold,
)
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.noise import find_task_wait
from scripts.site.judge.rounds import LEVELS, expect_trials
from scripts.site.judge.samples import UNMOVED, Sample, estimate_ratio, estimate_sample
from scripts.site.judge.sessions import average, is_session, pool, weigh
from scripts.site.judge.verdicts import COST_MARGIN

STEP = 1.1  # from one size of a sweep to the next, a smaller change the wrong way is none
TICK_S = 0.01  # in which a system counts CPU time, so no program is known to take less
FEWEST_FOR_NEVER = 3  # fewer trials cannot say that something never happens
LESS = ("less", "not less")
# A number is kept to or not: it has no other side, from which to differ a little or the other way.
_BESIDE_NUMBER: Mapping[Outcome, Outcome] = {
    "equal": "as-claimed",
    "equal-with-direction": "as-claimed",
    "no-difference": "apart",
    "other-way": "apart",
}

# The answer that a reader meets first: a status, or that nothing of a claim has been measured.
Standing = ClaimStatus | Literal["not measured"]
# With one of these a reader sees no number: it says nothing yet.
UNDECIDED: tuple[Standing, ...] = (OPEN, "not measured", "not applicable")
STANDINGS: tuple[Standing, ...] = (*DECIDED, "borderline", *UNDECIDED)
# Reasons that say only that a program has not run yet, or not often enough to decide.
UNMEASURED: frozenset[Code] = frozenset(
    ("left-out", "measuring-off", "not-measured", "too-few-trials")
)
Reasons = tuple[tuple[str, Reason], ...]  # each with its program, if it has one


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one comparison of a claim."""

    comparison: Comparison
    outcome: Outcome
    ratio: Estimate  # which gave the outcome, turned as the comparison says
    left: Estimate  # of a sweep, the least size
    right: Estimate  # of a sweep, the largest
    # Of a sweep there is one for the whole way and for each step, or for each pair.
    decisions: tuple[Decision, ...] = ()
    pooled: int = 0  # how many sessions count in the ratio; of 0 one is shown all the same

    @property
    def status(self) -> ClaimStatus:
        """The status that the outcome stands under."""
        return STATUSES[self.outcome]

    @property
    def whole(self) -> Estimate:
        """The ratio of both sides; of a sweep that of its ends, even where a step within gave the status."""
        is_sweep = self.comparison.relation in ("falls", "rises")
        return self.decisions[0].ratio if is_sweep and self.decisions else self.ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One claim on one machine, interpreter and core count."""

    claim: Claim
    machine: str
    interpreter: str
    cores: int
    workers: int
    outcome: Outcome | None = None  # the worst of the findings; none where it does not apply
    findings: tuple[Finding, ...] = ()  # one for each comparison, if anything was measured
    decisions: tuple[Decision, ...] = ()
    reasons: Reasons = ()  # why there is no finding, why it is open, or that others were busy
    # The check of each session alone, the oldest first, if several can tell.
    sessions: tuple["Check", ...] = ()
    memory: Finding | None = None  # of two programs of which one is said to gain, if it is no tie
    # What makes its number: the sizes of the rows compared, by name, each value once.
    at: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    preview: "Check | None" = None  # what came out of work that is smaller than that of its article
    records: tuple[Record, ...] = field(default=(), compare=False, repr=False)  # until pooled

    @property
    def pooled(self) -> int:
        """How many sessions count in each of its ratios; of 0 that shown has too few undisturbed trials."""
        return min((finding.pooled for finding in self.findings), default=0)

    @property
    def standing(self) -> Standing:
        """The status that a reader meets: where only trials are lacking, nothing is measured yet."""
        codes = {reason.code for _, reason in self.reasons}
        if codes and codes <= UNMEASURED:
            return "not measured"
        return self.status

    @property
    def status(self) -> ClaimStatus:
        """The status that the outcome stands under."""
        return STATUSES[self.outcome] if self.outcome else "not applicable"

    @property
    def deciding(self) -> Finding | None:
        """The first finding that gave the check its outcome."""
        for finding in self.findings:
            if finding.outcome == self.outcome:
                return finding
        return self.findings[0] if self.findings and self.sessions else None


def _applies(check: Check) -> bool:
    return check.status != "not applicable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The checks of a claim on another machine than the one shown, of which there is at least one."""

    machine: Machine
    checks: tuple[Check, ...]

    @property
    def main(self) -> Check:
        """The check that a reader meets first."""
        return max(self.checks, key=_applies)


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
        return max(self.checks, key=_applies, default=None)

    @property
    def status(self) -> Standing:
        """The status that a reader meets first."""
        return self.main.standing if self.main else "not measured"

    @property
    def gap(self) -> tuple[str, list[Reason]]:
        """Why it has no number to show: the key of a sentence, empty where it has one, and its reasons."""
        main, status = self.main, self.status
        if main is None or status == "not measured":
            return "not_measured", []
        if status not in UNDECIDED:
            return "", []
        reasons = [reason for _, reason in main.reasons if reason.code not in UNMEASURED]
        if status == "not applicable":
            return "not_tried", reasons
        # Other programs disturb all claims of a page: it says so once, above.
        is_busy = {reason.code for reason in reasons} == {"disturbed"}
        if not reasons or (is_busy and self.claim.topic != "answers"):
            return "not_decided", []
        return "not_decided_as", reasons

    @property
    def otherwise(self) -> tuple[Elsewhere, ...]:
        """The machines that decide it otherwise than it is decided on the machine shown."""
        others = set(DECIDED) - {self.status}
        return tuple(place for place in self.elsewhere if place.main.status in others)

    @property
    def machines(self) -> int:
        """How many machines could try it, that shown among them."""
        statuses = [self.status, *(place.main.status for place in self.elsewhere)]
        return sum(status not in ("not applicable", "not measured") for status in statuses)


def check_machines(
    name: str, claims: Sequence[Claim], evidences: Sequence[Evidence]
) -> Iterator[CheckedClaim]:
    """Check claims on the machine shown, the first, and on others."""
    places = [(evidence.machine, check_evidence(claims, evidence)) for evidence in evidences]
    for claim in claims:
        by_machine = []
        for machine, checks in places:
            by_machine.append((machine, tuple(check for check in checks if check.claim is claim)))
        elsewhere = []
        for machine, checks in by_machine[1:]:
            if checks:
                elsewhere.append(Elsewhere(machine=machine, checks=checks))
        yield CheckedClaim(
            experiment=name, claim=claim, checks=by_machine[0][1], elsewhere=tuple(elsewhere)
        )


def check_evidence(claims: Sequence[Claim], evidence: Evidence) -> tuple[Check, ...]:
    """Check the claims of an experiment on one machine: by each session alone, then by all together."""
    checks = []
    for alone in check_alone(claims, evidence):
        check = pool_sessions(alone, evidence)
        is_preview = check.outcome and _is_cut(check, evidence)
        checks.append(replace(check, outcome="preview", preview=check) if is_preview else check)
    return tuple(checks)


def _is_cut(check: Check, evidence: Evidence) -> bool:
    """Tell whether a claim of an article was checked with less work than the article's."""
    experiment = evidence.experiment
    if check.claim.source != experiment.source or experiment.source == "us":
        return False
    for cell in chain.from_iterable(decision.sides for decision in check.decisions):
        family = experiment.family(cell.family)
        sizes = experiment.profiles[evidence.find_profile(family.name)]
        full = experiment.profiles.get("full", sizes)
        asks_less = not family.offline and sizes.server_args != full.server_args
        if asks_less or not is_sized(experiment, full, cell):
            return True
    return False


def check_alone(claims: Sequence[Claim], evidence: Evidence) -> list[list[Check]]:
    """Check claims by each session alone, the oldest first; of other sessions nothing is known yet."""
    groups: dict[tuple[str, str, int], list[Check]] = {}
    for judgements in evidence.sessions or (evidence.judgements,):
        rows = Rows(row for row in judgements if row.can_decide)
        alike: dict[str, Rows] = {}
        for python in rows.values("interpreter"):
            pythons = evidence.list_alike(python)
            alike[python] = Rows(row for row in rows if row.interpreter in pythons)
        for claim in claims:
            for arena in _list_arenas(claim, rows):
                check = _check_claim(claim, arena, alike[arena[0].interpreter], evidence)
                groups.setdefault((claim.id, check.interpreter, check.cores), []).append(check)
    return list(groups.values())


def pool_sessions(checks: Sequence[Check], evidence: Evidence) -> Check:
    """Make one check of those of several sessions: by what they say together."""
    applying = [check for check in checks if _applies(check)]
    if not applying:
        return checks[-1]
    alone = [_pool_checks([check], evidence) for check in applying]
    if len(alone) == 1:
        return alone[0]
    return replace(_pool_checks(applying, evidence), sessions=tuple(alone))


def _pool_checks(checks: Sequence[Check], evidence: Evidence) -> Check:
    """Pool the checks of sessions, the oldest first; what has no ratio is of the last that counts."""

    def rank(check: Check) -> tuple[bool, bool]:
        is_counted = is_sure = True
        for decision in check.decisions:
            is_counted &= is_session(decision.ratio)
            is_sure &= decision.ratio.is_sure
        return is_counted, is_sure

    main = max(reversed(checks), key=rank)
    findings: list[Finding] = []
    decisions: list[Decision] = []
    for place, finding in enumerate(main.findings):
        of_sessions = [check.findings[place] for check in checks]
        pooled = _pool_findings(finding, of_sessions, evidence)
        findings.append(pooled)
        decisions += pooled.decisions
    memory = None
    if main.memory:
        tie = _pool_findings(main.memory, [c.memory for c in checks if c.memory], evidence)
        memory = tie if tie.status == "refuted" else None
    outcome = _combine_findings(findings)
    return replace(
        main,
        outcome=outcome,
        findings=tuple(findings),
        decisions=tuple(decisions),
        reasons=_explain_open(decisions, findings, main.records, STATUSES[outcome]),
        memory=memory,
        records=(),  # which would be kept with it
    )


def _pool_findings(main: Finding, findings: Sequence[Finding], evidence: Evidence) -> Finding:
    """Pool the findings of sessions, each of its decisions by itself."""
    comparison = main.comparison
    decisions: list[Decision] = []
    counted, shares = [main], [1.0]
    for decision in main.decisions:
        between = 1e-6  # as good as none: pairs of a session are said to be of that session
        if evidence.experiment.on_request != "in pairs":
            name = evidence.experiment.name
            between = evidence.between.find(decision.metric, decision.sides, name)
        giving, ratios = [], []
        for finding in findings:
            ratio = _find_same(decision, finding)
            if ratio and is_session(ratio):
                giving.append(finding)
                ratios.append(ratio)
        if not decisions:
            pooled = len(giving)
            if giving:
                counted, shares = giving, weigh(ratios, between)
        counting = ratios or [decision.ratio]
        if comparison.every:
            together = _find_worst(comparison, counting)
        else:
            together = pool(counting, between)
        decisions.append(
            hold(decision.metric, decision.sides, decision.relation, decision.margin, together)
        )
    left = average([finding.left for finding in counted], shares)
    right = average([finding.right for finding in counted], shares)
    if comparison.limit is not None and decisions[0].ratio.mean:
        left = replace(_scale(decisions[0], comparison.limit), median=left.median)
    concluded = _conclude(comparison, decisions, left, right)
    return replace(concluded, pooled=pooled)


def _find_same(decision: Decision, finding: Finding) -> Estimate | None:
    """Find the ratio of the same comparison in another session."""
    for other in finding.decisions:
        if (other.sides, other.relation) == (decision.sides, decision.relation):
            return other.ratio
    return None


def _find_worst(comparison: Comparison, ratios: Sequence[Estimate]) -> Estimate:
    """Find the ratio that is furthest on the wrong side of its margin."""

    def read(ratio: Estimate) -> float:
        return ratio.median

    return max(ratios, key=read) if comparison.relation in WITHIN else min(ratios, key=read)


def _scale(decision: Decision, limit: float) -> Estimate:
    """Return the value whose ratio to a number was held against a margin."""
    ratio = decision.ratio.invert() if decision.relation in LESS else decision.ratio
    ends = {name: getattr(ratio, name) * limit for name in ("median", "low", "high")}
    return replace(ratio, **ends, mean=None)


def choose_told(checked: CheckedClaim, evidence: Evidence) -> Evidence:
    """Choose what a claim tells of: the Python of its main check comes first.

    What is shown there is of one session. Of those that count it is the one whose ratio lies nearest to
    what all say together.
    """
    main = checked.main
    if main is None or not _applies(main):
        return evidence
    pythons = sorted(evidence.interpreters, key=lambda python: python.id != main.interpreter)
    chosen = replace(evidence, interpreters=tuple(pythons), sessions=())
    ranked = []
    for place, session in enumerate(evidence.sessions):
        for check in check_evidence([checked.claim], replace(chosen, judgements=session)):
            if (check.interpreter, check.cores) == (main.interpreter, main.cores) and check.pooled:
                away = _tell_distance(check.findings[0].whole, main.findings[0].whole)
                ranked.append((check.status != main.status, away, -place, session))
    if not ranked:
        return chosen
    session = min(ranked)[-1]
    judgements = []
    for row, pooled in zip(session, evidence.judgements, strict=True):
        judgements.append(row if row.record.is_measured else pooled)
    return replace(chosen, judgements=tuple(judgements))


def _tell_distance(ratio: Estimate, other: Estimate) -> float:
    """Tell how far two ratios lie apart, by the logarithm where both have one."""
    middles = (ratio.median, other.median)
    if 0 < min(middles) <= max(middles) < inf:
        return abs(log(ratio.median / other.median))
    return 0.0 if ratio.median == other.median else inf


def find_taken(program: str, checked: CheckedClaim, evidence: Evidence) -> Judgement | None:
    """Find the cell of a program by which its claim is decided; ``None`` where it does not apply."""
    main = checked.main
    if main is None or not _applies(main):
        return None
    side = next(side for side in list_sides(checked.claim) if side.program == program)
    return find_cell(side, evidence.rows.where(cores=main.cores, interpreter=main.interpreter))


def find_better(program: str, checked: CheckedClaim, evidence: Evidence) -> Judgement | None:
    """Find the program to take where the claim of another one does not hold: the recommended one of its family.

    ``None`` where the program may be taken as well, or nothing is recommended.
    """
    taken = find_taken(program, checked, evidence)
    if taken is None or is_borne_out(checked) or taken.verdict in ("recommended", "as good"):
        return None
    family = evidence.rows.where(family=taken.family, tasks=taken.tasks, cores=taken.cores)
    for row in family.where(interpreter=taken.interpreter):
        if row.verdict == "recommended" or row.cheaper == row.program:
            return row
    return None


def is_borne_out(checked: CheckedClaim) -> bool:
    """Tell whether advice may stand with the sign and the number of its claim."""
    return checked.status in ("confirmed", "borderline")


def _check_claim(claim: Claim, arena: Rows, rows: Rows, evidence: Evidence) -> Check:
    sides = _list_meant(claim, arena, rows)
    variant = (sides[0][1] or arena[0]).variant
    check = Check(
        claim=claim,
        machine=variant.machine,
        interpreter=variant.interpreter,
        cores=variant.cores,
        workers=variant.workers,
    )
    if not claim.where.matches(variant, evidence.machine.system):
        return check
    if not all(_choose_right(comparison, arena, rows) for comparison in claim.all):
        return replace(check, reasons=_give_reason("needs-ordinary-python"))
    group = rows.where(interpreter=variant.interpreter)
    missing: list[tuple[str, Reason]] = []
    for side, cell in sides:
        if cell is None or not cell.record.is_measured:
            reason = (side.program, _explain(side, cell, group, evidence))
            if reason not in missing:
                missing.append(reason)
    if missing:
        return replace(check, reasons=tuple(missing))
    if len({cell.record.profile for _, cell in sides if cell}) > 1:
        return replace(check, reasons=_give_reason("other-size"))
    findings: list[Finding] = []
    decisions: list[Decision] = []
    compared: list[Judgement] = []
    for comparison in claim.all:
        compared += _list_compared_cells(comparison, arena, rows).measured
        finding = compare(comparison, arena, rows)
        if not isinstance(finding, Finding):
            is_new = any(0 < len(row.record.timed) < FEWEST for row in compared)
            lacks_trials = finding == "no-metric" and is_new  # memory comes after the first look
            return replace(
                check, reasons=_give_reason("too-few-trials" if lacks_trials else finding)
            )
        findings.append(finding)
        decisions += finding.decisions
    return replace(
        check,
        outcome=_combine_findings(findings),
        findings=tuple(findings),
        decisions=tuple(decisions),
        memory=_compare_memory(claim, arena, rows),
        at=_list_sizes(claim, compared, evidence.experiment),
        records=tuple(cell.record for _, cell in sides if cell),
    )


def _combine_findings(findings: Sequence[Finding]) -> Outcome:
    """Return the worst outcome of the findings that a claim has; of several alike, the first.

    Where all hold and one comes out as claimed, so does the claim.
    """
    status = combine(finding.status for finding in findings)
    outcomes = [finding.outcome for finding in findings if finding.status == status]
    return next((outcome for outcome in outcomes if outcome in CLAIMED), outcomes[0])


def _list_sizes(
    claim: Claim, compared: Iterable[Judgement], experiment: Experiment
) -> dict[str, tuple[float, ...]]:
    """List the sizes of the rows that a claim compares, in their order; what is zero in all is left out."""
    at: dict[str, dict[float, None]] = {}
    for row in compared:
        record = row.record
        wait_s, longest_wait_s = find_task_wait(experiment.profiles[record.profile], record)
        sizes = {"tasks": row.tasks, "wait_s": wait_s, "longest_wait_s": longest_wait_s}
        for name in claim.at:  # in their order: what is published is the same at every build
            if name in record.params and name not in get_args(Size):
                sizes[name] = float(record.params[name])
        for name, value in (sizes | {"workers": row.workers, "cores": row.cores}).items():
            at.setdefault(name, {})[value] = None
    return {name: tuple(values) for name, values in at.items() if values.keys() != {0}}


def _explain_open(
    decisions: Iterable[Decision],
    findings: Iterable[Finding],
    records: Sequence[Record],
    status: ClaimStatus,
) -> Reasons:
    """Tell why there is no sure ratio, why all the trials of a session tell nothing, or that others were busy."""
    fewest = min(max(len(record.timed), len(record.traced)) for record in records)
    is_sure = all(finding.ratio.is_sure for finding in findings)
    is_moved = any(decision.ratio.allowance > 1 for decision in decisions)
    disturbed = [record for record in records if record.is_disturbed]
    if disturbed and fewest >= FEWEST and (is_moved or not is_sure):
        most = max(disturbed, key=lambda record: sum(record.taken) / record.cores)
        places = {"taken": round(sum(most.taken), 1), "cores": float(most.cores)}
        return (("", Reason("disturbed" if status == OPEN else "despite-others", places)),)
    if not is_sure:
        return _give_reason("too-few-trials")
    if status == OPEN and fewest >= LEVELS[-1]:
        return _give_reason("too-close")
    waited = [expect_trials(decision) for decision in decisions if decision.status == OPEN]
    if status == OPEN and min(waited, default=0.0) == inf:
        return _give_reason("sessions-differ")
    return ()


def _compare_memory(claim: Claim, arena: Rows, rows: Rows) -> Finding | None:
    """Compare the memory of two programs of which one is said to gain."""
    first = claim.all[0]
    if first.relation != "less" or first.limit is not None:
        return None
    for comparison in claim.all:
        if comparison.metric == "peak_pss_bytes" or comparison.left != first.left:
            return None
    tie = structs.replace(first, metric="peak_pss_bytes", relation="equal", margin=COST_MARGIN)
    finding = compare(tie, arena, rows)
    return finding if isinstance(finding, Finding) else None


def _explain(side: Side, cell: Judgement | None, group: Rows, evidence: Evidence) -> Reason:
    """Tell why an interpreter gave nothing of a program to compare."""
    if cell:
        return cell.record.reason or Reason("not-measured")
    if obstacle := evidence.find_obstacle(side.program, group[0].interpreter, side.family):
        return obstacle
    is_sized = side.tasks not in ("most", "least") or side.workers not in ("most", "least")
    others = group.where(program=side.program, family=side.family)
    return Reason("other-size" if is_sized and others else "not-measured")


def _give_reason(code: Code) -> Reasons:
    return (("", Reason(code)),)


def compare(comparison: Comparison, arena: Rows, rows: Rows) -> Finding | Code:
    """Compare what was measured in an arena of the rows; gives the reason if there is nothing to compare."""
    planned = cells = _list_compared_cells(comparison, arena, rows)
    if comparison.over:
        cells = cells.measured
    sides: list[tuple[Variant, Sample]] = []
    for cell in cells:
        sample = cell.sample(comparison.metric)
        if not sample:
            return "no-metric"
        if comparison.of_cores:
            sample = sample.turn(value / arena[0].cores for value in sample)
        if find_unit(comparison.metric) == "CPU s":
            sample = sample.turn(max(value, TICK_S) for value in sample)
        sides.append((cell.variant, sample))
    if comparison.over and len(cells) < 2:
        return "not-measured" if len(planned) > 1 else "one-size"
    if any(min(sample) <= 0 for _, sample in sides[1:]):
        return "nothing-at-all"
    if (limit := comparison.limit) is not None:
        decisions = [_hold_against_number(comparison, limit, *sides[0])]
        right = Estimate(median=limit, low=limit, high=limit, is_sure=False)
    else:
        decisions = _hold_sides(comparison, sides)
        right = estimate_sample(sides[-1][1])
    return _conclude(comparison, decisions, estimate_sample(sides[0][1]), right)


def _conclude(
    comparison: Comparison, decisions: Sequence[Decision], left: Estimate, right: Estimate
) -> Finding:
    """Conclude a comparison from its decisions, all of which must hold."""
    status = combine(decision.status for decision in decisions)
    giving = next(decision for decision in decisions if decision.status == status)
    is_step = giving.relation != comparison.relation  # which is turned the other way
    outcome = giving.outcome
    if comparison.limit is not None:
        outcome = _BESIDE_NUMBER.get(outcome, outcome)
    return Finding(
        comparison=comparison,
        outcome=outcome,
        ratio=giving.ratio.invert() if is_step else giving.ratio,
        left=left,
        right=right,
        decisions=tuple(decisions),
    )


def _list_compared_cells(comparison: Comparison, arena: Rows, rows: Rows) -> Rows:
    """List the cells of the left and the right side, or of each size of a sweep, from the least on."""
    side, over = comparison.left, comparison.over
    cells: list[Judgement | None] = []
    if over == "cores":
        group, counts = rows.where(interpreter=arena[0].interpreter), range(1, arena[0].cores + 1)
        cells += (find_cell(side, group.where(cores=count)) for count in counts)
    elif over:
        sizes = arena.where(program=side.program, family=side.family).values(over)
        cells += (find_cell(structs.replace(side, **{over: size}), arena) for size in sizes)
    else:
        cells.append(find_cell(side, arena))
        if isinstance(comparison.right, Side):
            cells.append(find_cell(comparison.right, _choose_right(comparison, arena, rows)))
    return Rows(filter(None, cells))


_Measured = tuple[Variant, Sample]


def _hold_sides(comparison: Comparison, sides: Sequence[_Measured]) -> list[Decision]:
    """Hold two sides against each other; of a sweep the whole way and each step, or each pair."""
    metric, relation, margin = comparison.metric, comparison.relation, comparison.margin
    decisions = []
    if relation == "stays":
        for less, more in combinations(sides, 2):
            decisions.append(_hold_pair(metric, relation, margin, more, less))
        return decisions
    way = sides[::-1] if relation == "rises" else sides
    decisions.append(_hold_pair(metric, relation, margin, way[0], way[-1]))
    if comparison.over:
        for before, after in pairwise(way):
            decisions.append(_hold_pair(metric, "not more", STEP, after, before))
    return decisions


def _hold_pair(
    metric: str, relation: Relation, margin: float, left: _Measured, right: _Measured
) -> Decision:
    above, below = (right, left) if relation in LESS else (left, right)
    sides = tuple(dict.fromkeys((left[0], right[0])))
    return hold(metric, sides, relation, margin, estimate_ratio(above[1], below[1]))


def _hold_against_number(
    comparison: Comparison, limit: float, cell: Variant, values: Sample
) -> Decision:
    relation = comparison.relation
    if relation in LESS:
        turned = values.turn((limit / value if value else inf for value in values), inverted=True)
    else:
        turned = values.turn(value / limit for value in values)
    ratio = estimate_sample(turned)
    if comparison.every:  # the trial that is furthest from it tells
        worst = max(turned) if relation in WITHIN else min(turned)
        is_sure = len(turned) >= FEWEST_FOR_NEVER and turned.span == UNMOVED
        ratio = Estimate(median=worst, low=worst, high=worst, is_sure=is_sure)
    return hold(comparison.metric, (cell,), relation, comparison.margin, ratio)


def _list_arenas(claim: Claim, rows: Rows) -> list[Rows]:
    """List where a claim is checked: on all cores of each Python it is about, or on one if it says so.

    It is about those of its version that run all its programs. If there are none, it is the first of
    those that come nearest: it says why it cannot be tried.
    """
    needed = {(side.program, side.family) for side in list_sides(claim)}

    def count_lacking(group: Rows) -> int:
        return len(needed - group.by("program", "family").keys())

    scope, groups = claim.where, list(rows.by("interpreter").values())
    complete = [group for group in groups if not count_lacking(group)]
    meant = []
    for group in complete:
        python = group[0].interpreter
        is_version = scope.python in (None, find_minor(python))
        if is_version and scope.release in (None, name_release(python)):
            meant.append(group)
    chosen = meant or complete[:1] or sorted(groups, key=count_lacking)[:1]
    place = 0 if scope.cores == "one" else -1
    return [group.where(cores=group.values("cores")[place]) for group in chosen]


def find_cell(side: Side, arena: Rows) -> Judgement | None:
    """Find the row that a side of a comparison means; ``None`` if there is none of that size."""
    cells = arena.where(program=side.program, family=side.family)
    if side.start_method:
        cells = cells.where(start_method=side.start_method)
    cells = _choose_size(_choose_size(cells, "tasks", side.tasks), "workers", side.workers)
    return next(iter(cells.measured or cells), None)


def _list_meant(claim: Claim, arena: Rows, rows: Rows) -> list[tuple[Side, Judgement | None]]:
    """List every program that a claim compares in an arena of the rows, with the row that is meant."""
    meant = []
    for comparison in claim.all:
        places = (arena, _choose_right(comparison, arena, rows))
        for side, place in zip(list_compared(comparison), places, strict=False):
            meant.append((side, find_cell(side, place)))
    return meant


def list_claim_cells(claim: Claim, rows: Rows, system: str) -> Iterator[Variant]:
    """List the cells that a claim compares where it applies, whether or not they have been measured."""
    for arena in _list_arenas(claim, rows):
        first = _list_meant(claim, arena, rows)[0][1] or arena[0]
        if claim.where.matches(first.variant, system):
            for comparison in claim.all:
                for cell in _list_compared_cells(comparison, arena, rows):
                    yield cell.variant


def _choose_right(comparison: Comparison, arena: Rows, rows: Rows) -> Rows:
    """Choose where the right side of a comparison is looked for, in rows of builds alike."""
    if comparison.right_python == "same":
        return arena
    release = comparison.right_python
    if release == "ordinary":
        release = name_release(arena[0].interpreter.removesuffix("-gil")).removesuffix("t")
    there = rows.where(cores=arena[0].cores)
    return Rows(row for row in there if name_release(row.interpreter) == release)


def _choose_size(cells: Rows, size: Size, wanted: str | int) -> Rows:
    if not cells:
        return cells
    sizes, cores = cells.values(size), cells[0].cores
    counts: dict[str | int, int] = {
        "most": sizes[-1],
        "least": sizes[0],
        "cores": cores,
        "above cores": cores + 1,
    }
    return cells.where(**{size: counts.get(wanted, wanted)})
