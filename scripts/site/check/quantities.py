"""Quantities on pages: what looks like a measurement and is typed by hand.

That is a number with a unit of time or memory, a ratio or a percentage. It may stand only in what
the build renders, in code (a setting is written ``5 ms`` as code), or in what a source said: a
paragraph or block quote with ``{.original}`` in its last line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import unescape
from typing import Annotated

from msgspec import Meta

from scripts.harness.declaration import Declared, convert, refuse
from scripts.harness.texts import locate_catalogue, read_catalogue
from scripts.site.check.markdown import Line, Paragraph, split

Patterns = Annotated[list[str], Meta(min_length=1)]

_DIGITS = r"\d[\d\s]*(?:[.,]\d+)?"
_NUMBER = rf"(?<![\w.,:/-]){_DIGITS}(?:[-–—]{_DIGITS})?"
_SYMBOLS = ("ns", "µs", "μs", "ms", "s", "min", "[kKMGT]i?B")
"""Of units, the same in every language."""
_UNREAD = re.compile(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)|\{[#.:][^}]*\}|<[^>]+>|https?://\S+")
_ORIGINAL = re.compile(r"\{:? *[^}]*\.original\b[^}]*\}")


class Quantities(Declared, frozen=True, kw_only=True):
    """Regular expressions, from ``[quantity]`` of a catalogue of words.

    Attributes:
        units: of time and memory, as they follow a number, besides those of SI.
        numbers: those that are written as words.
        comparisons: what says how many times as much; ``{number}`` is in digits or one of
            ``numbers``, ``{digits}`` in digits alone.
        percents: names of the per cent.
        intervals: what may follow a percentage that is a level of confidence.
    """

    units: Patterns
    numbers: Patterns
    comparisons: Patterns
    percents: Patterns
    intervals: Patterns


def find_quantities(lines: Iterable[Line], language: str) -> Iterator[Line]:
    """The typed quantities of a page's numbered lines, each with its line.

    Raises:
        MalformedDeclaration: the language's catalogue does not say how it writes quantities.
    """
    patterns = _compile(language)
    for part in split(lines):
        if not isinstance(part, Paragraph):
            continue
        if any(_ORIGINAL.search(text) for _, text in part.lines):
            continue
        for line, text in part.lines:
            prose = unescape(_UNREAD.sub(" ", text))
            for pattern in patterns:
                for found in pattern.finditer(prose):
                    yield line, f"typed by hand: {found[0].strip()!r}; make it a claim"


def load_quantities(language: str) -> Quantities:
    """The quantities of a language.

    Raises:
        MalformedDeclaration: the catalogue has none, or what it has is no regular expression.
    """
    path = locate_catalogue(language)
    found = convert(read_catalogue(language).get("quantity", {}), Quantities, path, "quantity")
    for key in Quantities.__struct_fields__:
        for pattern in getattr(found, key):
            try:
                re.compile(pattern.replace("{number}", "1").replace("{digits}", "1"))
            except re.error as error:
                message = f"{pattern!r} is no regular expression: {error}"
                refuse(path, [(["quantity", key], message)])
    return found


@cache
def _compile(language: str) -> tuple[re.Pattern[str], ...]:
    facts = load_quantities(language)
    number = rf"(?:{_NUMBER}|\b{_join(facts.numbers)})"
    comparisons = (
        one.replace("{number}", number).replace("{digits}", _NUMBER) for one in facts.comparisons
    )
    return (
        re.compile(rf"{_NUMBER}[\s-]?{_join([*_SYMBOLS, *facts.units])}(?!\w)"),
        re.compile(rf"{_NUMBER}\s?(?:×|[xх](?!\w))|×\s?\d"),
        re.compile(rf"{_NUMBER}(?:\s?%|\s{_join(facts.percents)})(?!\s*{_join(facts.intervals)})"),
        *(re.compile(one, re.IGNORECASE) for one in comparisons),
    )


def _join(patterns: Sequence[str]) -> str:
    return f"(?:{'|'.join(patterns)})"
