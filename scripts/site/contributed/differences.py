"""Differences: where contributed machines disagree with the others, told to whoever reviews them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from statistics import median

from scripts.harness.margins import DECIDED
from scripts.harness.pythons import Interpreter
from scripts.harness.store import locate_contributed
from scripts.site.declare.declarations import Declarations
from scripts.site.judge.claims import Standing, check_evidence, find_status
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.study.machines import OtherMachines

MOST_ITEMS = 20  # under one title; the number of the rest is told too
MOST_GAINS = 5


@dataclass(slots=True)
class View:
    """The statuses of claims by machine and claim, and the gains of cells by cell and machine."""

    claims: dict[str, dict[str, Standing]] = field(default_factory=lambda: defaultdict(dict))
    gains: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, evidence: Evidence, declared: Declarations) -> None:
        """Add an experiment on a machine."""
        id_ = evidence.machine.id
        claims = declared.claims.get(evidence.experiment.name, ())
        checks = check_evidence(claims, evidence)
        for claim in claims:
            own = [one for one in checks if one.claim is claim]
            self.claims[id_][claim.id] = find_status(own)
        pythons = {one.id: one for one in evidence.interpreters}
        for judged in evidence.judgements:
            if judged.speedup:
                self.gains[_name_cell(judged, pythons)][id_] = judged.speedup.median


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


def tell_differences(view: View, new: Collection[str]) -> Iterator[str]:
    """Tell where the machines ``new`` disagree with the others, in lines as ``tell_some`` gives."""
    claims: list[str] = []
    for id_ in sorted(view.claims.keys() & new):
        claims += _compare_claims(id_, view)
    if claims:
        yield from tell_some(f"Claims that are decided otherwise elsewhere: {len(claims)}", claims)
    gains = sorted(_compare_gains(view, new), reverse=True)[:MOST_GAINS]
    if gains:
        yield from tell_some("Farthest from other machines:", [line for _, line in gains])


def tell_some(title: str, items: Sequence[str]) -> Iterator[str]:
    """Tell the first items below a title, and how many more there are."""
    yield title
    yield from (f"  - {one}" for one in items[:MOST_ITEMS])
    if len(items) > MOST_ITEMS:
        yield f"  - and {len(items) - MOST_ITEMS} more"


def _compare_claims(id_: str, view: View) -> Iterator[str]:
    """Compare the claims that a machine decides with what most others say."""
    for claim, status in view.claims[id_].items():
        others: Counter[Standing] = Counter()
        for other, statuses in view.claims.items():
            if other != id_ and statuses.get(claim) in DECIDED:
                others[statuses[claim]] += 1
        if others and status in DECIDED:
            usual = others.most_common(1)[0][0]
            if status != usual:
                yield f"{claim} on {id_}: {status}; elsewhere {usual}"


def _compare_gains(view: View, new: Collection[str]) -> Iterator[tuple[float, str]]:
    """Compare gains with the median of the other machines: a distance and a line for each."""
    for cell, gains in view.gains.items():
        for id_ in gains.keys() & new:
            others = [one for other, one in gains.items() if other != id_]
            if others:
                gain, usual = gains[id_], median(others)
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
