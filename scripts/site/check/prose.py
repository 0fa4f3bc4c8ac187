"""The text of pages: claims in their places, no typed quantity, no phrase that has been dropped.

A quantity is a number with a unit of time or memory, a ratio or a percentage. It may stand only in
the output of the build, in code (a setting is written ``5 ms`` as code), or in what a source said: a
paragraph or block quote with ``{.original}`` in its last line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from scripts.harness.declaration import (
    Declared,
    MalformedDeclaration,
    at,
    convert,
    find_line,
    read_text,
)
from scripts.site.check.pages import Line, Paragraph, Problem, read_lines, split
from scripts.site.declare.declarations import Declarations
from scripts.site.declare.texts import list_languages, locate_catalogue, read_catalogue
from scripts.site.page.sections import list_claims

Patterns = Annotated[list[str], Meta(min_length=1)]

_DIGITS = r"\d[\d\s]*(?:[.,]\d+)?"
_NUMBER = rf"(?<![\w.,:/-]){_DIGITS}(?:[-–—]{_DIGITS})?"
_SI_UNITS = ("ns", "µs", "μs", "ms", "s", "min", "[kKMGT]i?B")
_NOT_PROSE = re.compile(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)|\{[#.:][^}]*\}|<[^>]+>|https?://\S+")
_ORIGINAL = re.compile(r"\{:? *[^}]*\.original\b[^}]*\}")


class Quantities(Declared, frozen=True, kw_only=True):
    """Regular expressions, from ``[quantity]`` of a catalogue of words.

    Attributes:
        units: of time and memory, as they follow a number, besides those of SI.
        numbers: those that are written as words.
        comparisons: words for how many times as much; ``{number}`` is in digits or one of
            ``numbers``, ``{digits}`` in digits alone.
        percents: names of the per cent.
        intervals: words that follow a percentage if it is a level of confidence.
    """

    units: Patterns
    numbers: Patterns
    comparisons: Patterns
    percents: Patterns
    intervals: Patterns


def find_misplaced(docs: Path, declared: Declarations) -> Iterator[Problem]:
    """Find typed quantities, and claims that do not stand where they should.

    Claims are looked for in one language: ``languages`` tells if others have other fences.
    """
    languages = sorted({path.relative_to(docs).parts[0] for path in docs.rglob("*.md")})
    shown: dict[str, set[str]] = {}
    for language in languages:
        for path in sorted((docs / language).rglob("*")):
            if path.suffix not in (".md", ".ipynb"):
                continue
            for line, message in find_quantities(read_lines(path), language):
                yield Problem(path, line, message)
            if path.suffix == ".md" and language == languages[0]:
                name = str(path.relative_to(docs / language))
                shown[name] = {*list_claims(read_text(path))}
    yield from _find_unshown(declared, shown)


def find_quantities(lines: Sequence[Line], language: str) -> Iterator[Line]:
    """Find the typed quantities in a page's numbered lines, each with its line.

    Raises:
        MalformedDeclaration: the language's catalogue does not say how it writes quantities.
    """
    patterns = compile_quantities(language)
    for part in split(lines):
        if not isinstance(part, Paragraph):
            continue
        if any(_ORIGINAL.search(text) for _, text in part.lines):
            continue
        for line, text in part.lines:
            prose = unescape(_NOT_PROSE.sub(" ", text))
            for pattern in patterns:
                for found in pattern.finditer(prose):
                    yield line, f"typed by hand: {found[0].strip()!r}; make it a claim"


@cache
def compile_quantities(language: str) -> tuple[re.Pattern[str], ...]:
    """Compile the patterns of what looks measured in a language.

    Raises:
        MalformedDeclaration: the catalogue has none, or what it has is no regular expression.
    """
    path = locate_catalogue(language)
    facts = convert(read_catalogue(language).get("quantity", {}), Quantities, path, "quantity")
    number = rf"(?:{_NUMBER}|\b{_join(facts.numbers)})"
    patterns = [
        rf"{_NUMBER}[\s-]?{_join([*_SI_UNITS, *facts.units])}(?!\w)",
        rf"{_NUMBER}\s?(?:×|[xх](?!\w))|×\s?\d",
        rf"{_NUMBER}(?:\s?%|\s{_join(facts.percents)})(?!\s*{_join(facts.intervals)})",
    ]
    for comparison in facts.comparisons:
        filled = comparison.replace("{number}", number).replace("{digits}", _NUMBER)
        patterns.append(f"(?i:{filled})")
    try:
        return tuple(map(re.compile, patterns))
    except re.error as error:
        message = f"{error.pattern!r} is no regular expression: {error}"
        raise MalformedDeclaration(at(path, ["quantity"], message)) from None


def find_bad_wording(root: Path) -> Iterator[Problem]:
    """Find the phrases that ``[wording]`` of a catalogue lists, wherever readers would read them.

    Looked at are the project's pages, what examples and choices declare, and the catalogues.

    Raises:
        MalformedDeclaration: a text cannot be read.
    """
    declared = [*root.glob("examples/*/*.toml"), root / "docs" / "choices.toml"]
    for language in list_languages():
        folder = root / "docs" / language
        pages = [*folder.rglob("*.md"), *folder.rglob("*.ipynb"), locate_catalogue(language)]
        phrases: list[tuple[str, str]] = read_catalogue(language)["wording"]["avoid"]
        for path in filter(Path.is_file, sorted([*pages, *declared])):
            for number, line in enumerate(read_text(path).splitlines(), start=1):
                if line.lstrip().startswith("['"):  # the list itself
                    continue
                for pattern, instead in phrases:
                    if found := re.search(pattern, line, re.IGNORECASE):
                        yield Problem(path, number, f"{found[0]!r}: say {instead}")


def _find_unshown(declared: Declarations, shown: Mapping[str, set[str]]) -> Iterator[Problem]:
    """Claims that do not stand on the page of their experiment, or of one without on no page."""
    everywhere = set[str]().union(*shown.values())
    for name, claims in declared.claims.items():
        path, home = declared.experiments[name].folder / "claims.toml", f"{name}.md"
        for number, claim in enumerate(claims):
            if claim.id not in shown.get(home, everywhere):  # the list of everything leads there
                line = find_line(read_text(path), ["claims", number])
                said = f"{home} does not show" if home in shown else "no page shows"
                yield Problem(path, line, f"{said} the claim {claim.id!r}")


def _join(patterns: Sequence[str]) -> str:
    return f"(?:{'|'.join(patterns)})"
