"""Marks: what a source's own marks say of its programs, and our verdicts beside them."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.declare.claim import MARKS, UNSETTLED, Claim
from scripts.judge.verification import CheckedClaim
from scripts.render.claims import claim_anchor
from scripts.render.conditions import format_scope
from scripts.render.html import cell, join, link_program, row_header, small, table
from scripts.render.signs import show_status, show_verdict
from scripts.render.words import Words


def show_marks(marks: Sequence[CheckedClaim], words: Words) -> Markup:
    """A row per program: its mark, and on each core count our verdict and whether they agree.

    A mark has the address of its claim in the row of its program.
    """
    programs: dict[str, list[CheckedClaim]] = {}
    for checked in marks:
        if checked.claim.mark:
            programs.setdefault(checked.claim.mark.program.program, []).append(checked)
    counts = sorted({check.cores for one in marks for check in one.checks}, reverse=True)
    head = [words.text("program"), words.term("original", "mark")]
    head += [words.count("cores_nominative", count) for count in counts]
    rows = [
        row_header(join(map(_anchor, found)) + link_program(program))
        + cell(_name_marks([one.claim for one in found], words), kind="prose")
        + join(cell(_judge(found, count, words), kind="verdict-cell") for count in counts)
        for program, found in programs.items()
    ]
    return table(words, words.text("marks_caption"), head, rows, kind="marks")


def _anchor(checked: CheckedClaim) -> Markup:
    return Markup('<span id="{}"></span>').format(claim_anchor(checked.claim))


def _name_marks(claims: Sequence[Claim], words: Words) -> Markup:
    """The mark, or of several each with where it applies."""
    return join(
        Markup.escape(_name_mark(claim, words))
        + (small(format_scope(claim, words)) if len(claims) > 1 else "")
        for claim in claims
    )


def _name_mark(claim: Claim, words: Words) -> str:
    verdicts = tuple(claim.mark.verdicts) if claim.mark else ()
    _, name = MARKS.get(verdicts, ("", "bad"))
    return words.term("mark", name)


def _judge(found: Sequence[CheckedClaim], cores: int, words: Words) -> Markup:
    """Our verdict on so many cores and, unless it is open, what comes of the mark for them."""
    checks = [check for one in found for check in one.checks if check.cores == cores]
    applied = [check for check in checks if check.status != "not applicable"]
    check = next(iter(applied or checks), None)
    if check is None or check.verdict is None:
        return Markup("—")
    agreement = "" if check.status in UNSETTLED else show_status(check.status, words)
    return show_verdict(check.verdict, words) + small(agreement)
