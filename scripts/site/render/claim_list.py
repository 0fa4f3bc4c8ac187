"""Lists of claims: their rows, sentences, bar, form and badges; and choices, which rest on them."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from scripts.harness.pythons import rank_interpreter
from scripts.harness.statistics import DECIDED
from scripts.site.declare.declarations import Choice
from scripts.site.judge.claims import STANDINGS, Check, CheckedClaim, find_taken
from scripts.site.judge.judge import Evidence
from scripts.site.render.claims import Summary
from scripts.site.render.html import join, program_anchor, render, slug
from scripts.site.render.names import (
    BADGE_COLOURS,
    ICONS,
    name_family,
    name_place,
    show_status,
    title_program,
)
from scripts.site.render.words import Words

LETTER_PX, EDGES_PX = 7.2, 12


def list_claims(claims: Sequence[CheckedClaim], words: Words, homes: Mapping[str, str]) -> Markup:
    """Show a row for each claim, which leads to where it stands whole: there the search leads too.

    A row is as short however many Pythons and machines have tried it. ``homes`` are the pages
    on which they stand, by the ids of the claims.
    """
    rows = []
    for checked in claims:
        told = Summary(checked, words)
        checks = dict.fromkeys((one.status, one.interpreter) for one in checked.checks)
        row = render(
            "claim_row.html",
            words=words,
            told=told,
            checks=json.dumps(list(checks) or [(told.status, "")], separators=(",", ":")),
            home=homes[checked.claim.id],
        )
        rows.append(row)
    return Markup('<ul class="claims-list" data-search-exclude>{}</ul>').format(join(rows))


def show_findings(claims: Sequence[CheckedClaim], words: Words, homes: Mapping[str, str]) -> Markup:
    """Show the sentences of the claims that are decided, each with its sign; nothing if none is.

    ``homes`` are the pages on which they stand whole, by their ids.
    """
    told = [Summary(checked, words) for checked in claims]
    decided = [one for one in told if one.is_decided]
    return render("findings.html", words=words, rows=decided, homes=homes) if decided else Markup()


def show_sizes(
    claims: Sequence[CheckedClaim], full: Sequence[Check], words: Words, homes: Mapping[str, str]
) -> Markup:
    """Tell how many checks come out the same at other sizes, and what came of those that do not.

    Only what is decided there is counted. ``full`` are the checks there, ``homes`` the ways to the
    claims.
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
    status = checked.status
    told = f"{ICONS[status]} {words.term('claim_status', status)}"
    left, right = (round(len(text) * LETTER_PX + EDGES_PX) for text in (checked.claim.id, told))
    colour = BADGE_COLOURS.get(status, BADGE_COLOURS[None])
    return render(
        "badge.svg", name=checked.claim.id, told=told, left=left, right=right, colour=colour
    )


# Which program to take for which task, with the claim that says so.

AXES = ("work", "tasks", "library", "cores", "memory", "gil")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A choice with what it rests on: its claim, and what was measured of the experiment."""

    choice: Choice
    checked: CheckedClaim
    evidence: Evidence


def show_choices(answers: Sequence[Answer], words: Words) -> Markup:
    """Show a form with the questions, which a script brings to life, and a fold for each answer.

    The first is open.
    """
    folds = [
        render(
            "choice.html",
            words=words,
            choice=answer.choice,
            axes=AXES,
            is_open=number == 0,
            home=f"../{answer.choice.experiment}/#{program_anchor(answer.choice.program)}",
            program=title_program(answer.evidence.experiment, answer.choice.program, words),
            evidence=show_evidence(answer, words),
        )
        for number, answer in enumerate(answers)
    ]
    form = render("choices-form.html", words=words, axes=AXES)
    return form + Markup('<div class="choices-list">{}</div>').format(join(folds))


def show_evidence(answer: Answer, words: Words) -> Markup:
    """Show the sentence of the claim with its sign, or why it could not be tried, and the work."""
    told = Summary(answer.checked, words)
    return render(
        "choice-evidence.html",
        choice=answer.choice,
        told=told,
        sign="" if told.lacking else show_status(told.status, words),
        sentence=told.lacking or told.sentence,
        work=_describe_work(answer, words),
    )


def _describe_work(answer: Answer, words: Words) -> str:
    """Tell what was done, how often, on how many cores."""
    row = find_taken(answer.choice.program, answer.checked, answer.evidence)
    if row is None or not row.record.is_measured:
        return ""
    family = name_family(answer.evidence, row.family, words)
    place = name_place(answer.evidence, row.variant, words, form="cores_nominative")
    return f"{family}: {words.count('tasks', row.tasks)}, {place}"
