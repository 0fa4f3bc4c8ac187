"""Choosing: whether what a page advises agrees with the claim and the verdict that it rests on."""

from scripts.site.declare.claims import list_sides
from scripts.site.judge.claims import Check, CheckedClaim, choose_check
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.meant import find_cell

AGAINST = ("disqualified", "gains nothing")
"""Verdicts that no program has that is to be taken."""


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


def find_taken(program: str, checked: CheckedClaim, evidence: Evidence) -> Judgement | None:
    """Find the cell of a program by which its claim is decided; ``None`` if it has none."""
    main = choose_check(checked.checks)
    if main is None:
        return None
    side = next(one for one in list_sides(checked.claim) if one.program == program)
    return find_cell(side, evidence.rows.where(cores=main.cores, interpreter=main.interpreter))
