"""The text of pages: claims in place, no typed quantity, no dropped phrase, no long sentence.

A quantity is a number with a unit of time or memory, a ratio or a percentage. It may stand only in
the output of the build, in code (a setting is written ``5 ms`` as code), or in what a source said: a
paragraph or block quote with ``{.original}`` in its last line, a table with it in its last cell.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from html import unescape
from itertools import pairwise
from pathlib import Path

from poolwise.declaration import find_line, read_text
from scripts.site.check.pages import (
    Heading,
    Line,
    Paragraph,
    Problem,
    list_pages,
    read_lines,
    split,
)
from scripts.site.declare.declarations import Declarations
from scripts.site.declare.texts import locate_catalogue, read_catalogue
from scripts.site.page.sources import list_claims
from scripts.site.render.words import SI_UNITS

_DIGITS = r"\d[\d\s]*(?:[.,]\d+)?"
_NUMBER = rf"(?<![\w.,:/-]){_DIGITS}(?:[-–—]{_DIGITS})?"
_NOT_PROSE = re.compile(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)|\{[#.:][^}]*\}|<[^>]+>|https?://\S+")
_ORIGINAL = re.compile(r"\{:? *[^}]*\.original\b[^}]*\}")


def find_misplaced(docs: Path, declared: Declarations) -> Iterator[Problem]:
    """Find typed quantities, and claims that do not stand where they should."""
    languages = list_pages(docs)
    for language, pages in languages.items():
        for path in pages.values():
            lines = read_lines(path)
            for line, message in (*find_quantities(lines, language), *find_stray_marks(lines)):
                yield Problem(path, line, message)
    first = next(iter(languages.values()))  # ``languages`` tells if others have other fences
    by_home = defaultdict[str, set[str]](set)  # of each page with those below it
    everywhere = set[str]()
    for name, path in first.items():
        claims = list_claims(read_text(path))
        by_home[f"{Path(name).parts[0].removesuffix('.md')}.md"].update(claims)
        everywhere.update(claims)
    for name, declared_claims in declared.claims.items():
        path, home = declared.experiments[name].folder / "claims.toml", f"{name}.md"
        for number, claim in enumerate(declared_claims):
            if claim.id not in by_home.get(home, everywhere):  # the list of everything leads there
                line = find_line(read_text(path), ["claims", number])
                said = f"{home} does not show" if home in by_home else "no page shows"
                yield Problem(path, line, f"{said} the claim {claim.id!r}")


def find_quantities(lines: Sequence[Line], language: str) -> Iterator[Line]:
    """Find the typed quantities in a page's numbered lines, each with its line."""
    patterns = compile_quantities(language)
    for part in split(lines):
        if not isinstance(part, Paragraph) or any(_ORIGINAL.search(text) for _, text in part.lines):
            continue
        for line, text in part.lines:
            prose = unescape(_NOT_PROSE.sub(" ", text))
            for pattern in patterns:
                for match in pattern.finditer(prose):
                    yield line, f"typed by hand: {match[0].strip()!r}; make it a claim"


def find_stray_marks(lines: Sequence[Line]) -> Iterator[Line]:
    """Find the attribute lists below a table, which become a row of it."""
    for (_, above), (line, text) in pairwise(lines):
        if above.startswith("|") and text.startswith("{:"):
            yield line, "an attribute list below a table becomes a row: put it into the last cell"


@cache
def compile_quantities(language: str) -> tuple[re.Pattern[str], ...]:
    """Compile the patterns of what looks measured in a language, by ``[quantity]`` of its catalogue.

    Its parts are regular expressions: units of time and memory besides those of SI, numbers written
    as words, comparisons (``{number}`` is in digits or words, ``{digits}`` in digits alone), names
    of the per cent, and the words that follow it if it is a level of confidence.
    """
    words: dict[str, list[str]] = read_catalogue(language)["quantity"]
    number = rf"(?:{_NUMBER}|\b{_join(words['numbers'])})"
    patterns = [
        rf"{_NUMBER}[\s-]?{_join([*SI_UNITS, *words['units']])}(?!\w)",
        rf"{_NUMBER}\s?(?:×|[xх](?!\w))|×\s?\d",
        rf"{_NUMBER}(?:\s?%|\s{_join(words['percents'])})(?!\s*{_join(words['intervals'])})",
    ]
    for comparison in words["comparisons"]:
        filled = comparison.replace("{number}", number).replace("{digits}", _NUMBER)
        patterns.append(f"(?i:{filled})")
    return tuple(map(re.compile, patterns))


def find_bad_wording(root: Path) -> Iterator[Problem]:
    """Find the phrases that ``[wording]`` of a catalogue lists, in pages, declarations and catalogues."""
    declared = [*root.glob("examples/*/*.toml"), root / "docs" / "choices.toml"]
    for language, pages in list_pages(root / "docs").items():
        phrases: list[tuple[str, str]] = read_catalogue(language)["wording"]["avoid"]
        read = [*pages.values(), locate_catalogue(language), *declared]
        for path in filter(Path.is_file, read):
            for number, line in enumerate(read_text(path).splitlines(), start=1):
                if line.lstrip().startswith("['"):  # the list itself
                    continue
                for pattern, instead in phrases:
                    if match := re.search(pattern, line, re.IGNORECASE):
                        yield Problem(path, number, f"{match[0]!r}: say {instead}")


def _join(patterns: Sequence[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


MOST_WORDS = 25

_NO_SENTENCE = re.compile(r"\s*[|#<>{]")  # among it what a source said and cells of tables
_TARGET = re.compile(r"\]\([^)]*\)|\{[^}]*\}")
_CODE = re.compile(r"`[^`]*`")
_OPENING = re.compile(r"^\s*(?:[-*]|\d+\.|[!?]{3}\+? \w+|description:) ")
_END = re.compile(r"<br>|(?<=[.!?])[\"»”)*\]]*\s+|:\s+(?=[\"«“(*\[]*[A-ZА-ЯЁ])")
_WORD = re.compile(r"[\w'’-]+")


def find_long_sentences(docs: Path) -> Iterator[Problem]:
    """Find the sentences of more than ``MOST_WORDS`` words; a piece of code counts as one."""
    for pages in list_pages(docs).values():
        for path in pages.values():
            for line, sentence in _list_sentences(read_lines(path)):
                if (words := len(_WORD.findall(sentence))) > MOST_WORDS:
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
            if not _NO_SENTENCE.match(text):
                prose = _OPENING.sub("", _TARGET.sub("]", _CODE.sub("Code", text)))
                yield from ((line, sentence) for sentence in _END.split(prose))
