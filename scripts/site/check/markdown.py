"""Markdown: a page in its parts, as far as the checks look at them."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Line = tuple[int, str]
"""A line with its number, from 1."""

_FENCE = re.compile(r"^ *(`{3,}|~{3,})(.*)$")
_HEADING = re.compile(r"^#{1,6} .*?(?:\{#([^}]*)\})?\s*$")


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

    @property
    def is_executed(self) -> bool:
        """Whether the build runs it."""
        return "exec=" in self.options


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines without an empty one among them, a heading included."""

    lines: tuple[Line, ...]


def split(lines: Iterable[Line]) -> Iterator[Heading | Fence | Paragraph]:
    """The parts in their order; what looks like one of them inside a fence is none."""
    paragraph: list[Line] = []
    code: list[str] = []
    mark, options, start = "", "", 0
    for number, text in lines:
        found = _FENCE.match(text)
        if mark:
            if found and found[1] == mark and not found[2].strip():
                yield Fence(start, options, textwrap.dedent("\n".join(code)))
                mark, code = "", []
            else:
                code.append(text)
            continue
        if paragraph and (found or not text.strip()):
            yield Paragraph(tuple(paragraph))
            paragraph = []
        if found:
            mark, options, start = found[1], found[2], number
        elif text.strip():
            paragraph.append((number, text))
            if heading := _HEADING.match(text):
                yield Heading(number, heading[1] or "")
    if mark:
        yield Fence(start, options, textwrap.dedent("\n".join(code)))
    if paragraph:
        yield Paragraph(tuple(paragraph))
