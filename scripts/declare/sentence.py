"""Sentences: the text of a claim in each language, with places for what was measured."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scripts.declare.comparison import WITHIN, Comparison
from scripts.declare.declaration import Problem
from scripts.declare.languages import find_bad_texts, find_unworded

Counted = Literal["cores", "workers"]
Compared = Literal["left", "right", "ratio", "margin"]
MarginForm = Literal["number", "times", "fold", "percent"]

PLACEHOLDER = re.compile(r"\{([a-z]+)(\d*)(?:\|([^{}]*))?\}")
"""A place, ``{left}`` or, of the second comparison, ``{left2}``, and the form that it asks for: the
last ``cores`` of ``{cores|cores}``."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a sentence: what is to stand there, of which comparison, and in which form."""

    name: str
    index: int
    form: str


def read_place(found: re.Match[str]) -> Place:
    """The place that ``PLACEHOLDER`` found; the first comparison has the index 0."""
    return Place(found[1], int(found[2] or 1) - 1, found[3] or "")


def choose_form(comparison: Comparison, form: str) -> MarginForm:
    """How a sentence has the margin; what may differ is a percentage unless it asks for another."""
    usual: MarginForm = "percent" if comparison.relation in WITHIN else "number"
    return next((one for one in get_args(MarginForm) if one == form), usual)


def find_bad_sentences(
    text: Mapping[str, str], comparisons: Sequence[Comparison]
) -> Iterator[Problem]:
    """What keeps the sentence of a claim from standing on a page of each language."""
    yield from find_bad_texts(text)
    for language, sentence in text.items():
        for place in map(read_place, PLACEHOLDER.finditer(sentence)):
            if problem := _find_place_problem(place, comparisons):
                yield [language], problem
        if re.search("[{}]", PLACEHOLDER.sub("", sentence)):
            yield [language], "a brace that belongs to no place"
        for problem in _find_unsaid(sentence, comparisons):
            yield [language], problem


def _find_unsaid(sentence: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The margins that a sentence is tested by but does not say; one place serves all alike."""
    places = map(read_place, PLACEHOLDER.finditer(sentence))
    said = {
        (comparisons[place.index].relation, comparisons[place.index].margin)
        for place in places
        if place.name == "margin" and place.index < len(comparisons)
    }
    for number, comparison in enumerate(comparisons, 1):
        if comparison.margin > 1 and (comparison.relation, comparison.margin) not in said:
            place = f"{{margin{number if number > 1 else ''}}}"
            yield f"does not say the margin of comparison {number}: it needs {place}"


def _find_place_problem(place: Place, comparisons: Sequence[Comparison]) -> str:
    name, form = place.name, place.form
    if name in get_args(Compared):
        if not comparisons:
            return f"nothing gives {{{name}}}: the claim compares nothing"
        if not 0 <= place.index < len(comparisons):
            return f"nothing gives {{{name}{place.index + 1}}}: there is no such comparison"
        forms = get_args(MarginForm) if name == "margin" else ()
        return f"{{{name}}} has no form {form!r}" if form and form not in forms else ""
    if name not in (*get_args(Counted), "verdict") or place.index:
        return f"no such placeholder {{{name}}}"
    if name == "verdict":
        if comparisons:
            return "nothing gives {verdict}: the claim has no mark"
        return f"{{{name}}} has no plural forms" if form else ""
    return find_unworded("plural", form) if form else ""
