"""What is asked: the questions of strangers, where each is answered, and how many are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import get_args

from markupsafe import Markup

from scripts.site.declare.questions import PublicQuestion, State
from scripts.site.render.html import Row, join, prose, table
from scripts.site.render.words import Words

_LINK = Markup('<a href="{}">{}</a>')
_THREAD = Markup('<a href="https://github.com/{}/issues/{}">{} #{}</a> ({})')


def show_asked(
    questions: Sequence[PublicQuestion], words: Words, lead: Callable[[str], str]
) -> Markup:
    """Tell how many questions are answered in which way, and list them; ``lead`` is the way to a place."""
    counts = Counter(question.state for question in questions)
    rows: dict[str, list[Row]] = {}
    for state in get_args(State):
        for question in questions:
            if question.state == state:
                ask = _LINK.format(lead(question.place), words.choose(question.ask))
                threads = join(map(_show_thread, question.threads), ", ")
                rows.setdefault(words.term("asked_state", state), []).append((ask, prose(threads)))
    total = words.count("questions_of", len(questions))
    parts = [
        words.count(f"asked {state}", counts[state]) for state in get_args(State) if counts[state]
    ]
    sentence = words.text("asked_sum", total=total, parts=", ".join(parts))
    heads = words.texts("asked_question", "asked_threads")
    listed = table(words, words.text("asked_caption"), heads, rows, kind="asked")
    return Markup("<p>{}</p>").format(sentence) + listed


def _show_thread(thread: str) -> Markup:
    """Return a link to a public thread, with its month."""
    address, _, month = thread.partition(" ")
    repository, _, number = address.partition("#")
    month = month.replace("-", "\N{NON-BREAKING HYPHEN}")
    return _THREAD.format(repository, number, repository, number, month)
