"""Questions of strangers as the pages answer them: their places are there, and what says "measured" is."""

import re
from collections.abc import Iterator
from pathlib import Path

from poolwise.declaration import find_line, read_text
from scripts.site.check.pages import Problem
from scripts.site.declare.questions import PublicQuestion, read_asked
from scripts.site.declare.texts import list_languages
from scripts.site.page.sources import read_source, scan
from scripts.site.paths import QUESTIONS

# Fences that print what was measured.
_MEASURED = re.compile(
    r"\bshow\.(builds|chart|claim|findings|output|printed|readings|results|sheet|sweep|timeline|trace|waits)\("
)


def find_unanswered(docs: Path) -> Iterator[Problem]:
    """Find words and questions whose place is not there in some language, or has nothing measured as it says."""
    path = docs / QUESTIONS.name
    file, text = read_asked(path), read_text(path)
    for language in list_languages():
        for page, headings in file.words.items():
            for heading in headings:
                if message := _find_missing(docs / language, page, heading):
                    yield Problem(path, find_line(text, ["words", page, heading]), message)
        for number, question in enumerate(file.questions):
            if message := _find_fault(docs / language, question):
                yield Problem(path, find_line(text, ["questions", number]), message)


def _find_fault(docs: Path, question: PublicQuestion) -> str:
    """Say what is wrong with the place of a question in a language; empty if nothing is."""
    page, heading = question.page, question.heading
    message = _find_missing(docs, page, heading)
    if message or question.state != "measured":
        return message
    if _MEASURED.search(_read_section(read_text(docs / _name(page)), heading)):
        return ""
    return f"{docs.name}/{_name(page)}#{heading} prints no claim, chart or table"


def _find_missing(docs: Path, page: str, heading: str) -> str:
    """Say that a place is not there in a language; empty if it is."""
    name = _name(page)
    if not (docs / name).is_file():
        return f"there is no page {docs.name}/{name}"
    if heading not in read_source(docs, name).anchors:
        return f"{docs.name}/{name} has no heading #{heading}"
    return ""


def _name(page: str) -> str:
    """Return the source of a page by its address below a language."""
    return f"{page.rstrip('/') or 'index'}.md"


def _read_section(page: str, heading: str) -> str:
    """Return the text from a heading to the next of its level; the whole page if no fence is in it."""
    section: list[str] = []
    own_level = 0
    has_fence = False
    for line, is_fenced in scan(page):
        level = 0 if is_fenced else len(line) - len(line.lstrip("#"))
        if level and re.search(rf"\{{#{heading}[ }}]", line):
            own_level = level
        elif 0 < level <= own_level:
            break
        elif own_level:
            section.append(line)
            has_fence = has_fence or is_fenced
    return "\n".join(section) if has_fence else page
