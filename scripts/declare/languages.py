"""Languages: those of the site; each is a catalogue of words, of which declarations name some."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scripts.declare.declaration import Problem, read_toml
from scripts.paths import WORDS


@cache
def list_languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.toml")))


def find_unworded(group: str, key: str) -> str:
    """That a language has no word for what a declaration names; empty if every language has.

    Args:
        group: the table of the catalogue, such as ``topics``.
        key: the name in it.
    """
    for language in list_languages():
        if key not in _read_catalogue(WORDS / f"{language}.toml").get(group, {}):
            return f"{key!r} is not in [{group}] of the words in {language!r}"
    return ""


def find_bad_texts(texts: Mapping[str, str]) -> Iterator[Problem]:
    """What keeps texts by language from standing on the pages of each, and of no other."""
    languages = list_languages()
    for language in languages:
        if language not in texts:
            yield [], f"no text in {language!r}"
        elif not texts[language].strip():
            yield [language], "an empty text"
    for language in texts:
        if language not in languages:
            yield [language], f"no such language {language!r}; there are {', '.join(languages)}"


@cache
def _read_catalogue(path: Path) -> dict[str, Any]:
    return read_toml(path)
