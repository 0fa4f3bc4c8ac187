"""A look at what there is: how much of it is decided, what is open and why.

A result at its margin is not open: it was measured well. Nor is what cannot be tried here.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from poolwise.experiment import Experiment
from poolwise.metrics import is_traced
from poolwise.progress import format_duration
from poolwise.record import Record, Variant
from scripts.site.declare.claims import Claim, list_sides
from scripts.site.judge.claims import Check, check_evidence, list_claim_cells
from scripts.site.judge.decisions import OPEN, SETTLED, UNSETTLED, Decision
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.judge import find_asked_sizes
from scripts.site.judge.rounds import Need, expect_trials
from scripts.site.judge.spreads import is_steady


def find_needs(checks: Sequence[Check], evidence: Evidence) -> list[Need]:
    """List what trials may settle: open claims, which come first, claims open in their size, and verdicts."""
    opened: list[tuple[str, Decision, bool]] = []
    for check in checks:
        if check.outcome in UNSETTLED:
            is_open = check.status == OPEN
            opened += ((check.claim.id, decision, is_open) for decision in check.decisions)
    for row in evidence.judgements:
        for decision in row.decisions:
            # Where the verdict is given, only trials of memory can still change it.
            if row.verdict is None or is_traced(decision.metric):
                opened.append((row.program, decision, False))
    records = {row.variant: row.record for row in evidence.judgements}
    needs = []
    for name, decision, urgent in opened:
        if decision.outcome in UNSETTLED:
            metric, sides = decision.metric, decision.sides
            need = Need(
                name=name,
                variants=sides,
                trials=expect_trials(decision),
                traced=is_traced(metric),
                urgent=urgent,
                steady=[side for side in sides if is_steady(records[side], metric)],
            )
            needs.append(need)
    return needs


MOST_LISTED = 3
# Why a check is open, by the code of its reason; without one, there were fewer trials than may be.
CAUSES = {
    "disturbed": "the machine was busy",
    "too-few-trials": "time was up before enough trials",
    "too-close": "too close to call",
    "sessions-differ": "another session may decide",
    "": "time was up before they were decided",
}
REMEDY = "On a quiet machine, `make measure FRESH=1 ONLY={}` gives {} more time."


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A look at the records: ``checks`` that apply, by experiment, and the ``needs`` of those still open."""

    checks: Mapping[str, Sequence[Check]]
    needs: Sequence[Need]

    @property
    def _checks(self) -> list[Check]:
        return list(chain.from_iterable(self.checks.values()))

    @property
    def _open(self) -> list[Check]:
        return [check for check in self._checks if check.status == OPEN]

    def describe_plan(self, more: Collection[Variant], left_s: float) -> list[str]:
        """Return lines on what is open, the time left, and the claims that get trials now."""
        line = f"{len(self._open)} of {len(self._checks)} checks open"
        claims, verdicts = [], 0
        for need in self.needs:
            verdicts += not need.urgent
            if need.urgent and not set(more).isdisjoint(need.variants):
                claims.append(need.name)
        if verdicts:
            line += f", {verdicts} verdicts"
        lines = [f"{line}; {format_duration(left_s)} left for further trials"]
        if claims:
            lines.append(f"  next: {_list_some(claims)}")
        return lines

    def count_shares(self) -> dict[str, float]:
        """Return the share of checks that are decided, and the share of each other status."""
        counts: Counter[str] = Counter()
        for check in self._checks:
            counts["decided" if check.status in SETTLED else check.status] += 1
        order = ["decided", *sorted(counts.keys() - {"decided"})] if counts else []
        return {status: counts[status] / counts.total() for status in order}

    def describe_end(self) -> list[str]:
        """Return a line with the shares of the statuses, one for each cause of open checks, and what to do."""
        if not self._checks:
            return []
        shares = ", ".join(f"{share:.0%} {status}" for status, share in self.count_shares().items())
        lines = [f"{len(self._checks)} checks: {shares}"]
        for cause, text in CAUSES.items():
            names = [check.claim.id for check in self._open if _find_cause(check) == cause]
            if names:
                lines.append(f"  {len(names)} open: {text} ({_list_some(names)})")
        counts: Counter[str] = Counter()
        for name, checks in self.checks.items():
            counts[name] = sum(map(_may_close, checks))
        wanting = [name for name, count in counts.most_common(MOST_LISTED) if count]
        if wanting:
            their = "it" if len(wanting) == 1 else "them"
            lines.append(f"  {REMEDY.format(','.join(wanting), their)}")
        return lines


def take_look(evidences: Iterable[Evidence], claims: Mapping[str, Sequence[Claim]]) -> Look:
    """Check all claims of some experiments, and tell what is open."""
    applying: dict[str, list[Check]] = {}
    needs: list[Need] = []
    for evidence in evidences:
        name = evidence.experiment.name
        checks = check_evidence(claims.get(name, ()), evidence)
        # Trials with less work than an article's decide nothing of what the article says.
        decidable = [check for check in checks if not check.preview]
        applying[name] = [check for check in decidable if check.status != "not applicable"]
        needs += find_needs(applying[name], evidence)
    return Look(checks=applying, needs=needs)


def _find_cause(check: Check) -> str:
    code = next((reason.code for _, reason in check.reasons), "")
    return code if code in CAUSES else ""


def _may_close(check: Check) -> bool:
    """Tell whether more time, or a quieter machine, may decide a check."""
    return check.status == OPEN and _find_cause(check) not in ("too-close", "sessions-differ")


def _list_some(names: Sequence[str]) -> str:
    """List the first of some names: ``a, b, c and 5 more``."""
    different = list(dict.fromkeys(names))
    rest = len(different) - MOST_LISTED
    return ", ".join(different[:MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def list_claimed(records: Iterable[Record], claims: Iterable[Claim], system: str) -> set[Variant]:
    """List the cells of an experiment that a claim compares; of ``records``, which may all be empty."""
    rows = Rows(Judgement(record=record) for record in records)
    return set().union(*(list_claim_cells(claim, rows, system) for claim in claims))


def list_weighed(records: Collection[Record], experiment: Experiment) -> set[Variant]:
    """List the cells of an experiment that a verdict compares; of ``records``, which may all be empty."""
    weighed = set()
    sizes = find_asked_sizes(experiment, records)
    for record in records:
        question = experiment.questions.get(record.family)
        if question and record.tasks == sizes.get(record.family):
            baseline = experiment.family(record.family).baseline
            contenders = question.contend or [program.name for program in experiment.programs]
            if record.program in (*contenders, baseline):
                weighed.add(record.variant)
    return weighed


def list_questions(
    variants: Collection[Variant], claims: Iterable[Claim]
) -> list[frozenset[Variant]]:
    """List the variants that are compared: by place, of equally many cores and tasks, and by claim."""
    groups: dict[Hashable, set[Variant]] = {}
    for cell in variants:
        place = (cell.family, cell.interpreter, cell.cores, cell.tasks)
        groups.setdefault(place, set()).add(cell)
    for claim in claims:
        sides = {(side.program, side.family) for side in list_sides(claim)}
        is_within = all(comparison.right_python == "same" for comparison in claim.all)
        for cell in variants:
            if (cell.program, cell.family) in sides:
                python = cell.interpreter if is_within else ""
                groups.setdefault((claim.id, python), set()).add(cell)
    return list(map(frozenset, groups.values()))
