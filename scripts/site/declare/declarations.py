"""Declarations: all that ``examples/`` and ``docs/`` declare, validated together.

Beside experiments and claims these are choices, which program to take for which task; findings, the
claims with which pages open; and the figures that an article printed. Whoever reads a part of it raises
``MalformedDeclaration``: its message names file, line and key.
"""

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, structs

from poolwise.declaration import (
    ID,
    MEANINGS,
    Declared,
    Id,
    MalformedDeclaration,
    Problem,
    convert,
    read_text,
    read_toml,
    refuse,
)
from poolwise.experiment import Experiment, load_experiment
from scripts.site.declare.claims import Claim, list_sides, load_all_claims, load_questions
from scripts.site.declare.scenes import read_scene
from scripts.site.declare.texts import (
    Terms,
    find_bad_texts,
    find_bad_words,
    find_unnamed,
    merge_terms,
)
from scripts.site.paths import CHOICES, EXAMPLES, FINDINGS

ANSWERS = "answers"  # the experiment whose families are the answers, and the folder of their pages
# Programs whose timelines a fence shows, and the claim that these argue.
_PICTURED = re.compile(r"show\.timeline\(([^()]*)\)")
_QUOTED = re.compile(r'(claim=)?"([^"]*)"')
# A claim by its id, as fences show it or have it as the title of a chart.
_SHOWN = re.compile(r'claim(?:\(|=)"([a-z0-9-]+)"')


class Choice(Declared, frozen=True, kw_only=True):
    """An answer: the program to take for some tasks, and why; texts by language.

    ``work`` to ``gil`` are the values of these that it is for; none for any.
    """

    id: Id
    take: str  # the program, ``matrix/06-io-async``
    claim: Id  # that it rests on, which compares that program at such a size
    work: Annotated[
        list[Literal["waiting", "computing", "native", "both", "mixed"]], Meta(min_length=1)
    ]
    tasks: list[Literal["few", "hundreds", "thousands"]] = []
    library: list[Literal["async", "blocking"]] = []
    cores: list[Literal["one", "several"]] = []
    memory: list[Literal["plenty", "little"]] = []
    gil: list[Literal["on", "off"]] = []
    answer: str = ""  # the page with a program to paste, a family of ``answers``
    uses: list[str] = []  # code that the program to take and the one to paste both have
    situation: dict[str, str]
    advice: dict[str, str]
    why: dict[str, str]
    unless: dict[str, str]

    @property
    def experiment(self) -> str:
        """The experiment of the program to take."""
        return self.take.partition("/")[0]

    @property
    def program(self) -> str:
        """The program to take, without its experiment."""
        return self.take.partition("/")[2]


class _ChoicesFile(Declared, frozen=True, kw_only=True):
    choices: list[Choice]
    mistakes: dict[str, list[str]] = {}


class _FindingsFile(Declared, frozen=True, kw_only=True):
    findings: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """Experiments and their claims by the name of the experiment, and the choices in their order.

    ``terms`` are those of all experiments; ``findings`` the ids of claims by the page that opens
    with them, ``answered`` of those that Home and the answers show, and ``first`` of both and of
    those of Choose, which a reader meets first.
    ``mistakes`` are those of each answer's page, in its order: a program, a kind, or code that the page prints.
    ``watched`` are the programs whose timelines pages show, ``json/01-sequential``, each with the id of
    the claim that it argues, the first of several, if any.
    """

    experiments: Mapping[str, Experiment]
    terms: Terms = field(default_factory=dict)
    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    mistakes: Mapping[str, list[str]] = field(default_factory=dict)
    findings: Mapping[str, list[str]] = field(default_factory=dict)
    answered: Collection[str] = ()
    first: Collection[str] = ()
    watched: Mapping[str, str] = field(default_factory=dict)


def load_declarations(examples: Path = EXAMPLES, choices: Path = CHOICES) -> Declarations:
    """Read everything that is declared; the file of the findings is beside that of the choices."""
    experiments = {}
    for experiment in find_experiments(examples):
        experiments[experiment.name] = _complete(experiment)
    terms = merge_terms(experiment.terms for experiment in experiments.values())
    for experiment in experiments.values():
        if problem := find_unnamed("source", experiment.source, terms):
            refuse(experiment.folder / "experiment.toml", [(["source"], problem)])
    claims = load_all_claims(experiments.values(), terms)
    # The programs of each claim, as a choice takes them.
    compared: dict[str, set[str]] = {}
    for name, group in claims.items():
        for claim in group:
            compared[claim.id] = {f"{name}/{side.program}" for side in list_sides(claim)}
    findings = load_findings(choices.with_name(FINDINGS.name), compared)
    answers, mistakes = load_choices(choices, experiments.get(ANSWERS), compared)
    answered: set[str] = set()
    for path in (*choices.parent.glob("*/index.md"), *choices.parent.glob("*/answers/*.md")):
        answered.update(_SHOWN.findall(read_text(path)))
    return Declarations(
        experiments=experiments,
        terms=terms,
        claims=claims,
        choices=answers,
        mistakes=mistakes,
        findings=findings,
        answered=answered,
        first=answered.union(*findings.values(), (choice.claim for choice in answers)),
        watched=_list_watched(choices.parent),
    )


def _list_watched(docs: Path) -> dict[str, str]:
    """List the programs whose timelines pages or scenes show, with the claim that each argues."""
    watched: dict[str, str] = {}
    for path in sorted(docs.rglob("*.md")):
        for arguments in _PICTURED.findall(read_text(path)):
            quoted = _QUOTED.findall(arguments)
            claim = next((name for key, name in quoted if key), "")
            for program in (name for key, name in quoted if not key):
                watched[program] = watched.get(program) or claim
    for path in sorted((docs / "scenes").glob("*.toml")):
        for program in read_scene(path.stem, path.parent).timelines:
            watched.setdefault(program, "")
    return watched


def _complete(experiment: Experiment) -> Experiment:
    """Return an experiment with its article's figures and its questions, once its texts are whole."""
    refuse(experiment.folder / "experiment.toml", find_bad_words(experiment))
    originals = load_originals(experiment.folder, {program.name for program in experiment.programs})
    return structs.replace(experiment, originals=originals, questions=load_questions(experiment))


def load_originals(folder: Path, programs: Collection[str]) -> tuple[Mapping[str, str], ...]:
    """Read an article's rows, figures as printed, a cell empty where it says nothing; none without the file."""
    path = folder / "originals.csv"
    if not path.exists():
        return ()
    rows = list(csv.DictReader(read_text(path).splitlines()))
    for number, row in enumerate(rows, start=2):
        if None in (*row, *row.values()):
            raise MalformedDeclaration(f"{path}:{number}: another number of cells than of columns")
        if (program := row["program"].removesuffix(".py")) not in programs:
            raise MalformedDeclaration(f"{path}:{number}: program: no such program {program!r}")
    if not rows:
        raise MalformedDeclaration(f"{path}: no rows")
    return tuple(rows)


def load_findings(path: Path, claims: Collection[str]) -> Mapping[str, list[str]]:
    """Read the ids of claims by the name of the page that opens with them; none without the file."""
    if not path.exists():
        return {}
    findings = convert(read_toml(path), _FindingsFile, path).findings
    for page, ids in findings.items():
        for place, id_ in enumerate(ids):
            if id_ not in claims:
                refuse(path, [(["findings", page, place], f"no such claim {id_!r}")])
    return findings


def load_choices(
    path: Path, answers: Experiment | None, compared: Mapping[str, Collection[str]]
) -> tuple[tuple[Choice, ...], Mapping[str, list[str]]]:
    """Read the choices, in the order of their file, and the mistakes; ``compared`` are programs by claim."""
    file = convert(read_toml(path), _ChoicesFile, path)
    pages = {""}
    if answers:
        pages.update(family.name for family in answers.families)
    for number, choice in enumerate(file.choices):
        problems = _find_problems(choice, compared, pages)
        refuse(path, problems, ["choices", number], choice.id)
    for answer in file.mistakes.keys() - pages:
        refuse(path, [(["mistakes", answer], f"no such answer {answer!r}")])
    return tuple(file.choices), file.mistakes


def _find_problems(
    choice: Choice, compared: Mapping[str, Collection[str]], answers: Collection[str]
) -> Iterator[Problem]:
    """Find keys that do not fit together; ``compared`` are the programs of each claim, as in ``take``."""
    if choice.claim not in compared:
        yield ["claim"], f"no such claim {choice.claim!r}"
    elif choice.take not in compared[choice.claim]:
        yield ["take"], f"{choice.claim!r} does not compare {choice.take!r}"
    if choice.answer not in answers:
        yield ["answer"], f"no such answer {choice.answer!r}"
    for key in ("situation", "advice", "why", "unless"):
        yield from find_bad_texts(getattr(choice, key), key)


def find_experiments(examples: Path = EXAMPLES) -> tuple[Experiment, ...]:
    """Load every folder of ``examples`` that holds an ``experiment.toml``, by name."""
    folders = sorted(path.parent for path in examples.glob("*/experiment.toml"))
    for folder in folders:
        if not re.match(ID, folder.name):
            raise MalformedDeclaration(f"{folder}: a folder's name is {MEANINGS[ID]}")
    return tuple(map(load_experiment, folders))
