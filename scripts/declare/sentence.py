"""Sentences: the text of a claim in each language, with places for what was measured."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from scripts.declare.declaration import Problem
from scripts.declare.languages import find_bad_texts, find_unworded

Placeholder = Literal["left", "right", "ratio", "cores", "workers", "verdict"]

PLACEHOLDER = re.compile(r"\{(\w+)(?:\|([^{}]*))?\}")
"""A place, ``{left}``, and the plural forms that it asks for: the last ``cores`` of ``{cores|cores}``."""
_COUNTED = ("cores", "workers")
_COMPARED = ("left", "right", "ratio")


def find_bad_sentences(text: Mapping[str, str], *, marks: bool) -> Iterator[Problem]:
    """What keeps the sentence of a claim from standing on a page of each language.

    Args:
        text: the sentence by language.
        marks: whether the claim is of a verdict, and compares nothing.
    """
    yield from find_bad_texts(text)
    for language, sentence in text.items():
        for name, form in PLACEHOLDER.findall(sentence):
            if problem := _find_place_problem(name, form, marks=marks):
                yield [language], problem
        if re.search("[{}]", PLACEHOLDER.sub("", sentence)):
            yield [language], "a brace that belongs to no place"


def _find_place_problem(name: str, form: str, *, marks: bool) -> str:
    if name not in get_args(Placeholder):
        return f"no such placeholder {{{name}}}"
    if form and name not in _COUNTED:
        return f"{{{name}}} has no plural forms"
    if (name == "verdict" and not marks) or (name in _COMPARED and marks):
        return (
            f"nothing gives {{{name}}}: the claim {'compares nothing' if marks else 'has no mark'}"
        )
    return find_unworded("plural", form) if form else ""
