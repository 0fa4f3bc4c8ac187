"""Terms: what claims are filed under and quoted from, declared once by one experiment for all.

They are words of the site like those of the catalogues, which keep only what is the site's own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from scripts.declare.declaration import Problem
from scripts.declare.languages import find_bad_texts, find_unworded
from scripts.declare.values import ID, MEANINGS

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
