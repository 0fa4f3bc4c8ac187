"""Comparisons: the conditions of claims, between programs, with a number, or over a sweep.

And the sentences of claims, which have places for what was compared and measured.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scripts.declare.declaration import Declared, Problem
from scripts.declare.languages import SHORTEST_SENTENCE, find_bad_texts, find_unworded
from scripts.declare.profile import name_unknown
from scripts.declare.program import StartMethod
from scripts.declare.values import Count, Margin, Quantity

Relation = Literal["less", "more", "equal", "not less", "not more", "falls", "rises", "stays"]
Size = Literal["cores", "tasks", "workers"]

SWEPT = ("falls", "rises", "stays")
"""The relations of a sweep; the others are between two sides."""
WITHIN = ("equal", "stays", "not less", "not more")
"""Relations that deny a difference: their margin is what still counts as none."""

Counted = Literal["cores", "workers"]
Compared = Literal["left", "right", "ratio", "margin"]
MarginForm = Literal["number", "times", "fold", "percent"]

PLACEHOLDER = re.compile(r"\{([a-z]+)(\d*)(?:\|([^{}]*))?\}")
"""A place, ``{left}`` or, of the second comparison, ``{left2}``, and the form that it asks for: the
last ``cores`` of ``{cores|cores}``."""


class Side(Declared, frozen=True, kw_only=True):
    """One side of a comparison: a program, and which of its cells. A string is a program's name.

    Args:
        program: its name.
        family: in which family; by default the first of its families.
        tasks: how many: the most or the least that were measured, as many as there are cores,
            one more than that, or a number.
        workers: how many: the most or the least that were measured with these tasks, or a number.
        start_method: of its processes; by default the first that was measured.
    """

    program: str
    family: str = ""
    tasks: Literal["most", "least", "cores", "above cores"] | Count = "most"
    workers: Literal["most", "least"] | Count = "most"
    start_method: StartMethod | None = None


class Comparison(Declared, frozen=True, kw_only=True):
    """A condition: ``metric`` of one program stands in ``relation`` to something else.

    That is one of ``right``, ``of_cores`` and ``over``. The ratio is turned so that it is compared
    with the margin as it stands: right ÷ left for ``less`` and ``not less``, left ÷ right for the
    others; of a sweep the first size ÷ the last for ``falls``, the last ÷ the first for ``rises``.

    Args:
        metric: what is compared; also the name of a reading of the experiment.
        left: the program that the sentence is about.
        right: the program it is compared with, or a number in the metric's own unit.
        of_cores: it is compared with this share of the cores that it ran on.
        over: it is compared with itself, over all the sizes that were measured.
        relation: ``less``, ``more``, ``falls`` and ``rises``: the ratio is at least ``margin``, or
            more than 1 where that is the margin. ``not less`` and ``not more``: it is not.
            ``equal`` and ``stays``: it is within the margin either way.
        margin: a factor, at least 1.
        right_python: on which Python it did: the same, or the ordinary build of that version.
        every: each trial must satisfy it, not only the median: what may not happen even once.
    """

    metric: str
    left: Side
    right: Side | Quantity | None = None
    of_cores: Quantity | None = None
    over: Size | None = None
    relation: Relation
    margin: Margin = 1.0
    right_python: Literal["same", "ordinary"] = "same"
    every: bool = False

    @property
    def limit(self) -> float | None:
        """The number that the metric is compared with, if it is with one."""
        return self.of_cores if isinstance(self.right, Side) or not self.right else self.right


def list_compared(comparison: Comparison) -> list[Side]:
    """The programs that are compared, in their order."""
    sides = (comparison.left, comparison.right)
    return [side for side in sides if isinstance(side, Side)]


def find_comparison_problems(comparison: Comparison, metrics: Collection[str]) -> Iterator[Problem]:
    """What fits nothing else in a comparison, or names what is not there."""
    against = (comparison.right, comparison.of_cores, comparison.over)
    if comparison.metric not in metrics:
        yield ["metric"], name_unknown("metric", comparison.metric, set(metrics))
    if sum(one is not None for one in against) != 1:
        yield ["right"], "compared with one thing: right, of_cores or over"
    if (comparison.over is not None) != (comparison.relation in SWEPT):
        yield ["relation"], f"{comparison.relation!r} is no relation of such a comparison"
    if comparison.of_cores is not None and comparison.metric != "cpu_share":
        yield ["of_cores"], "only cpu_share has a share of the cores"
    if comparison.relation in ("equal", "stays") and comparison.margin == 1:
        yield ["margin"], f"{comparison.relation!r} needs a margin above 1"
    if comparison.limit is not None and comparison.margin > 1 and comparison.relation != "equal":
        yield ["margin"], "a number says by itself what it is compared with: leave the margin out"
    if comparison.every and (comparison.limit is None or comparison.relation == "equal"):
        yield ["every"], "each trial can be less or more than a number, and nothing else"


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
    yield from find_bad_texts(text, letters=SHORTEST_SENTENCE)
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
