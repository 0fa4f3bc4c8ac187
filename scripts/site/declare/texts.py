"""Terms: what claims are filed under and quoted from, declared once by one experiment for all.

They are words of the site like those of the catalogues, which keep only what is the site's own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from scripts.harness.declaration import ID, MEANINGS, Problem, read_toml, refuse
from scripts.harness.experiment import Experiment
from scripts.harness.paths import WORDS

LONGEST_NAME = 45
"""In characters, of a program, so that a legend has room for it."""


@cache
def list_languages() -> tuple[str, ...]:
    """The languages that have a catalogue."""
    return tuple(sorted(path.stem for path in WORDS.glob("*.toml")))


def locate_catalogue(language: str) -> Path:
    """Where the words of a language are."""
    return WORDS / f"{language}.toml"


@cache
def read_catalogue(language: str) -> dict[str, Any]:
    """The words of a language, as its file has them."""
    return read_toml(locate_catalogue(language))


def check_catalogues() -> None:
    """Make sure that every language has the words of every other."""
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


def _list_words(table: Mapping[str, Any], *place: str) -> Iterator[tuple[str, ...]]:
    """Where each word stands; of plural forms, which each language has its own, the last alone."""
    for key, word in table.items():
        if not isinstance(word, dict):
            yield (*place, key)
        elif place == ("plural",):
            yield from ((*place, key, form) for form in word if form == "other")
        else:
            yield from _list_words(word, *place, key)


Group = Literal["topics", "source", "origin"]
Terms = Mapping[str, Mapping[str, Mapping[str, str]]]
"""By group and name, what it is called by language."""


def find_bad_terms(terms: Terms) -> Iterator[Problem]:
    """What of an experiment's terms cannot stand on a page, or stands in the catalogues already."""
    groups = get_args(Group)
    for group, names in terms.items():
        if group not in groups:
            yield ["terms", group], f"no such terms; there are {', '.join(groups)}"
        for name, texts in names.items():
            if not re.match(ID, name):
                yield ["terms", group, name], f"a term is {MEANINGS[ID]}"
            if not find_unworded(group, name):
                yield ["terms", group, name], f"{name!r} is a word of the catalogues already"
            for keys, message in find_bad_texts(texts):
                yield ["terms", group, name, *keys], message


def find_bad_words(experiment: Experiment) -> Iterator[Problem]:
    """What of the texts that an experiment declares cannot stand on a page of each language."""
    titles = [(["families", one.name, "title"], one.title) for one in experiment.families]
    if experiment.navigation:
        titles.append((["navigation", "title"], experiment.navigation.title))
    titles += [(["derived", column], texts) for column, texts in experiment.derived.items()]
    for place, texts in titles:
        for keys, message in find_bad_texts(texts):
            yield [*place, *keys], message
    yield from _find_bad_names(experiment)
    yield from find_bad_terms(experiment.terms)


def _find_bad_names(experiment: Experiment) -> Iterator[Problem]:
    """What of its programs' names cannot stand in a title, or names two of them."""
    named: set[tuple[str, str]] = set()
    for number, program in enumerate(experiment.programs):
        for keys, message in find_bad_texts(program.title):
            yield ["programs", number, "name", *keys], message
        for language, name in program.title.items():
            if len(name) > LONGEST_NAME:
                yield ["programs", number, "name", language], f"more than {LONGEST_NAME} characters"
            if (language, name) in named:
                yield ["programs", number, "name", language], f"{name!r} names another already"
            named.add((language, name))


def find_unnamed(group: Group, name: str, terms: Terms) -> str:
    """That nothing says what a name stands for; empty if the catalogues or the terms do."""
    if name in terms.get(group, {}):
        return ""
    problem = find_unworded(group, name)
    return problem and f"{problem}, nor in [terms.{group}] of an experiment"


def merge_terms(declared: Iterable[Terms]) -> Terms:
    """The terms of all experiments together."""
    merged: dict[str, dict[str, Mapping[str, str]]] = {group: {} for group in get_args(Group)}
    for terms in declared:
        for group, names in terms.items():
            merged[group].update(names)
    return merged
