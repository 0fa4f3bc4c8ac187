"""Texts: the languages and their catalogues, and terms, declared once by one experiment for all.

Terms say what claims are filed under and quoted from; the catalogues keep what is the site's own.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from poolwise.declaration import Problem, read_toml
from poolwise.experiment import Experiment
from scripts.site.paths import WORDS


@cache
def list_languages() -> tuple[str, ...]:
    """List the languages that have a catalogue."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.toml")))


def locate_catalogue(language: str) -> Path:
    """Return where the words of a language are."""
    return WORDS / f"{language}.toml"


@cache
def read_catalogue(language: str) -> dict[str, Any]:
    """Read the words of a language, as its file has them."""
    return read_toml(locate_catalogue(language))


def find_unworded(group: str, key: str) -> str:
    """Say that a language has no word for what a declaration names; empty if every language has."""
    for language in list_languages():
        if key not in read_catalogue(language).get(group, {}):
            return f"{key!r} is not in [{group}] of the words in {language!r}"
    return ""


def find_bad_texts(texts: Mapping[str, str], *keys: str | int) -> Iterator[Problem]:
    """Find what keeps texts by language, at ``keys``, from standing on the pages of each."""
    for language in list_languages():
        if language not in texts:
            yield [*keys], f"no text in {language!r}"
        elif not texts[language].strip():
            yield [*keys, language], "an empty text"


Group = Literal["topics", "source", "origin"]
Terms = Mapping[str, Mapping[str, Mapping[str, str]]]  # by group, name and language


def find_bad_words(experiment: Experiment) -> Iterator[Problem]:
    """Find texts of an experiment that cannot stand on a page of each language."""
    for family in experiment.families:
        yield from find_bad_texts(family.title, "families", family.name, "title")
    for number, program in enumerate(experiment.programs):
        yield from find_bad_texts(program.title, "programs", number, "name")
    for column, texts in experiment.derived.items():
        yield from find_bad_texts(texts, "derived", column)
    if experiment.navigation:
        yield from find_bad_texts(experiment.navigation.title, "navigation", "title")
    groups = get_args(Group)
    for group, names in experiment.terms.items():
        if group not in groups:
            yield ["terms", group], f"no such terms; there are {', '.join(groups)}"
        for name, texts in names.items():
            yield from find_bad_texts(texts, "terms", group, name)


def find_unnamed(group: Group, name: str, terms: Terms) -> str:
    """Say that nothing tells what a name stands for; empty if the catalogues or the terms do."""
    if name in terms.get(group, {}):
        return ""
    problem = find_unworded(group, name)
    return problem and f"{problem}, nor in [terms.{group}] of an experiment"


def merge_terms(declared: Iterable[Terms]) -> Terms:
    """Return the terms of all experiments together."""
    merged: dict[str, dict[str, Mapping[str, str]]] = {group: {} for group in get_args(Group)}
    for terms in declared:
        for group, names in terms.items():
            merged[group].update(names)
    return merged
