"""Choices: which program to take for which task, with the claim that says so."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from scripts.site.declare.choices import Choice
from scripts.site.judge.claims import CheckedClaim, find_taken
from scripts.site.judge.judge import Evidence
from scripts.site.render.claims import Summary
from scripts.site.render.html import join, program_anchor, render, strong
from scripts.site.render.names import name_family, name_place, title_program
from scripts.site.render.signs import show_status
from scripts.site.render.words import Words, capitalise

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


def show_choice(answer: Answer, words: Words, address: str) -> Markup:
    """Show one answer in a paragraph, with the way to the page with all of them."""
    choice = answer.choice
    return Markup('<p><a href="{}#choice-{}">{}</a>. {}: {}.</p>{}').format(
        address,
        choice.id,
        words.term("choose", "caption"),
        words.choose(choice.situation),
        strong(capitalise(words.choose(choice.advice))),
        show_evidence(answer, words),
    )


def show_evidence(answer: Answer, words: Words) -> Markup:
    """Show the sentence of the claim with its sign, or why it could not be tried, and the work."""
    told = Summary(answer.checked, words)
    return render(
        "choice-evidence.html",
        choice=answer.choice,
        told=told,
        sign=show_status(told.status, words) if told.is_decided else "",
        sentence=_explain(answer, words) if told.lacking else told.sentence,
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


def _explain(answer: Answer, words: Words) -> str:
    """Tell why nothing is shown of a choice."""
    gil = answer.choice.gil
    if gil and all(one.gil not in gil for one in answer.evidence.interpreters):
        return words.term("choose", f"needs_gil_{gil[0]}")
    return words.text("not_measured")
