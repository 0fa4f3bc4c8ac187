"""Claims: checked sentences, as ``examples/<experiment>/claims.toml`` declares them.

Beside them it has the questions by which a reader chooses among the programs of a family.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, field, structs

from poolwise.declaration import (
    Count,
    Declared,
    Id,
    Margin,
    Problem,
    Quantity,
    Version,
    convert,
    read_toml,
    refuse,
)
from poolwise.experiment import Experiment, StartMethod, name_unknown
from poolwise.metrics import METRICS
from poolwise.record import Variant
from scripts.site.declare.texts import Group, Terms, find_bad_texts, find_unnamed, find_unworded

Size = Literal["cores", "tasks", "workers"]
Relation = Literal["less", "more", "equal", "not less", "not more", "falls", "rises", "stays"]

SWEPT = ("falls", "rises", "stays")  # the relations of a sweep; the others are between two sides
# Relations that deny a difference: their margin is what still counts as none.
WITHIN = ("equal", "stays", "not less", "not more")

# The outcomes of a comparison, as many as its interval can have: ``judge.decisions`` decides which.
# Of "at least m": all of it reaches m; the same way but less; the same way, how much is open; at m;
# none; the other way; at most so much, if at all. Of a denied difference: none, or one within m;
# one beyond it; at m. Of a number: as claimed, apart, at it. Of all: not decided.
Outcome = Literal[
    "as-claimed",
    "equal",
    "equal-with-direction",
    "less",
    "how-much-open",
    "at-the-margin",
    "no-difference",
    "other-way",
    "apart",
    "at-most",
    "not-decided",
    "preview",
]
CLAIMED: tuple[Outcome, ...] = ("as-claimed", "equal")  # with the sentence that a claim says itself
OTHERWISE = set(get_args(Outcome)) - {*CLAIMED, "preview"}

_RELEASE = r"\d+\.\d+\.\d+((a|b|rc)\d+)?t?"  # with ``t`` if it is free-threaded

# A place in a sentence: ``{left}``, of the second comparison ``{left2}``; after a bar the form that it
# asks for, ``{cores|cores}``, ``{ratio|fold}``.
PLACEHOLDER = re.compile(r"\{([a-z]+)(\d*)(?:\|([^{}]*))?\}")


class Side(Declared, frozen=True, kw_only=True):
    """One side of a comparison: a program, and which of its cells. A string is a program's name."""

    program: str
    family: str = ""  # by default the first of its families
    # The most or the least that were measured, as many as there are cores, one more, or a number.
    tasks: Literal["most", "least", "cores", "above cores"] | Count = "most"
    workers: Literal["most", "least"] | Count = "most"  # of those measured with these tasks
    start_method: StartMethod | None = None  # by default the first that was measured
    names: dict[str, dict[str, str]] = {}  # what people call program and family, by language
    # What a made sentence calls it, where neither [names] nor its title fits: "one thread per page".
    called: dict[str, str] = {}


class Comparison(Declared, frozen=True, kw_only=True):
    """A condition: ``metric`` of one program stands in ``relation`` to something else.

    It is compared with one of ``right``, ``of_cores`` and ``over``. The ratio is turned so that it
    stands beside the margin as it is: right ÷ left for ``less`` and ``not less``, left ÷ right for the
    others; of a sweep the first size ÷ the last for ``falls``, the last ÷ the first for ``rises``.

    ``less``, ``more``, ``falls`` and ``rises``: the ratio is at least ``margin``, or more than 1 where
    that is the margin. ``not less`` and ``not more``: it is not. ``equal`` and ``stays``: it is within
    the margin either way.
    """

    metric: str
    left: Side
    right: Side | Quantity | None = None  # another program, or a number in the metric's own unit
    of_cores: Quantity | None = None  # the share of the cores that it ran on
    over: Size | None = None  # all sizes that were measured, each against the others
    relation: Relation
    margin: Margin = 1.0
    # Of the right side; seconds are compared only between builds alike.
    right_python: Annotated[str, Meta(pattern=rf"^(same|ordinary|{_RELEASE})$(?!\n)")] = "same"
    every: bool = False  # each trial must satisfy it: for events that may not happen even once

    @property
    def limit(self) -> float | None:
        """The number that the metric is compared with, if it is with one."""
        return self.of_cores if isinstance(self.right, Side) or not self.right else self.right


def list_compared(comparison: Comparison) -> list[Side]:
    """List the programs that are compared, in their order."""
    right = comparison.right
    return [comparison.left, right] if isinstance(right, Side) else [comparison.left]


def find_comparison_problems(comparison: Comparison, metrics: Collection[str]) -> Iterator[Problem]:
    """Find keys that contradict each other, or name nothing that is there."""
    against = (comparison.right, comparison.of_cores, comparison.over)
    if comparison.metric not in metrics:
        yield ["metric"], name_unknown("metric", comparison.metric, set(metrics))
    if against.count(None) != 2:
        yield ["right"], "compared with one thing: right, of_cores or over"
    if (comparison.over is not None) != (comparison.relation in SWEPT):
        yield ["relation"], f"{comparison.relation!r} is no relation of such a comparison"
    if comparison.of_cores is not None and comparison.metric != "cpu_share":
        yield ["of_cores"], "only cpu_share has a share of the cores"
    if comparison.relation in ("equal", "stays") and comparison.margin == 1:
        yield ["margin"], f"{comparison.relation!r} needs a margin above 1"
    if comparison.limit is not None:
        if comparison.relation == "equal":
            yield ["relation"], "a number can be exceeded or not, but not be equalled"
        elif comparison.margin > 1:
            yield ["margin"], "a number says what it is compared with: leave the margin out"
    elif comparison.every:
        yield ["every"], "each trial can be less or more than a number, and nothing else"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a sentence: the name of the value, the index of its comparison, and its form."""

    name: str
    index: int
    form: str


def read_place(match: re.Match[str]) -> Place:
    """Read a match of ``PLACEHOLDER``; the first comparison has the index 0."""
    return Place(match[1], int(match[2] or 1) - 1, match[3] or "")


def _find_bad_places(sentence: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    for place in map(read_place, PLACEHOLDER.finditer(sentence)):
        if problem := _find_place_problem(place, comparisons):
            yield problem
    if re.search("[{}]", PLACEHOLDER.sub("", sentence)):
        yield "a brace that belongs to no place"


def _find_place_problem(place: Place, comparisons: Sequence[Comparison]) -> str:
    name, form = place.name, place.form
    if name in ("left", "right", "ratio"):
        if not 0 <= place.index < len(comparisons):
            return f"nothing gives {{{name}{place.index + 1}}}: there is no such comparison"
        forms = ("fold", "times", "percent") if name == "ratio" else ()
        return f"{{{name}}} has no form {form!r}" if form and form not in forms else ""
    if name not in ("cores", "workers") or place.index:
        return f"no such placeholder {{{name}}}"
    return find_unworded("plural", form) if form else ""


_NUMBER = re.compile(r"\d+(\.\d+)?")
_PLACE = re.compile(r"\d+[a-z]?|\d+/\d+")  # a row of the source, or one of so many conclusions


class Where(Declared, frozen=True, kw_only=True):
    """The conditions under which a claim applies; those left out do not matter."""

    cores: Literal["one", "several"] | None = None
    gil: Literal["on", "off"] | None = None
    system: Literal["Linux"] | None = None
    python: Version | None = None
    release: Annotated[str, Meta(pattern=rf"^{_RELEASE}$(?!\n)")] | None = None

    def matches(self, cell: Variant, system: str) -> bool:
        """Tell whether a claim applies to a cell, on an operating system."""
        return (
            self.cores in (None, "one" if cell.cores == 1 else "several")
            and self.gil in (None, cell.gil)
            and self.system in (None, system)
            and self.python in (None, find_minor(cell.interpreter))
            and self.release in (None, name_release(cell.interpreter))
        )


def find_minor(interpreter: str) -> str:
    """Take the minor version out of an interpreter's id: ``3.7`` of ``cpython-3.7.16``."""
    return ".".join(interpreter.split("-")[1].split(".")[:2])


def name_release(interpreter: str) -> str:
    """Take the release out of an id: ``3.14.7t`` of ``cpython-3.14.7t-9786cd``; empty where it is none."""
    match = re.fullmatch(r"cpython-([\d.]+(?:(?:a|b|rc)\d+)?t?)(?:-[0-9a-f]{6})?", interpreter)
    return match[1] if match else ""


class Claim(Declared, frozen=True, kw_only=True):
    """One condition, which a machine confirms or refutes, and what it says where it holds.

    ``topic``, ``source`` and ``origin`` are as ``[terms]`` of some experiment name them, but a source
    may be ``us``, and an origin a row of it, or ``3/7``: the third of seven conclusions. ``says`` is
    its sentence by language, where all comparisons hold. The sentence of any other outcome is made of
    names, verb and values; ``instead`` has those that are written, by the outcome, where that does
    not fit.
    ``at`` names what makes its number, in the order in which that is said: ``tasks``, ``workers``,
    ``cores`` and parameters, each with its noun in ``[plural]`` of the catalogues; without a noun
    it is left unsaid. What a claim does not name, ``[at]`` of its file names for the family.
    ``different_work`` says that its sides differ in declared work, which is what it is about.
    """

    id: Id
    at: dict[str, str] = {}
    topic: str
    source: str
    origin: str = ""
    different_work: bool = False
    all: Annotated[list[Comparison], Meta(min_length=1)]
    where: Where = Where()
    says: dict[str, str]
    instead: dict[str, dict[str, str]] = {}

    def find_written(self, outcome: Outcome) -> Mapping[str, str]:
        """Return the sentence that is written for an outcome, by language; empty if it is to be made."""
        return self.says if outcome in CLAIMED else self.instead.get(outcome, {})


class Disqualification(Declared, frozen=True, kw_only=True):
    """A reason not to recommend a program: a metric or reading that is surely ``above`` a limit.

    ``why`` says in each language what is wrong with such a program: "it stops the event loop".
    """

    metric: str
    above: Annotated[float, Meta(ge=0)]
    why: dict[str, str]


# The factor by which programs may differ that are equally good: nobody would choose by so little.
USUAL_TIE = 1.25


class Question(Declared, frozen=True, kw_only=True):
    """The choice that a reader makes among the programs of a family.

    The metric or reading to ``weigh`` decides, and less is better; of programs equal up to the factor
    ``tie``, the ``costs``. Programs that ``contend`` may be recommended, by default all of the family,
    but what is to ``disqualify`` never. The question is about a size that the baseline has.
    """

    weigh: str
    ask: dict[str, str]
    contend: list[str] = []
    tasks: Literal["most", "least"] = "most"
    costs: list[Literal["cpu_s", "peak_pss_bytes"]] = field(default_factory=lambda: ["cpu_s"])
    tie: Annotated[float, Meta(gt=1, le=1000)] = USUAL_TIE
    disqualify: list[Disqualification] = []


class _ClaimsFile(Declared, frozen=True, kw_only=True):
    schema: Literal[3]
    claims: list[Claim]
    at: dict[str, dict[str, str]] = {}  # by family
    names: dict[
        str, dict[str, str]
    ] = {}  # what made sentences call a program, by program and language
    questions: dict[str, Any] = {}  # which ``load_questions`` reads


def load_claims(experiment: Experiment, terms: Terms) -> tuple[Claim, ...]:
    """Read the claims of an experiment, in the order of its file; none if it has no file."""
    path = experiment.folder / "claims.toml"
    if not path.exists():
        return ()
    data = read_toml(path)
    _write_out_sides(data, experiment)
    declared = convert(data, _ClaimsFile, path)
    for family, at in declared.at.items():
        refuse(path, _find_bad_nouns(family, at, experiment), ["at", family])
    programs = {program.name for program in experiment.programs}
    for program, texts in declared.names.items():
        faults = list(find_bad_texts(texts))
        if program not in programs:
            faults.append(([], name_unknown("program", program, programs)))
        refuse(path, faults, ["names", program])
    problems: list[Problem] = []
    for number, claim in enumerate(declared.claims):
        for keys, message in _find_problems(claim, experiment, terms):
            problems.append((["claims", number, *keys], f"{claim.id}: {message}"))
        nouns = claim.at and _find_bad_nouns(list_sides(claim)[0].family, claim.at, experiment)
        for keys, message in nouns or ():
            problems.append((["claims", number, "at", *keys], f"{claim.id}: {message}"))
    refuse(path, problems)
    return tuple(_complete_at(claim, declared.at, experiment) for claim in declared.claims)


# The nouns of workers, by how a program spreads its work.
_WORKERS = {
    "threads": "threads",
    "processes": "processes",
    "interpreters": "interpreters",
    "coroutines": "at_once",
    "greenlets": "greenlets",
}


def _complete_at(
    claim: Claim, families: Mapping[str, Mapping[str, str]], experiment: Experiment
) -> Claim:
    """Name all that makes the number of a claim: what it leaves out, its family or its programs name."""
    sides = list_sides(claim)
    programs = [experiment.program(side.program) for side in sides]
    # A single worker goes unsaid, so its kind matters only where no program has more.
    several = [program for program in programs if program.workers != 1]
    ways = {program.ways[-1] for program in several or programs}
    at = {"tasks": "tasks", **families.get(sides[0].family, {}), **claim.at}
    at.setdefault("workers", _WORKERS.get(ways.pop(), "") if len(ways) == 1 else "workers")
    at.setdefault("cores", "cores_nominative")
    return structs.replace(claim, at=at)


def load_all_claims(
    experiments: Iterable[Experiment], terms: Terms
) -> dict[str, tuple[Claim, ...]]:
    """Read the claims of all experiments, by the name of each; every id stands for one claim."""
    claims: dict[str, tuple[Claim, ...]] = {}
    homes: dict[str, str] = {}
    for experiment in experiments:
        claims[experiment.name] = load_claims(experiment, terms)
        for number, claim in enumerate(claims[experiment.name]):
            if home := homes.get(claim.id):
                problem: Problem = (["id"], f"the id stands for a claim of {home}")
                path = experiment.folder / "claims.toml"
                refuse(path, [problem], ["claims", number], claim.id)
            homes[claim.id] = experiment.name
    return claims


def list_sides(claim: Claim) -> list[Side]:
    """List the programs that a claim compares, in its order."""
    sides = []
    for comparison in claim.all:
        sides += list_compared(comparison)
    return sides


def _write_out_sides(data: dict[str, Any], experiment: Experiment) -> None:
    """Write out short forms of sides, in place: a name becomes a table, with its first family and titles."""
    programs = {program.name: program for program in experiment.programs}
    families = {family.name: family.title for family in experiment.families}
    called = data.get("names")
    for claim in _list_tables(data.get("claims")):
        for comparison in _list_tables(claim.get("all")):
            for key in {"left", "right"} & comparison.keys():
                side = comparison[key]
                if isinstance(side, str):
                    side = {"program": side}
                if isinstance(side, dict):
                    program = programs.get(str(side.get("program")))
                    side = {"family": program.families[0] if program else ""} | side
                    family = families.get(str(side["family"]), {})
                    names = {"program": program.title if program else {}, "family": family}
                    if isinstance(called, dict) and side["program"] in called:
                        names["called"] = called[side["program"]]
                    comparison[key] = side | {"names": names}


def _list_tables(value: object) -> list[dict[str, Any]]:
    """List the tables of a list, if it is one; whatever else it is, ``convert`` refuses."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _find_problems(claim: Claim, experiment: Experiment, terms: Terms) -> Iterator[Problem]:
    """Find keys that contradict each other, or name nothing that is there."""
    names: list[tuple[str, Group, str]] = [
        ("topic", "topics", claim.topic),
        ("source", "source", claim.source),
    ]
    if claim.origin and not _PLACE.fullmatch(claim.origin):
        names.append(("origin", "origin", claim.origin))
    for key, group, name in names:
        if problem := find_unnamed(group, name, terms):
            yield [key], problem
    families = {program.name: program.families for program in experiment.programs}
    for side in list_sides(claim):
        if side.program not in families:
            yield ["all"], f"no such program {side.program!r}"
        elif side.family and side.family not in families[side.program]:
            yield ["all"], f"{side.program!r} is not of the family {side.family!r}"
    metrics = (*METRICS, *experiment.readings)
    for number, comparison in enumerate(claim.all):
        for keys, message in find_comparison_problems(comparison, metrics):
            yield ["all", number, *keys], message
    yield from _find_bad_sentences(claim.says, claim, "says")
    for outcome, texts in claim.instead.items():
        if outcome not in OTHERWISE:
            yield ["instead", outcome], name_unknown("outcome", outcome, OTHERWISE)
        yield from _find_bad_sentences(texts, claim, "instead", outcome)
    for side in list_sides(claim):
        if side.called:
            yield from find_bad_texts(side.called, "all")


def _find_bad_sentences(texts: Mapping[str, str], claim: Claim, *keys: str) -> Iterator[Problem]:
    yield from find_bad_texts(texts, *keys)
    for language, sentence in texts.items():
        for problem in _find_bad_places(sentence, claim.all):
            yield [*keys, language], problem


def _find_bad_nouns(
    family: str, at: Mapping[str, str], experiment: Experiment
) -> Iterator[Problem]:
    """Find what no row of a family has as a number, and nouns that the catalogues lack."""
    families = {family.name: family for family in experiment.families}
    if family not in families:
        yield [], name_unknown("family", family, set(families))
        return
    sizes = set(get_args(Size))
    for profile in experiment.profiles.values():
        for name, value in families[family].merge_params(profile).items():
            if _NUMBER.fullmatch(value):
                sizes.add(name)
    for name, noun in at.items():
        if name not in sizes:
            yield [name], name_unknown("size", name, sizes)
        elif noun and (problem := find_unworded("plural", noun)):
            yield [name], problem


def load_questions(experiment: Experiment) -> Mapping[str, Question]:
    """Read the questions of an experiment by the names of their families; none without the file."""
    path = experiment.folder / "claims.toml"
    if not path.exists():
        return {}
    tables = convert(read_toml(path).get("questions", {}), dict[str, object], path, "questions")
    questions = {}
    for family, table in tables.items():
        question = convert(table, Question, path, f'questions."{family}"')
        questions[family] = question
        refuse(path, _find_question_problems(question, family, experiment), ["questions", family])
    return questions


def _find_question_problems(
    question: Question, family: str, experiment: Experiment
) -> Iterator[Problem]:
    """Find names of nothing that is there, and texts that cannot stand on a page."""
    families = {family.name for family in experiment.families}
    if family not in families:
        yield [], name_unknown("family", family, families)
        return
    members = {program.name for program in experiment.programs if family in program.families}
    for name in question.contend:
        if name not in members:
            yield ["contend"], name_unknown("program", name, members)
    metrics = {*METRICS, *experiment.readings}
    if question.weigh not in metrics:
        yield ["weigh"], name_unknown("metric", question.weigh, metrics)
    yield from find_bad_texts(question.ask, "ask")
    for place, limit in enumerate(question.disqualify):
        if limit.metric not in metrics:
            yield ["disqualify", place, "metric"], name_unknown("metric", limit.metric, metrics)
        yield from find_bad_texts(limit.why, "disqualify", place, "why")
