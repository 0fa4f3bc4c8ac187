"""Outputs: what programs printed, where that is the finding."""

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.selection import select_family
from scripts.render.html import cell, code, link_program, render, row_header, small, strong, table
from scripts.render.names import name_family
from scripts.render.words import Words


def show_outputs(evidence: Evidence, words: Words, family: str) -> Markup:
    """What each program of a family printed, without its time, a row a start method."""
    rows = []
    for judgement in select_family(evidence, family):
        record = judgement.record
        variant = record.variant
        is_ok = record.status == "ok"
        printed = record.printed if is_ok else words.reason(record.reason)
        rows.append(
            row_header(link_program(variant.program) + small(variant.start_method or ""))
            + cell(code(printed), kind="prose")
        )
    head = words.texts("program", "printed")
    caption = name_family(evidence, family, words)
    return table(words, caption, head, rows, kind="outputs")


def show_output(evidence: Evidence, words: Words, program: str) -> Markup:
    """What a program printed on the most cores, and how it ended, which may be what it shows."""
    found = [one for one in evidence.judgements if one.record.variant.program == program]
    most = max(found, key=lambda one: one.record.variant.cores, default=None)
    if most is None or most.record.status != "ok":
        status = most.record.status if most else "unavailable"
        obstacles = (evidence.find_obstacle(program, one.id) for one in evidence.interpreters)
        reason = most.record.reason if most else next(filter(None, obstacles), None)
        lead = strong(f"{words.term('status', status)}.")
        return Markup("<p>{} {}</p>").format(lead, words.reason(reason))
    ending = words.term("ends", evidence.experiment.program(program).ends)
    return render("output.html", words=words, ending=ending, printed=most.record.printed)
