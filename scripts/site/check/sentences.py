"""Sentences of pages that are too long to be read at once."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.site.check.pages import (
    Heading,
    Line,
    Paragraph,
    Problem,
    list_languages,
    read_lines,
    split,
)

MOST_WORDS = 25

_NOT_PROSE = re.compile(r"\s*[|#<>{]")  # among it what a source said and cells of tables
_TARGET = re.compile(r"\]\([^)]*\)|\{[^}]*\}")
_CODE = re.compile(r"`[^`]*`")
_OPENING = re.compile(r"^\s*(?:[-*]|\d+\.|[!?]{3}\+? \w+|description:) ")
_END = re.compile(r"(?<=[.!?])[\"»”)*\]]*\s+|:\s+(?=[\"«“(*\[]*[A-ZА-ЯЁ])")
_WORD = re.compile(r"[\w'’-]+")


def find_long_sentences(docs: Path) -> Iterator[Problem]:
    """Find the sentences of more than ``MOST_WORDS`` words; a piece of code counts as one."""
    for pages in list_languages(docs).values():
        for path in pages.values():
            for line, sentence in _list_sentences(read_lines(path)):
                words = len(_WORD.findall(sentence))
                if words > MOST_WORDS:
                    opening = " ".join(sentence.split()[:6])
                    message = f"{words} words in a sentence, {MOST_WORDS} are the most: {opening} …"
                    yield Problem(path, line, message)


def _list_sentences(lines: Sequence[Line]) -> Iterator[Line]:
    """List a page's sentences above its sources, each with its line; quotations are not ours."""
    for part in split(lines):
        if isinstance(part, Heading) and part.id == "sources":
            return
        if not isinstance(part, Paragraph) or ".original" in part.lines[-1][1]:
            continue
        for line, text in part.lines:
            if not _NOT_PROSE.match(text):
                prose = _OPENING.sub("", _TARGET.sub("]", _CODE.sub("Code", text)))
                yield from ((line, sentence) for sentence in _END.split(prose))
