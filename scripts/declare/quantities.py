"""Quantities: how a language writes in prose what could have been measured."""

import re
from typing import Annotated

from msgspec import Meta

from scripts.declare.declaration import Declared, convert, refuse
from scripts.declare.languages import locate_catalogue, read_catalogue

Patterns = Annotated[list[str], Meta(min_length=1)]


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
