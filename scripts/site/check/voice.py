"""Voice: what Choose and the answers advise, held against the claims and verdicts of the records."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.site.declare.claims import Claim
from scripts.site.declare.declarations import ANSWERS, Declarations
from scripts.site.judge.claims import Check, CheckedClaim, check_machines, choose_check, find_taken
from scripts.site.judge.judge import Evidence
from scripts.site.study.machines import OtherMachines

AGAINST = ("disqualified", "gains nothing")
"""Verdicts that no program has that is to be taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A program that a page advises, and the claim that this rests on.

    ``place`` is where it stands: ``docs/choices.toml: images``.
    """

    place: str
    experiment: str
    program: str
    claim: Claim


def find_objections(results: Path, declared: Declarations) -> Iterator[str]:
    """Tell which rows of Choose and which answers the records of each machine contradict."""
    advised = [*_list_choices(declared), *_list_answers(declared)]
    by_experiment: dict[str, list[Advice]] = {}
    for one in advised:
        by_experiment.setdefault(one.experiment, []).append(one)
    # What cannot be read is told by the check of the results files.
    machines = OtherMachines(results, "", declared.experiments, warn=lambda _: None)
    for name, own in by_experiment.items():
        claims = {one.claim.id: one.claim for one in own}
        for evidence in machines.judge(name, "quick"):
            found = check_machines(name, [*claims.values()], [evidence])
            checked = {one.claim.id: one for one in found}
            for one in own:
                if objection := find_objection(one.program, checked[one.claim.id], evidence):
                    yield f"{one.place}: {objection} by the records of {evidence.machine.id}"


def _list_choices(declared: Declarations) -> Iterator[Advice]:
    """List the programs that the rows of Choose advise."""
    for choice in declared.choices:
        (claim,) = (one for one in declared.claims[choice.experiment] if one.id == choice.claim)
        yield Advice(
            place=f"docs/choices.toml: {choice.id}",
            experiment=choice.experiment,
            program=choice.program,
            claim=claim,
        )


def _list_answers(declared: Declarations) -> Iterator[Advice]:
    """List the programs that the answers offer, each with the first claim about it."""
    told: set[str] = set()
    for claim in declared.claims[ANSWERS]:
        side = claim.all[0].left
        if side.program not in told:
            told.add(side.program)
            place = f"docs/*/{ANSWERS}/{side.family}.md"
            yield Advice(place=place, experiment=ANSWERS, program=side.program, claim=claim)


def find_objection(program: str, checked: CheckedClaim, evidence: Evidence) -> str:
    """Tell why a program cannot be advised by these records; empty if it can, or nothing is known."""
    main = choose_check(checked.checks)
    if main is None:
        return ""
    if main.status == "refuted" and not _still_gains(main):
        return f"{checked.claim.id} is refuted"
    row = find_taken(program, checked, evidence)
    if row and row.verdict in AGAINST:
        return f"{checked.experiment}/{program}: {row.verdict} in {row.family}"
    return ""


def _still_gains(check: Check) -> bool:
    """Tell whether a refuted claim promised only too much: the difference is surely of its kind."""
    refuted = [one for one in check.findings if one.status == "refuted"]
    return all(one.comparison.relation in ("less", "more") and one.ratio.low > 1 for one in refuted)
