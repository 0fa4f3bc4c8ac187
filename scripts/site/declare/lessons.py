"""Lessons: the programs of ``examples/lessons`` to fix, and what helps whoever is stuck."""

from typing import Annotated

from msgspec import Meta

from poolwise.declaration import Declared, convert, read_toml, refuse
from scripts.site.declare.texts import find_bad_texts
from scripts.site.paths import EXAMPLES

LESSONS = EXAMPLES / "lessons"


class Help(Declared, frozen=True, kw_only=True):
    """Two hints, the names of the parts first, and our solution compared with others; by language."""

    hints: Annotated[list[dict[str, str]], Meta(min_length=2, max_length=2)]
    compared: dict[str, str]


def read_help(name: str) -> Help:
    """Read what helps with a program.

    Raises:
        MalformedDeclaration: it is not there, or lacks something in a language.
    """
    path = LESSONS / "hints" / f"{name}.toml"
    stuck = convert(read_toml(path), Help, path)
    for number, hint in enumerate(stuck.hints):
        refuse(path, find_bad_texts(hint, "hints", number))
    refuse(path, find_bad_texts(stuck.compared, "compared"))
    return stuck
