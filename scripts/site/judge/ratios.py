"""Ratios of two programs on each Python, by all sessions together, as those of claims are.

A picture that draws them shows the very numbers that sentences tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record
from poolwise.statistics import Estimate
from scripts.site.declare.claims import Claim, Comparison, Relation, Side
from scripts.site.judge.claims import check_evidence
from scripts.site.judge.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Ratio:
    """How the times of two cells compare, and the record of the first."""

    estimate: Estimate
    record: Record


Ratios = dict[str, Ratio]
"""A ratio for each Python, by its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A Python on a machine, and a ratio there for each question; ``None`` where it was not measured."""

    evidence: Evidence
    python: Interpreter
    ratios: Sequence[Ratio | None]


def pool_gains(evidence: Evidence, pairs: Sequence[tuple[Side, Side]]) -> list[Ratios]:
    """Return of each pair how many times as fast the first program was as the second."""
    return _pool(evidence, "less", "same", pairs)


def pool_prices(evidence: Evidence, sides: Sequence[Side]) -> list[Ratios]:
    """Return how many times as long each program took as with the GIL of the same version."""
    return _pool(evidence, "more", "ordinary", list(zip(sides, sides, strict=True)))


def choose_upgrade(
    evidences: Sequence[Evidence], family: str, sides: Sequence[Side]
) -> tuple[Build, Interpreter] | None:
    """Choose the newest release that ran a family, and the newest of the minor version before it.

    Both are final, have the GIL and are built alike, on one machine. The ratios say how many times as fast
    each side was on the newer.
    """
    best: tuple[Any, Evidence, Interpreter, Interpreter] | None = None
    for evidence in evidences:
        used = evidence.rows.where(family=family).measured.values("interpreter")
        ordinary = []
        for python in evidence.interpreters:
            is_final = python.version.replace(".", "").isdecimal()
            if is_final and python.id in used and not python.free_threaded:
                ordinary.append(python)
        for newer, older in permutations(ordinary, 2):
            if older.minor < newer.minor and older.options == newer.options:
                rank = (rank_interpreter(newer.version), rank_interpreter(older.version))
                if best is None or rank > best[0]:
                    best = (rank, evidence, newer, older)
    if best is None:
        return None
    _, evidence, newer, older = best
    pooled = _pool(evidence, "less", older.version, list(zip(sides, sides, strict=True)))
    ratios = [by_python.get(newer.id) for by_python in pooled]
    return Build(evidence=evidence, python=newer, ratios=ratios), older


def _pool(
    evidence: Evidence, relation: Relation, than: str, pairs: Sequence[tuple[Side, Side]]
) -> list[Ratios]:
    claims = []
    for number, (left, right) in enumerate(pairs):
        comparison = Comparison(
            metric="inside_s", left=left, right=right, relation=relation, right_python=than
        )
        claims.append(Claim(id=f"pair-{number}", topic="", source="us", all=[comparison], says={}))
    records = {row.variant: row.record for row in evidence.judgements}
    ratios: list[Ratios] = [{} for _ in claims]
    for check in check_evidence(claims, evidence):
        for finding in check.findings:
            decision = finding.decisions[0]
            if len({side.tasks for side in decision.sides}) == 1:  # a larger size is other work
                ratio = Ratio(decision.ratio, records[decision.sides[0]])
                ratios[claims.index(check.claim)][check.interpreter] = ratio
    return ratios


def choose_builds(
    evidences: Sequence[Evidence], ratios: Sequence[Sequence[Ratios]]
) -> dict[tuple[int, int], dict[str, Build]]:
    """Choose for each minor version the build with the GIL and that without; the oldest comes first.

    Of several it is the one that answers most questions, then that of the first machine, then the newest.
    Where any runs without the GIL, versions of which none does are left out.

    Args:
        evidences: of one experiment, one of each machine.
        ratios: of each evidence a list for the questions.
    """
    ranked = []
    for place, (evidence, of_questions) in enumerate(zip(evidences, ratios, strict=True)):
        pythons = sorted(evidence.interpreters, key=lambda python: rank_interpreter(python.version))
        for age, python in enumerate(pythons):
            given = [by_python.get(python.id) for by_python in of_questions]
            sure = sum(ratio is not None and ratio.estimate.is_sure for ratio in given)
            # A free-threaded build that runs with the GIL is no other release.
            if sure and python.free_threaded == (python.gil == "off"):
                build = Build(evidence=evidence, python=python, ratios=given)
                ranked.append(((-sure, given.count(None), place, -age), build))
    ranked.sort(key=lambda entry: entry[0])
    chosen: dict[tuple[int, int], dict[str, Build]] = {}
    for _, build in ranked:
        chosen.setdefault(build.python.minor, {}).setdefault(build.python.gil, build)
    both = {minor: builds for minor, builds in chosen.items() if "off" in builds}
    return dict(sorted((both or chosen).items()))
