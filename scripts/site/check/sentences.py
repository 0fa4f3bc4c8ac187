"""Sentences against conditions: whether the words of a claim say what the claim tests.

What a machine can read of a sentence, by the lexicon of its language, may not contradict the
condition. What it cannot read a person has to: then ``reviewed.toml`` beside the experiments has
a line with a digest of the claim as it was read, which no longer fits once either has changed.
"""

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.harness.declaration import convert, find_line, is_there, read_text, read_toml
from scripts.harness.experiment import Experiment
from scripts.site.check.lexicon import Lexicon, find_first, load_lexicon
from scripts.site.check.problem import Problem
from scripts.site.declare.claims import (
    MARKS,
    PLACEHOLDER,
    SWEPT,
    Claim,
    Comparison,
    Relation,
    Side,
    read_place,
)
from scripts.site.declare.declarations import Declarations

Reviewed = Mapping[str, tuple[str, str]]
"""By id of a claim: the digest of what was read, and why it is right."""

_SMALLER: Collection[Relation] = ("less", "not more")
"""Relations that say, with a margin of 1, that the left side has less."""
_CLAUSE = re.compile(r"[.;:](?:\s|$)")
_DIGEST_LENGTH = 8


def find_misstatements(reviewed: Path, declared: Declarations) -> Iterator[Problem]:
    """Every claim whose sentence contradicts its condition, or which nobody has read as it is.

    Raises:
        MalformedDeclaration: the file is none, or a language has no lexicon.
    """
    notes = load_reviewed(reviewed)
    needed: set[str] = set()
    for name, claims in declared.claims.items():
        experiment = declared.experiments[name]
        path = experiment.folder / "claims.toml"
        tables = read_toml(path)["claims"] if claims else []
        for number, (claim, table) in enumerate(zip(claims, tables, strict=True)):
            line = find_line(read_text(path), ["claims", number])
            for wrong in find_contradictions(claim):
                yield Problem(path, line, f"{claim.id}: {wrong}")
            unread = list(dict.fromkeys(find_unread(claim, table, experiment)))
            if not unread:
                continue
            needed.add(claim.id)
            digest = digest_claim(table)
            if notes.get(claim.id, ("",))[0] != digest:
                yield Problem(path, line, _ask(claim.id, unread, reviewed.name, digest))
    for id_ in sorted(notes.keys() - needed):
        line = find_line(read_text(reviewed), [id_])
        yield Problem(reviewed, line, f"{id_}: nothing here needs a review")


def load_reviewed(path: Path) -> Reviewed:
    """What persons have read; nothing if there is no such file.

    Raises:
        MalformedDeclaration: it is no TOML, or not of this shape.
    """
    return convert(read_toml(path), dict[str, tuple[str, str]], path) if is_there(path) else {}


def digest_claim(table: Mapping[str, Any]) -> str:
    """A digest of the condition and the sentences of a claim, as its file has them."""
    read = {key: table.get(key) for key in ("all", "mark", "where", "text")}
    text = json.dumps(read, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]


def find_contradictions(claim: Claim) -> Iterator[str]:
    """How the sentences of a claim say something else than its condition."""
    for language, text in claim.text.items():
        lexicon = load_lexicon(language)
        for index, comparison in enumerate(claim.all):
            for wrong in _contradict(comparison, index, _fill(text, claim, index), lexicon):
                yield f"{language}: {wrong}"
        yield from (f"{language}: {wrong}" for wrong in _contradict_scope(claim, text, lexicon))
        if claim.mark:
            told = [
                verdicts
                for verdicts, (mark, _) in MARKS.items()
                if re.search(rf"[“«]{re.escape(mark)}[”»]", text)
            ]
            if told != [tuple(claim.mark.verdicts)]:
                yield f"{language}: the mark that it tells stands for other verdicts"
            if claim.mark.program.program not in text:
                yield f"{language}: does not name {claim.mark.program.program!r}"


def find_unread(claim: Claim, table: Mapping[str, Any], experiment: Experiment) -> Iterator[str]:
    """What of a claim no machine can read, in the words of a message."""
    for side in (one.get(end) for one in table.get("all", []) for end in ("left", "right")):
        if isinstance(side, dict) and len(side) > 1:
            yield "which cells are compared"
    for language, text in claim.text.items():
        lexicon = load_lexicon(language)
        for index, comparison in enumerate(claim.all):
            filled = _fill(text, claim, index)
            others = {one.metric for one in claim.all} - {comparison.metric}
            if _hear_metric(filled, others, lexicon) != comparison.metric:
                yield f"that it is about {comparison.metric!r}"
            yield from _leave_unread(comparison, filled, lexicon)
            if not _are_in_order(comparison, text, lexicon, experiment):
                yield "which side is which"
        plain = PLACEHOLDER.sub("", text)
        for what, patterns in (("a number of times", lexicon.times), ("a cause", lexicon.causes)):
            if found := find_first(patterns, plain):
                yield f"{what}, {found[0]!r}"
        found = find_first(lexicon.quantifiers, plain)
        if found and not any(one.over for one in claim.all):
            yield f"a quantifier, {found[0]!r}"


def _fill(text: str, claim: Claim, index: int) -> str:
    """The sentence with the margin and the number of one comparison in words of the lexicon.

    A margin that it shares with another comparison of the same relation may stand once for both.
    """
    comparison = claim.all[index]

    def name(found: re.Match[str]) -> str:
        place = read_place(found)
        if place.name == "right" and place.index == index:
            return "<number>"
        if place.name != "margin" or not 0 <= place.index < len(claim.all):
            return "…"
        told = claim.all[place.index]
        same = (told.relation, told.margin) == (comparison.relation, comparison.margin)
        return "<margin>" if same else "…"

    return PLACEHOLDER.sub(name, text)


def _contradict(comparison: Comparison, index: int, text: str, lexicon: Lexicon) -> Iterator[str]:
    """What of one comparison the sentence, with its places filled, says otherwise."""
    told = f"comparison {index + 1} is {comparison.relation!r}"
    if comparison.margin == 1 and "<margin>" in text:
        yield f"{told} with the margin 1, which is none"
    own, other = _hear(comparison, text, lexicon)
    if other and not own:
        yield f"{told}, but it says {other!r}"


def _leave_unread(comparison: Comparison, text: str, lexicon: Lexicon) -> Iterator[str]:
    """What of one comparison is not to be found in the sentence."""
    if comparison.limit is not None and "<number>" not in text:
        yield "the number that is compared with"
    own, other = _hear(comparison, text, lexicon)
    if other or not own:
        yield f"{comparison.relation!r}"


def _hear_metric(text: str, others: Collection[str], lexicon: Lexicon) -> str:
    """Which metric a sentence is about, besides those of its other comparisons."""
    named = (name for name in lexicon.metrics if name not in others)
    return next((name for name in named if find_first(lexicon.metrics[name], text)), "")


def _hear(comparison: Comparison, text: str, lexicon: Lexicon) -> tuple[bool, str]:
    """Whether a sentence says the relation, and with which words it says another, if any."""
    if comparison.over or comparison.margin > 1:
        clauses = [clause for clause in _CLAUSE.split(text) if "<margin>" in clause]
        found = {
            relation: said[0]
            for relation, patterns in lexicon.relations.items()
            if (relation in SWEPT) == (comparison.over is not None)
            for clause in clauses
            if (said := find_first(patterns, clause))
        }
        others = (said for relation, said in found.items() if relation != comparison.relation)
        return comparison.relation in found, next(others, "")
    words = [lexicon.smaller, lexicon.larger]
    if comparison.limit is not None:
        words = [lexicon.below, lexicon.above]
    own, other = words if comparison.relation in _SMALLER else reversed(words)
    opposite = find_first(other, text)
    return find_first(own, text) is not None, opposite[0] if opposite else ""


def _contradict_scope(claim: Claim, text: str, lexicon: Lexicon) -> Iterator[str]:
    for name, patterns in lexicon.where.items():
        key, value = name.split()
        scope = getattr(claim.where, key)
        found = find_first(patterns, PLACEHOLDER.sub("", text))
        if found and scope != value:
            yield f"says {found[0]!r}, but applies elsewhere too"


def _are_in_order(
    comparison: Comparison, text: str, lexicon: Lexicon, experiment: Experiment
) -> bool:
    """Whether the sentence names the left side before the right, by the kinds in which they differ."""
    if not isinstance(comparison.right, Side):
        return True
    left, right = (
        set(experiment.program(side.program).ways) for side in (comparison.left, comparison.right)
    )
    if left == right:
        return False
    first, second = (
        _find_kinds(own, own - other, text, lexicon)
        for own, other in ((left, right), (right, left))
    )
    return first < second


def _find_kinds(
    kinds: Collection[str], only: Collection[str], text: str, lexicon: Lexicon
) -> float:
    """Where one side is named: by a kind that only it is of, or else by the last that is its own."""
    patterns = [pattern for kind in only or kinds for pattern in lexicon.kinds.get(kind, [])]
    places = [
        found.start() for pattern in patterns for found in re.finditer(pattern, text, re.IGNORECASE)
    ]
    return (min if only else max)(places, default=math.nan)


def _ask(id_: str, unread: Iterable[str], file: str, digest: str) -> str:
    return (
        f"{id_}: no machine can read {', '.join(unread)}; "
        f'if both sentences are right, note in {file}: {id_} = ["{digest}", "why"]'
    )
