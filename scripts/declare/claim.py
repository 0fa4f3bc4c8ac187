"""Claims: checked sentences, as ``examples/<experiment>/claims.toml`` declares them."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta
from msgspec.structs import replace

from scripts.declare.comparison import (
    Comparison,
    Side,
    find_bad_sentences,
    find_comparison_problems,
    list_compared,
)
from scripts.declare.declaration import Declared, Problem, convert, is_there, read_toml, refuse
from scripts.declare.experiment import Experiment
from scripts.declare.metrics import METRICS
from scripts.declare.terms import Group, Terms, find_unnamed
from scripts.declare.values import Id, Version

Unsettled = Literal["borderline", "undecided"]
"""What verdicts and claims come to where neither side of a margin is sure: at it, or for lack of trials."""
UNSETTLED: tuple[Unsettled, ...] = get_args(Unsettled)
Verdict = Literal["recommended", "works, costs more", "no gain", "worse", Unsettled]

MARKS: Mapping[tuple[Verdict, ...], tuple[str, str]] = {
    ("recommended",): ("✔", "good"),
    ("works, costs more",): ("+-", "middling"),
    ("no gain", "worse"): ("-", "bad"),
}
"""By the verdicts that it stands for, a source's own mark: as sentences quote it, and by name."""

_ENDS = ("left", "right")
_PLACE = re.compile(r"\d+[a-z]?|\d+/\d+")
"""A row of the source, or one of so many conclusions."""


class Mark(Declared, frozen=True, kw_only=True):
    """A condition: the verdict on a program is one of these, as a source's own mark has it."""

    program: Side
    verdicts: Annotated[list[Verdict], Meta(min_length=1)]


class Where(Declared, frozen=True, kw_only=True):
    """Where a claim applies; what is left out does not matter.

    ``cores`` is ``one`` or ``several``, ``python`` a minor version such as ``3.7``; the others
    are compared with the record's own.
    """

    cores: Literal["one", "several"] | None = None
    gil: Literal["on", "off"] | None = None
    system: Literal["Linux"] | None = None
    python: Version | None = None


class Claim(Declared, frozen=True, kw_only=True):
    """One sentence, true or false on a machine.

    Args:
        id: its permanent name and anchor.
        topic: what it is about, to filter by, as ``[terms.topics]`` of some experiment names it.
        source: the article it comes from, PEP, documentation, as ``[terms.source]`` names it; or
            ``us``.
        origin: where in the source: a row, ``3/7`` for the third of seven conclusions, or as
            ``[terms.origin]`` names it.
        text: the sentence by language, with places for what is measured: ``{left}`` of the first
            comparison, ``{left2}`` of the second.
        all: comparisons that must all hold.
        mark: a verdict that must be given; instead of comparisons.
        where: where it applies.
    """

    id: Id
    topic: str
    source: str
    origin: str = ""
    text: dict[str, str]
    all: list[Comparison] = []
    mark: Mark | None = None
    where: Where = Where()


class _ClaimsFile(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    claims: list[Claim]


def load_claims(experiment: Experiment, terms: Terms) -> tuple[Claim, ...]:
    """The claims of an experiment, in the order of its file; none if it has no file.

    Raises:
        MalformedDeclaration: something is wrong; names file, line and key.
    """
    path = experiment.folder / "claims.toml"
    if not is_there(path):
        return ()
    data = read_toml(path)
    _name_sides(data)
    claims = convert(data, _ClaimsFile, path).claims
    ids = [claim.id for claim in claims]
    for number, claim in enumerate(claims):
        refuse(
            path,
            (
                (["claims", number, *keys], f"{claim.id}: {message}")
                for keys, message in (
                    *_find_unnamed(claim, terms),
                    *_find_problems(claim, experiment, ids[:number]),
                )
            ),
        )
    return tuple(_choose_families(claim, experiment) for claim in claims)


def load_all_claims(
    experiments: Iterable[Experiment], terms: Terms
) -> dict[str, tuple[Claim, ...]]:
    """The claims of all experiments by the name of each; an id stands for one of all.

    Raises:
        MalformedDeclaration: something is wrong; names file, line and key.
    """
    found = {one.name: load_claims(one, terms) for one in experiments}
    homes: dict[str, str] = {}
    for experiment in experiments:
        for number, claim in enumerate(found[experiment.name]):
            home = homes.setdefault(claim.id, experiment.name)
            if home != experiment.name:
                message = f"{claim.id}: the id stands for a claim of {home}"
                path = experiment.folder / "claims.toml"
                refuse(path, [(["claims", number, "id"], message)])
    return found


def list_ids(claims: Mapping[str, Sequence[Claim]]) -> set[str]:
    """Those of all claims."""
    return {claim.id for declared in claims.values() for claim in declared}


def list_sides(claim: Claim) -> list[Side]:
    """The programs that a claim compares or marks, in its order."""
    if claim.mark:
        return [claim.mark.program]
    return [side for one in claim.all for side in list_compared(one)]


def _name_sides(data: dict[str, Any]) -> None:
    """Write out the short form of a side, in place: a name becomes a table."""
    for claim in _list_tables(data.get("claims")):
        tables = [(one, "program") for one in _list_tables([claim.get("mark")])]
        tables += [(one, key) for one in _list_tables(claim.get("all")) for key in _ENDS]
        for table, key in tables:
            if isinstance(table.get(key), str):
                table[key] = {"program": table[key]}


def _list_tables(found: object) -> list[dict[str, Any]]:
    """The tables of a list, if it is one; whatever else it is, ``convert`` refuses."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _choose_families(claim: Claim, experiment: Experiment) -> Claim:
    """The claim with the family of every side written out."""
    first = {program.name: program.families[0] for program in experiment.programs}

    def choose(side: Side) -> Side:
        return side if side.family else replace(side, family=first[side.program])

    def choose_both(comparison: Comparison) -> Comparison:
        right = comparison.right
        chosen = choose(right) if isinstance(right, Side) else right
        return replace(comparison, left=choose(comparison.left), right=chosen)

    mark = claim.mark and replace(claim.mark, program=choose(claim.mark.program))
    return replace(claim, mark=mark, all=[choose_both(comparison) for comparison in claim.all])


def _find_unnamed(claim: Claim, terms: Terms) -> Iterator[Problem]:
    """What of a claim no experiment and no catalogue has a name for."""
    origin = "" if _PLACE.fullmatch(claim.origin) else claim.origin
    named: dict[str, tuple[Group, str]] = {
        "topic": ("topics", claim.topic),
        "source": ("source", claim.source),
        "origin": ("origin", origin),
    }
    for key, (group, name) in named.items():
        if (name or key != "origin") and (problem := find_unnamed(group, name, terms)):
            yield [key], problem


def _find_problems(
    claim: Claim, experiment: Experiment, before: Collection[str]
) -> Iterator[Problem]:
    """What fits nothing else, or names what is not there; ``before`` are the ids of other claims."""
    if claim.id in before:
        yield ["id"], "an id stands for one claim only"
    if bool(claim.all) == bool(claim.mark):
        yield ["all"], "either comparisons or a mark"
    for side in list_sides(claim):
        if problem := _find_side_problem(side, experiment):
            yield ["mark" if claim.mark else "all"], problem
    metrics = (*METRICS, *experiment.readings)
    for number, comparison in enumerate(claim.all):
        for keys, message in find_comparison_problems(comparison, metrics):
            yield ["all", number, *keys], message
    for keys, message in find_bad_sentences(claim.text, claim.all):
        yield ["text", *keys], message


def _find_side_problem(side: Side, experiment: Experiment) -> str:
    programs = {program.name: program for program in experiment.programs}
    if side.program not in programs:
        return f"no such program {side.program!r}"
    program = programs[side.program]
    if side.family and side.family not in program.families:
        return f"{side.program!r} is not of the family {side.family!r}"
    if side.start_method and not program.processes:
        return f"{side.program!r} starts no processes"
    return ""
