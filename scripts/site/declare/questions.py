"""Questions: what strangers ask, in their words, and where it is answered.

``docs/questions.toml`` has both: words by page and heading, which are searched and not shown, and
questions, each with public threads in which it was asked.
"""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from poolwise.declaration import Declared, convert, read_toml, refuse
from scripts.site.declare.texts import find_bad_texts
from scripts.site.paths import QUESTIONS

State = Literal["measured", "told", "not yet"]
# An issue or a pull request and the month in which it was opened or last spoken in.
Thread = Annotated[str, Meta(pattern=r"^[\w.-]+/[\w.-]+#\d+ 20\d\d-(0[1-9]|1[0-2])\Z")]
Words = dict[str, dict[str, dict[str, str]]]  # by page, heading and language


class PublicQuestion(Declared, frozen=True, kw_only=True):
    """A question of strangers; ``place`` is the page and the heading of its answer."""

    ask: dict[str, str]
    place: Annotated[str, Meta(pattern=r"^([a-z0-9-]+/)*#[a-z0-9-]+\Z")]
    state: State
    threads: Annotated[list[Thread], Meta(min_length=2)]

    @property
    def page(self) -> str:
        """The page below a language: ``answers/stop-it/``."""
        return self.place.partition("#")[0]

    @property
    def heading(self) -> str:
        """The id of the heading: ``top``."""
        return self.place.partition("#")[2]


class QuestionsFile(Declared, frozen=True, kw_only=True):
    """All of the file: words by place, and questions in their order."""

    words: Words
    questions: list[PublicQuestion] = []

    def list_pages(self) -> list[str]:
        """List the pages that anything here leads to."""
        return list(dict.fromkeys([*self.words, *(question.page for question in self.questions)]))

    def list_words(self, page: str, language: str) -> dict[str, str]:
        """List by heading the words that lead to a page: those declared, then the questions."""
        said: dict[str, list[str]] = {}
        for heading, texts in self.words.get(page, {}).items():
            said[heading] = [texts[language]] if language in texts else []
        for question in self.questions:
            if question.page == page and language in question.ask:
                said.setdefault(question.heading, []).append(question.ask[language])
        return {heading: ", ".join(texts) for heading, texts in said.items() if texts}


def read_asked(path: Path = QUESTIONS) -> QuestionsFile:
    """Read what is asked."""
    questions = convert(read_toml(path), QuestionsFile, path)
    for number, question in enumerate(questions.questions):
        refuse(path, find_bad_texts(question.ask, "ask"), ["questions", number])
    return questions
