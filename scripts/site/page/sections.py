"""Sections: which parts of a page's Markdown become pages of their own below it.

A page names them in its front matter, ``sections``: patterns of the ids of their headings. The
programs that stand below its heading ``{#code}`` share one page, ``code``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from mkdocs.utils.meta import get_data

from poolwise.declaration import read_text

IMPORT = "from scripts.site.page import show\n"
"""The line with which a fence begins."""

CODE = "code"
"""The id of the heading above an experiment's programs, and the name of their page."""
PROGRAM = "show.program("

_HEADING = re.compile(r"(#{1,6}) (.*?) *\{#([^}\s]+)[^}]*\}\s*")
_FENCES = ("```", "~~~")
_SENTENCE = re.compile(r".*?[.!?](?= )|.*[.!?:]$")
"""The first of a paragraph, which may end in a colon."""
_MARKS = re.compile(r"`([^`]*)`|\*|\]\([^)]*\)|\[")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and the text up to the next one; before the first heading there is none.

    ``page`` is the source of the page that it belongs on, ``sleep/code.md``. ``begins`` tells that
    its home has a link to it, where others follow it to that page. ``above`` are the headings above.
    """

    id: str
    title: str
    level: int
    text: str
    page: str = ""
    begins: bool = False
    above: tuple["Section", ...] = ()

    @property
    def is_program(self) -> bool:
        """Whether it shares the page of its experiment's code."""
        return self.page.endswith(f"/{CODE}.md")

    @property
    def heading(self) -> str:
        """Its line; nothing above the first."""
        return f"{'#' * self.level} {self.title} {{#{self.id}}}\n" if self.level else ""

    @property
    def programs(self) -> list[str]:
        """The programs that it shows, ``sleep/02-threads.py``, and what they share."""
        return [one.partition('"')[0] for one in self.text.split(f'{PROGRAM}"')[1:]]

    @property
    def program(self) -> str:
        """The first of them, or nothing."""
        return next(iter(self.programs), "")

    @property
    def anchors(self) -> list[str]:
        """The ids that the section brings along: its heading's and those of its claims."""
        return [self.id, *(f"claim-{one}" for one in list_claims(self.text))]


def list_claims(text: str) -> list[str]:
    """List the ids of the claims that a text shows one by one."""
    return [one.partition('"')[0] for one in text.split('show.claim("')[1:]]


def drop_marks(text: str) -> str:
    """Give Markdown as plain text."""
    return _MARKS.sub(r"\1", text)


def read_paragraph(text: str) -> str:
    """Read the first paragraph as plain text; a section may begin with a fence and have none."""
    return " ".join(drop_marks(text.strip().partition("\n\n")[0].partition("```")[0]).split())


def read_sentence(text: str) -> str:
    """Read the first sentence of the first paragraph; empty if there is none."""
    sentence = _SENTENCE.match(read_paragraph(text))
    return sentence[0] if sentence else ""


@dataclass(frozen=True, slots=True)
class Source:
    """A page as its author wrote it: front matter, and sections in their order."""

    matter: dict[str, Any]
    sections: tuple[Section, ...]

    @property
    def advice(self) -> str:
        """The first sentence below its title."""
        return next((read_sentence(one.text) for one in self.sections if one.level), "")

    def locate(self, anchor: str) -> str:
        """Find the page that has an anchor of this source now; empty if none is known to."""
        return next((one.page for one in self.sections if anchor in one.anchors), "")


def read_source(docs: Path, name: str) -> Source:
    """Read the source ``sleep.md`` below the ``docs`` of a language."""
    path = docs / name
    return _read(path, name, path.stat().st_mtime_ns)


@lru_cache(maxsize=1000)
def _read(path: Path, name: str, changed_ns: int) -> Source:
    del changed_ns  # only tells one state of the file from the next
    text = read_text(path)
    body, matter = get_data(text)
    # MkDocs takes front matter that is no YAML, as with a colon in a description, for none.
    if text.startswith("---\n") and not matter:
        raise ValueError(f"{path}:1: the front matter is no YAML; is a text with a colon unquoted?")
    sections = place_sections(split(body), name, matter.get("sections", ""))
    return Source(matter, tuple(sections))


def write_fence(name: str, call: str) -> str:
    """Write a fence that prints what a function of ``show`` gives."""
    head = f'```python exec="on" html="true" id="{name}"\n'
    return f"{head}{IMPORT}print(show.{call})\n```\n"


def scan(text: str) -> Iterator[tuple[str, bool]]:
    """Give each line, and whether it is part of a fence."""
    mark = ""
    for line in text.splitlines(keepends=True):
        start = line.lstrip()[:3]
        is_mark = start in _FENCES and mark in ("", start)
        yield line, bool(mark) or is_mark
        if is_mark:
            mark = "" if mark else start


def split(body: str) -> list[Section]:
    """Cut Markdown at its headings; what looks like one in a fence is none."""
    found: list[tuple[int, str, str, list[str]]] = [(0, "", "", [])]
    for line, is_fenced in scan(body):
        if not is_fenced and (heading := _HEADING.fullmatch(line)):
            found.append((len(heading[1]), heading[2], heading[3], []))
        else:
            found[-1][-1].append(line)
    return [
        Section(level=level, title=title, id=id_, text="".join(lines))
        for level, title, id_, lines in found
    ]


def place_sections(sections: Sequence[Section], name: str, patterns: str) -> Iterator[Section]:
    """Say of each section of the source ``name`` on which page it belongs.

    ``patterns`` are of the ids whose sections are pages of their own, with spaces between.
    """
    folder = name.removesuffix(".md")
    above: list[Section] = []
    taken = 0  # the level of the section whose page also takes what is below it
    for section in sections:
        while above and above[-1].level >= section.level:
            above.pop()
        page, begins = name, False
        if taken and section.level > taken:
            page = above[-1].page
        elif any(fnmatchcase(section.id, one) for one in patterns.split()):
            page, begins, taken = f"{folder}/{section.id}.md", True, section.level
        else:
            taken = 0
            if section.program and any(one.id == CODE for one in above):
                page, begins = f"{folder}/{CODE}.md", True
        placed = replace(section, page=page, begins=begins, above=tuple(above))
        if section.level:
            above.append(placed)
        yield placed
