"""Changes: how contributed records change what the pages say, told to whoever decides on them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from statistics import median

from scripts.harness.pythons import Interpreter
from scripts.harness.store import locate_contributed
from scripts.site.declare.claims import Verdict
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.margins import DECIDED
from scripts.site.judge.verification import Standing, check_evidence, find_status
from scripts.site.study.machines import OtherMachines

MOST_ITEMS = 20  # under one title; the number of the rest is told too
MOST_GAINS = 5


@dataclass(slots=True)
class View:
    """A summary of the pages: claims, verdicts and gains of each machine.

    ``claims`` and ``verdicts`` are by machine and by claim or cell, ``gains`` by cell and machine.
    """

    claims: dict[str, dict[str, Standing]] = field(default_factory=lambda: defaultdict(dict))
    verdicts: dict[str, dict[str, Verdict | None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    gains: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, evidence: Evidence, declared: Declarations) -> None:
        """Add the claims, verdicts and gains of one experiment on one machine."""
        id_ = evidence.machine.id
        claims = declared.claims.get(evidence.experiment.name, ())
        checks = check_evidence(claims, evidence)
        for claim in claims:
            own = [one for one in checks if one.claim is claim]
            self.claims[id_][claim.id] = find_status(own)
        pythons = {one.id: one for one in evidence.interpreters}
        for judged in evidence.judgements:
            cell = _name_cell(judged, pythons)
            self.verdicts[id_][cell] = judged.verdict
            if judged.speedup:
                self.gains[cell][id_] = judged.speedup.median


def take_view(results: Path, declared: Declarations) -> View:
    """Judge everything in a folder of results; what cannot be read is left out.

    What is contributed decides nothing on the pages; here it is judged as if it did.
    """
    view = View()
    for folder in (results, locate_contributed(results)):
        machines = OtherMachines(folder, "", declared.experiments, warn=lambda _: None)
        for name in declared.experiments:
            for evidence in machines.judge(name, "full"):
                view.add(evidence, declared)
    return view


def tell_changes(before: View, after: View) -> Iterator[str]:
    """Tell the differences in lines; those of an item begin with two spaces."""
    claims: list[str] = []
    for id_ in after.claims:
        claims += _compare_claims(id_, before, after)
    if claims:
        yield from tell_some(f"Claims that end otherwise: {len(claims)}", claims)
    verdicts = list(_compare_verdicts(before, after))
    if verdicts:
        yield from tell_some(f"Verdicts that change: {len(verdicts)}", verdicts)
    gains = sorted(_compare_gains(before, after), reverse=True)
    if gains:
        farthest = [line for _, line in gains[:MOST_GAINS]]
        yield from tell_some("Farthest from other machines:", farthest)


def tell_some(title: str, items: Sequence[str]) -> Iterator[str]:
    """Tell the first items below a title, and how many more there are."""
    yield title
    yield from (f"  - {one}" for one in items[:MOST_ITEMS])
    if len(items) > MOST_ITEMS:
        yield f"  - and {len(items) - MOST_ITEMS} more"


def _compare_claims(id_: str, before: View, after: View) -> Iterator[str]:
    """Claims that a machine decides otherwise than it did, or a new one than most others do."""
    for claim, now in after.claims[id_].items():
        if id_ in before.claims:
            was = before.claims[id_].get(claim, "not measured")
            if was != now:
                yield f"{claim} on {id_}: {was} → {now}"
            continue
        others = Counter(
            one[claim] for one in before.claims.values() if one.get(claim) in DECIDED
        ).most_common(1)
        if others and now in DECIDED and now != others[0][0]:
            yield f"{claim} on {id_}: {now}; elsewhere {others[0][0]}"


def _compare_verdicts(before: View, after: View) -> Iterator[str]:
    """Verdicts of known cells that have become others."""
    for id_, cells in after.verdicts.items():
        known = before.verdicts.get(id_, {})
        for cell, now in cells.items():
            if cell in known and known[cell] != now:
                yield f"{cell} on {id_}: {known[cell] or 'open'} → {now or 'open'}"


def _compare_gains(before: View, after: View) -> Iterator[tuple[float, str]]:
    """Changed gains: how far each is from the median of the other machines, and a line on it."""
    for cell, gains in after.gains.items():
        for id_, gain in gains.items():
            others = [one for other, one in gains.items() if other != id_]
            if others and before.gains.get(cell, {}).get(id_) != gain:
                usual = median(others)
                told = f"{cell}: {gain:.2f} times its baseline on {id_}, {usual:.2f} elsewhere"
                yield abs(log(gain / usual)), told


def _name_cell(judged: Judgement, pythons: Mapping[str, Interpreter]) -> str:
    """Name a program and its conditions, the same on every machine."""
    one = judged.record.variant
    python = pythons[one.interpreter].name if one.interpreter in pythons else one.interpreter
    method = f", {one.start_method}" if one.start_method else ""
    return (
        f"{one.experiment}/{one.program} ({one.family}, {one.tasks} tasks, {one.workers} workers,"
        f" {one.cores} cores{method}, Python {python}, {judged.record.profile})"
    )
