"""What is asked is counted by state, and listed with its threads."""

from scripts.site.declare.questions import PublicQuestion, State
from scripts.site.render.asked import show_asked
from scripts.site.render.html import drop_tags
from scripts.site.render.words import NBSP, load_words


def make_question(ask: str, state: State) -> PublicQuestion:
    threads = ["a/b#1 2026-01", "c/d#2 2026-02"]
    return PublicQuestion(ask={"en": ask, "ru": ask}, place="a/#top", state=state, threads=threads)


def test_questions_are_counted_and_listed_by_state_each_with_its_place_and_threads() -> None:
    questions = [make_question("Why <b>?", "told"), make_question("How?", "measured")]
    shown = show_asked(questions, load_words("en"), "../{}".format)
    text = drop_tags(shown).replace(NBSP, " ")
    assert text.startswith("Of 2 questions, 1 is measured, 1 is told.")
    assert text.index("How?") < text.index("Why <b>?")
    assert '<a href="../a/#top">How?</a>' in shown
    assert '<a href="https://github.com/c/d/issues/2">c/d #2</a> (2026‑02)' in shown
    assert "No answer yet" not in text


def test_a_language_counts_in_its_own_words() -> None:
    questions = [make_question("Как?", "measured")] * 21 + [make_question("Где?", "not yet")]
    text = drop_tags(show_asked(questions, load_words("ru"), str)).replace(NBSP, " ")
    assert text.startswith("Из 22 вопросов на 21 отвечает измерение, на 1 ответа пока нет.")
