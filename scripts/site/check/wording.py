"""Wording: phrases that a language's texts are rid of, so that they do not come back."""

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.harness.declaration import read_text
from scripts.harness.texts import list_languages, locate_catalogue, read_catalogue
from scripts.site.check.problem import Problem


def find_bad_wording(root: Path) -> Iterator[Problem]:
    """Every phrase that ``[wording]`` of a catalogue lists, wherever readers would read it.

    Looked at are the project's pages, what examples and choices declare, and the catalogues.

    Raises:
        MalformedDeclaration: a text cannot be read.
    """
    declared = [*root.glob("examples/*/*.toml"), root / "docs" / "choices.toml"]
    for language in list_languages():
        folder = root / "docs" / language
        pages = [*folder.rglob("*.md"), *folder.rglob("*.ipynb"), locate_catalogue(language)]
        phrases: list[tuple[str, str]] = read_catalogue(language)["wording"]["avoid"]
        for path in sorted([*pages, *declared]):
            if path.is_file():
                yield from _search(path, phrases)


def _search(path: Path, phrases: list[tuple[str, str]]) -> Iterator[Problem]:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.lstrip().startswith("['"):  # the list itself
            continue
        for pattern, instead in phrases:
            if found := re.search(pattern, line, re.IGNORECASE):
                yield Problem(path, number, f"{found[0]!r}: say {instead}")
