"""Lists of claims: their rows, sentences, bar, form and badges; and choices, which rest on them."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from scripts.harness.pythons import rank_interpreter
from scripts.harness.statistics import DECIDED
from scripts.site.declare.declarations import Choice
from scripts.site.judge.claims import STANDINGS, Check, CheckedClaim, find_taken
from scripts.site.judge.judge import Evidence
from scripts.site.render.claims import Summary
from scripts.site.render.html import join, program_anchor, render, slug
from scripts.site.render.names import (
    name_family,
    name_place,
    name_status,
    show_status,
    title_program,
)
from scripts.site.render.words import Words

Homes = Mapping[str, str]
"""The ways to the pages on which claims stand whole, by their ids."""
LETTER_PX, EDGES_PX = 7.2, 12
BADGE_COLOURS = {"confirmed": "#1b6b3a", "refuted": "#a3261b"}
OTHER_COLOUR = "#5d6670"
"""As those, a background on which white letters are read."""


def list_claims(claims: Sequence[CheckedClaim], words: Words, homes: Homes) -> Markup:
    """Show a row for each claim, which leads to where it stands whole, by ``homes``."""
    rows = []
    for checked in claims:
        told = Summary(checked, words)
        checks = dict.fromkeys((one.status, one.interpreter) for one in checked.checks)
        row = render(
            "claim_row.html",
            words=words,
            told=told,
            status=name_status(checked.status, words),
            checks=json.dumps(list(checks) or [(checked.status, "")], separators=(",", ":")),
            home=homes[checked.claim.id],
        )
        rows.append(row)
    return Markup('<ul class="claims-list" data-search-exclude>{}</ul>').format(join(rows))


def show_findings(claims: Sequence[CheckedClaim], words: Words, homes: Homes) -> Markup:
    """Show the sentences of the claims that are decided, each with its sign; nothing if none is."""
    told = [Summary(checked, words) for checked in claims]
    decided = [one for one in told if one.checked.status in DECIDED]
    return render("findings.html", words=words, rows=decided, homes=homes) if decided else Markup()


def show_sizes(
    claims: Sequence[CheckedClaim], full: Sequence[Check], words: Words, homes: Homes
) -> Markup:
    """Tell how many checks come out the same at other sizes, and what came of those that do not.

    Only what is decided there is counted; ``full`` are the checks there.
    """
    there = {(one.claim.id, one.interpreter, one.cores): one for one in full}
    total, otherwise = 0, []
    for checked in claims:
        for one in checked.checks:
            found = there.get((one.claim.id, one.interpreter, one.cores))
            if found and found.status in DECIDED and one.status != "not applicable":
                total += 1
                if found.status != one.status:
                    otherwise.append((Summary(replace(checked, checks=(found,)), words), one))
    if not total:
        return Markup()
    return render("sizes.html", words=words, total=total, otherwise=otherwise, homes=homes)


def show_answers(rows: Sequence[tuple[str, str, CheckedClaim | None]], words: Words) -> Markup:
    """List answers by their addresses and titles, each with what its claim came to, or what it needs."""
    told = ((way, title, Summary(found, words) if found else None) for way, title, found in rows)
    return render("answers.html", words=words, rows=told)


def show_bar(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """Show how many claims have which status, as one bar; each as a reader meets it first."""
    counts = Counter(checked.status for checked in claims)
    rows = [(show_status(one, words), slug(one), counts[one]) for one in STANDINGS if counts[one]]
    return render("totals.html", words=words, rows=rows)


def show_filters(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """Show a form that the page's script brings to life; hidden until then: all are shown."""
    every = [check for checked in claims for check in checked.checks]
    interpreters = sorted({check.interpreter for check in every}, key=rank_interpreter)
    choices: dict[str, dict[str, str]] = {
        "source": {one.claim.source: words.term("source", one.claim.source) for one in claims},
        "topic": {one.claim.topic: words.term("topics", one.claim.topic) for one in claims},
        "status": {one: words.term("claim_status", one) for one in STANDINGS},
        "interpreter": {name: name for name in interpreters},
    }
    return render("filter.html", words=words, choices=choices)


def draw_badge(checked: CheckedClaim, words: Words) -> Markup:
    """Draw the id of a claim and its status, for pages of others."""
    told = name_status(checked.status, words)
    colour = BADGE_COLOURS.get(checked.status, OTHER_COLOUR)
    left, right = (round(len(text) * LETTER_PX + EDGES_PX) for text in (checked.claim.id, told))
    return render(
        "badge.svg", name=checked.claim.id, told=told, left=left, right=right, colour=colour
    )


# Which program to take for which task, with the claim that says so.

AXES = ("work", "tasks", "library", "cores", "memory", "gil")


def show_choices(answers: Sequence[tuple[Choice, CheckedClaim, Evidence]], words: Words) -> Markup:
    """Show a form with the questions, which a script brings to life, and a fold for each answer.

    An answer is a choice with its claim, and what was measured of the experiment.
    """
    folds = [
        render(
            "choice.html",
            words=words,
            choice=choice,
            axes=AXES,
            is_open=number == 0,
            home=f"../{choice.experiment}/#{program_anchor(choice.program)}",
            program=title_program(evidence.experiment, choice.program, words),
            evidence=show_evidence(choice, checked, evidence, words),
        )
        for number, (choice, checked, evidence) in enumerate(answers)
    ]
    form = render("choices-form.html", words=words, axes=AXES)
    return form + Markup('<div class="choices-list">{}</div>').format(join(folds))


def show_evidence(
    choice: Choice, checked: CheckedClaim, evidence: Evidence, words: Words
) -> Markup:
    """Show the sentence of the claim with its sign, or why it could not be tried, and the work."""
    told, work = Summary(checked, words), ""
    row = find_taken(choice.program, checked, evidence)
    if row and row.record.is_measured:
        family = name_family(evidence, row.family, words)
        place = name_place(evidence, row.variant, words, form="cores_nominative")
        work = f"{family}: {words.count('tasks', row.tasks)}, {place}"
    return render(
        "choice-evidence.html",
        choice=choice,
        told=told,
        sign="" if told.lacking else show_status(checked.status, words),
        sentence=told.lacking or told.sentence,
        work=work,
    )
