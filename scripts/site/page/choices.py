"""Blocks of choices for the pages, as ``show`` offers them."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.site.declare.choices import Choice
from scripts.site.judge.judge import Evidence
from scripts.site.page.context import gather, here, open_pipeline
from scripts.site.page.frame import choose_words
from scripts.site.render.choices import show_choice, show_choices, show_start
from scripts.site.render.html import block
from scripts.site.render.signs import explain_signs


def choices() -> Markup:
    """What to take for which task, with what it gave here."""
    chosen, evidences = _gather_choices()
    words = choose_words()
    content = show_choices(chosen, evidences, words)
    return block(content + explain_signs(content, words), kind="choices")


def start() -> Markup:
    """The answers with which Home begins."""
    chosen, evidences = _gather_choices()
    shown = show_start(chosen, evidences, choose_words(), _locate_choices())
    return block(shown, kind="choices")


def choice(id_: str) -> Markup:
    """One answer, by its id."""
    chosen, evidences = _gather_choices()
    (one,) = (choice for choice in chosen if choice.id == id_)
    shown = show_choice(one, evidences, choose_words(), _locate_choices())
    return block(shown, kind="choice")


def _gather_choices() -> tuple[Sequence[Choice], dict[str, Evidence]]:
    """All answers, and the evidence of every experiment that they name."""
    chosen = open_pipeline().declared.choices
    return chosen, {name: gather(name) for name in {one.take.partition("/")[0] for one in chosen}}


def _locate_choices() -> str:
    return f"{here().root}{here().language}/choose/"
