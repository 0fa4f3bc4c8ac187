"""A look at what there is: how much of it is decided, what is open and why.

A result at its margin is not open: it was measured well. Nor is what cannot be tried here.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log

from poolwise.experiment import Experiment
from poolwise.metrics import is_traced
from poolwise.progress import format_duration
from poolwise.record import Record, Variant
from poolwise.statistics import NORMAL
from scripts.site.declare.claims import Claim, list_sides
from scripts.site.judge.claims import Check, check_evidence, list_cells
from scripts.site.judge.decisions import BORDER, DECIDED, OPEN, Decision
from scripts.site.judge.evidence import Evidence, Judgement, Rows, is_steady
from scripts.site.judge.judge import find_asked_sizes
from scripts.site.judge.rounds import Need


def find_needs(checks: Sequence[Check], evidence: Evidence) -> list[Need]:
    """List what is open of an experiment: claims, which come first, and verdicts."""
    opened = [
        (check.claim.id, decision, True)
        for check in checks
        if check.status == OPEN
        for decision in check.decisions
    ]
    opened += [
        (judged.program, decision, False)
        for judged in evidence.judgements
        for decision in judged.decisions
        # Where the verdict is given, only trials of memory can still change it.
        if judged.verdict is None or is_traced(decision.metric)
    ]
    records = {judged.variant: judged.record for judged in evidence.judgements}
    return [
        Need(
            name=name,
            variants=one.sides,
            trials=expect_trials(one),
            traced=is_traced(one.metric),
            urgent=urgent,
            steady=[side for side in one.sides if is_steady(records[side], one.metric)],
        )
        for name, one, urgent in opened
        if one.status == OPEN
    ]


def expect_trials(decision: Decision) -> float:
    """How many trials a side may take until the interval leaves the margin, or lies at it; 0 if unknown.

    No number of trials tells what others who are busy have changed.
    """
    ratio = decision.ratio
    if not ratio.deviation or not 0 < ratio.median < inf:
        return 0.0
    away = min(abs(log(ratio.median / end)) for end in decision.ends)
    if ratio.allowance > 1:
        away -= log(ratio.allowance)
        return (NORMAL * ratio.deviation / away) ** 2 if away > 0 else inf
    return (NORMAL * ratio.deviation / max(away, log(BORDER) - away)) ** 2


MOST_NAMED = 3
CAUSES = {
    "disturbed": "the machine was busy",
    "too-few-trials": "time was up before enough trials",
    "too-close": "too close to call",
    "": "time was up before they were decided",
}
"""Why a check is open, by the code of its reason; without one, there were fewer trials than may be."""
REMEDY = "On a quiet machine, `make measure FRESH=1 ONLY={}` gives {} more time."


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A look at the records: ``checks`` that apply, by experiment, and the ``needs`` of those still open."""

    checks: Mapping[str, Sequence[Check]]
    needs: Sequence[Need]

    @property
    def _checks(self) -> list[Check]:
        return [check for found in self.checks.values() for check in found]

    @property
    def _open(self) -> list[Check]:
        return [check for check in self._checks if check.status == OPEN]

    def describe_plan(self, more: Collection[Variant], left_s: float) -> list[str]:
        """Return lines on what is open, the time left, and the claims that get trials now."""
        verdicts = sum(not need.urgent for need in self.needs)
        line = (
            f"{len(self._open)} of {len(self._checks)} checks open"
            f"{f', {verdicts} verdicts' if verdicts else ''}"
            f"; {format_duration(left_s)} left for further trials"
        )
        claims = [
            need.name
            for need in self.needs
            if need.urgent and not set(more).isdisjoint(need.variants)
        ]
        return [line, *([f"  next: {_name_some(claims)}"] if claims else [])]

    def count_shares(self) -> dict[str, float]:
        """Return the share of checks that are decided, and the share of each other status."""
        counts = Counter("decided" if one.status in DECIDED else one.status for one in self._checks)
        order = ["decided", *sorted(counts.keys() - {"decided"})] if counts else []
        return {status: counts[status] / counts.total() for status in order}

    def describe_end(self) -> list[str]:
        """Return a line with the shares of the statuses, one for each cause of open checks, and what to do."""
        if not self._checks:
            return []
        shares = ", ".join(f"{share:.0%} {one}" for one, share in self.count_shares().items())
        lines = [f"{len(self._checks)} checks: {shares}"]
        for cause, text in CAUSES.items():
            names = [check.claim.id for check in self._open if _find_cause(check) == cause]
            if names:
                lines.append(f"  {len(names)} open: {text} ({_name_some(names)})")
        counts = Counter({name: sum(map(_may_close, self.checks[name])) for name in self.checks})
        wanting = [name for name, count in counts.most_common(MOST_NAMED) if count]
        if wanting:
            their = "it" if len(wanting) == 1 else "them"
            lines.append(f"  {REMEDY.format(','.join(wanting), their)}")
        return lines


def take_look(evidences: Iterable[Evidence], claims: Mapping[str, Sequence[Claim]]) -> Look:
    """Check all claims of some experiments, and tell what is open."""
    found: dict[str, list[Check]] = {}
    needs: list[Need] = []
    for evidence in evidences:
        name = evidence.experiment.name
        checks = check_evidence(claims.get(name, ()), evidence)
        found[name] = [check for check in checks if check.status != "not applicable"]
        needs += find_needs(found[name], evidence)
    return Look(checks=found, needs=needs)


def _find_cause(check: Check) -> str:
    code = next((reason.code for _, reason in check.reasons), "")
    return code if code in CAUSES else ""


def _may_close(check: Check) -> bool:
    """Tell whether more time, or a quieter machine, may decide a check."""
    return check.status == OPEN and _find_cause(check) != "too-close"


def _name_some(names: Sequence[str]) -> str:
    """Name the first of some: ``a, b, c and 5 more``."""
    different = list(dict.fromkeys(names))
    rest = len(different) - MOST_NAMED
    return ", ".join(different[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def list_claimed(records: Iterable[Record], claims: Iterable[Claim], system: str) -> set[Variant]:
    """List the cells of an experiment that a claim compares; of ``records``, which may all be empty."""
    rows = Rows(Judgement(record=one) for one in records)
    return {cell for claim in claims for cell in list_cells(claim, rows, system)}


def list_weighed(records: Collection[Record], experiment: Experiment) -> set[Variant]:
    """List the cells of an experiment that a verdict compares; of ``records``, which may all be empty."""
    sizes = find_asked_sizes(experiment, records)
    weighed = set()
    for family, question in experiment.questions.items():
        own = [one.name for one in experiment.programs if family in one.families]
        asked = {*(question.contend or own), experiment.family(family).baseline}
        for one in records:
            if one.family == family and one.program in asked and one.tasks == sizes.get(family):
                weighed.add(one.variant)
    return weighed


def list_questions(
    variants: Collection[Variant], claims: Iterable[Claim]
) -> list[frozenset[Variant]]:
    """List the variants that are compared: by place, of equally many cores and tasks, and by claim."""
    places: dict[tuple[str, str, int, int], set[Variant]] = {}
    for one in variants:
        places.setdefault((one.family, one.interpreter, one.cores, one.tasks), set()).add(one)
    questions = [frozenset(place) for place in places.values()]
    for claim in claims:
        sides = {(side.program, side.family) for side in list_sides(claim)}
        meant = [one for one in variants if (one.program, one.family) in sides]
        is_within = all(one.right_python == "same" for one in claim.all)
        pythons: dict[str, set[Variant]] = {}
        for one in meant:
            pythons.setdefault(one.interpreter if is_within else "", set()).add(one)
        questions += map(frozenset, pythons.values())
    return questions
