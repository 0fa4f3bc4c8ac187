"""Lexicon: with which words a language says what a claim tests, as regular expressions."""

import re
from functools import cache

from scripts.harness.declaration import Declared, convert
from scripts.harness.texts import locate_catalogue, read_catalogue
from scripts.site.declare.claims import Relation

Patterns = list[str]


class Lexicon(Declared, frozen=True, kw_only=True):
    """From ``[sentence]`` of a catalogue; ``<margin>`` and ``<number>`` stand for those places.

    Attributes:
        relations: what says each of them with a margin.
        smaller: words for less of a metric; with a margin of 1 they are all that says it.
        larger: words for more of it.
        below: what says that a metric is less than a number.
        above: what says that it is more.
        metrics: what says which metric it is about, by its name; the first that is found counts.
        kinds: what programs of each kind are called.
        where: what says where a claim applies, as ``cores one``.
        times: how many times as much, typed in words or digits.
        causes: what gives a cause.
        quantifiers: what speaks of all or of none.
    """

    relations: dict[Relation, Patterns]
    smaller: Patterns
    larger: Patterns
    below: Patterns
    above: Patterns
    metrics: dict[str, Patterns]
    kinds: dict[str, Patterns]
    where: dict[str, Patterns]
    times: Patterns
    causes: Patterns
    quantifiers: Patterns


@cache
def load_lexicon(language: str) -> Lexicon:
    """The lexicon of a language.

    Raises:
        MalformedDeclaration: its catalogue has none, or one that lacks something.
    """
    found = read_catalogue(language).get("sentence", {})
    return convert(found, Lexicon, locate_catalogue(language), "sentence")


def find_first(patterns: Patterns, text: str) -> re.Match[str] | None:
    """Where the first of what any of these means begins; case does not matter."""
    found = (re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
    return min(filter(None, found), key=lambda match: match.start(), default=None)
