"""Choices: which program to take for which task, with what it gave here."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from scripts.declare.choice import Choice
from scripts.judge.evidence import Evidence
from scripts.judge.selection import find_chosen
from scripts.render.html import join, program_anchor, render, row_header, small, strong, table
from scripts.render.names import name_place
from scripts.render.tables import show_verdict
from scripts.render.words import Words

COLUMNS = ("situation", "advice", "measured", "why", "unless")
AXES = ("work", "tasks", "library", "cores", "memory", "gil")


def show_choices(
    choices: Sequence[Choice], evidences: Mapping[str, Evidence], words: Words
) -> Markup:
    """A form with the questions, which the page's script brings to life, and a row per answer.

    Args:
        choices: what there is to choose from.
        evidences: of every experiment that they name.
        words: of the page's language.
    """
    head = [words.term("choose", key) for key in COLUMNS]
    rows = [_show_row(choice, evidences, words) for choice in choices]
    shown = table(words, words.term("choose", "caption"), head, rows, kind="choices")
    form = render("choices-form.html", words=words, axes=AXES)
    return form + shown


def _show_row(choice: Choice, evidences: Mapping[str, Evidence], words: Words) -> Markup:
    experiment, _, program = choice.take.partition("/")
    home = Markup('<a href="../{}/#{}">{}</a>').format(experiment, program_anchor(program), program)
    situation = render("choice.html", words=words, choice=choice, axes=AXES)
    cells = (
        strong(words.choose(choice.advice)) + small(home),
        _show_measured(choice, evidences[experiment], words),
        words.choose(choice.why),
        words.choose(choice.unless),
    )
    return row_header(situation) + join(
        _label_cell(content, words.term("choose", key))
        for key, content in zip(COLUMNS[1:], cells, strict=True)
    )


def _label_cell(content: str, label: str) -> Markup:
    """A cell that, as a line of a card, tells whose column it is of."""
    return Markup('<td class="prose" data-label="{}">{}</td>').format(label, content)


def _show_measured(choice: Choice, evidence: Evidence, words: Words) -> Markup:
    """What the program gave: its time, or, if the answer is for little memory, its memory."""
    judged = find_chosen(choice, evidence)
    is_for_memory = choice.memory == ["little"]
    estimate = judged and (judged.estimate("peak_pss_bytes") if is_for_memory else judged.wall)
    if not (judged and estimate):
        return small(_explain(choice, evidence, words))
    variant = judged.record.variant
    place = name_place(evidence, variant, words, form="cores_nominative")
    if is_for_memory:
        tasks = words.count("tasks", variant.tasks)
        return strong(words.memory(estimate.median)) + small(f"{tasks}, {place}")
    shown = strong(words.duration(estimate)) + small(place)
    baseline = evidence.experiment.family(variant.family).baseline
    if judged.speedup and variant.program != baseline:
        ratio = words.ratio(judged.speedup.median)
        against = words.term("choose", "against").format(ratio=ratio, baseline=baseline)
        shown += small(against) + small(show_verdict(judged.verdict, words))
    return shown


def _explain(choice: Choice, evidence: Evidence, words: Words) -> str:
    """Why nothing is shown of a choice."""
    if choice.gil and all(one.gil not in choice.gil for one in evidence.interpreters):
        return words.term("choose", f"needs_gil_{choice.gil[0]}")
    return words.text("not_measured")
