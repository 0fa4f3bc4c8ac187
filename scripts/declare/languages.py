"""Languages: those of the site; each is a catalogue of words, of which declarations name some."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from scripts.declare.declaration import Problem, read_toml, refuse
from scripts.paths import WORDS

SHORTEST_SENTENCE = 2
"""In letters: less says nothing in any language."""


@cache
def list_languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.toml")))


def locate_catalogue(language: str) -> Path:
    """Where the words of a language are."""
    return WORDS / f"{language}.toml"


@cache
def read_catalogue(language: str) -> dict[str, Any]:
    """The words of a language, as its file has them.

    Raises:
        MalformedDeclaration: there is no such file, or it is no TOML.
    """
    return read_toml(locate_catalogue(language))


def check_catalogues() -> None:
    """Make sure that every language has the words of every other.

    Raises:
        MalformedDeclaration: a language lacks one; names file, line and key.
    """
    found = {language: set(_list_words(read_catalogue(language))) for language in list_languages()}
    for language, own in found.items():
        for other, words in found.items():
            message = f"no such word, but {other!r} has it"
            for keys in sorted(words - own):
                refuse(locate_catalogue(language), [([*keys], message)])


def find_unworded(group: str, key: str) -> str:
    """That a language has no word for what a declaration names; empty if every language has."""
    for language in list_languages():
        if key not in read_catalogue(language).get(group, {}):
            return f"{key!r} is not in [{group}] of the words in {language!r}"
    return ""


def find_bad_texts(texts: Mapping[str, str], *, letters: int = 0) -> Iterator[Problem]:
    """What keeps texts by language from standing on the pages of each, and of no other.

    Each has to have so many ``letters``.
    """
    languages = list_languages()
    for language in languages:
        if language not in texts:
            yield [], f"no text in {language!r}"
        elif not texts[language].strip():
            yield [language], "an empty text"
        elif sum(map(str.isalpha, texts[language])) < letters:
            yield [language], f"a text of fewer than {letters} letters"
    for language in texts:
        if language not in languages:
            yield [language], f"no such language {language!r}; there are {', '.join(languages)}"


def _list_words(table: Mapping[str, Any], *place: str) -> Iterator[tuple[str, ...]]:
    """Where each word stands; of plural forms, which each language has its own, the last alone."""
    for key, word in table.items():
        if not isinstance(word, dict):
            yield (*place, key)
        elif place == ("plural",):
            yield from ((*place, key, form) for form in word if form == "other")
        else:
            yield from _list_words(word, *place, key)
