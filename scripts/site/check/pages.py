"""Pages as the checks read them: lines with their numbers, and the parts that these form."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from markdown_it import MarkdownIt

from poolwise.declaration import read_text
from scripts.site.declare.texts import list_languages

Line = tuple[int, str]  # with its number, from 1

# Only fences and headings matter. All else is a paragraph.
_MARKDOWN = MarkdownIt("zero").enable(["fence", "heading"])
_HEADING_ID = re.compile(r"\{#([^}]*)\}\s*$")
_RULE_ID = re.compile(r"\]\{#(rule-[^}]*)\}")


class Problem(NamedTuple):
    """A finding of a check: a file, a line from 1 or 0 for all of it, and a sentence."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``id`` is empty where it has none of its own."""

    line: int
    id: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code; ``options`` follow the opening marks, ``code`` has the lines between."""

    line: int
    options: str
    code: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines without an empty one among them; a heading is one, too."""

    lines: tuple[Line, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of its sentences that state a rule, ``[…]{#rule-…}``."""
        return tuple(id_ for _, text in self.lines for id_ in _RULE_ID.findall(text))


def split(lines: Sequence[Line]) -> Iterator[Heading | Fence | Paragraph]:
    """Split numbered lines into parts, in their order."""
    # Lists and admonitions indent fences, which must not make them parts of a paragraph.
    for token in _MARKDOWN.parse("".join(f"{text.lstrip()}\n" for _, text in lines)):
        if token.map is None:
            continue
        begin, end = token.map
        number, text = lines[begin]
        if token.type == "fence":
            inside = lines[begin + 1 : begin + 1 + token.content.count("\n")]
            yield Fence(number, token.info, dedent("\n".join(line for _, line in inside)))
        elif token.type == "heading_open" and text.startswith("#"):
            match = _HEADING_ID.search(text)
            yield Heading(number, match[1] if match else "")
        elif token.type == "inline":
            yield Paragraph(tuple(lines[begin:end]))


def list_pages(docs: Path) -> dict[str, dict[str, Path]]:
    """List the pages of every language by name."""
    by_language: dict[str, dict[str, Path]] = {}
    for language in list_languages():
        folder = docs / language
        pages = sorted((*folder.rglob("*.md"), *folder.rglob("*.ipynb")))
        by_language[language] = {str(path.relative_to(folder)): path for path in pages}
    return by_language


def read_lines(path: Path) -> list[Line]:
    """Read a page's lines with their numbers; of a notebook, those of its Markdown cells, without."""
    text = read_text(path)
    if path.suffix != ".ipynb":
        return list(enumerate(text.splitlines(), start=1))
    lines: list[Line] = []
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "markdown":
            lines += [(1, line) for line in "".join(cell["source"]).splitlines()]
            lines.append((1, ""))
    return lines
