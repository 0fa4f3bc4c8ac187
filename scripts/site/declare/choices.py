"""Choices: which program to take for which task; findings: the claims with which pages open.

``docs/choices.toml`` and ``docs/findings.toml`` declare them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from scripts.harness.declaration import Declared, Id, Problem, convert, read_toml, refuse
from scripts.harness.experiment import Experiment
from scripts.site.declare.claims import Claim, list_sides
from scripts.site.declare.texts import find_bad_texts

ANSWERS = "answers"
"""The experiment whose families are the answers, and the folder of their pages."""
TEXTS = ("situation", "advice", "why", "unless")


class Choice(Declared, frozen=True, kw_only=True):
    """An answer: the program to take for some tasks, and why; texts by language.

    Args:
        id: its permanent anchor.
        take: the program, ``matrix/06-io-async``.
        claim: the claim that it rests on, which compares that program at such a size.
        work, tasks, library, cores, memory, gil: the values of these that it is for; none for any.
        answer: the page with a program to paste, a family of ``answers``; empty for none.
        unless: the conditions that would change the answer.
    """

    id: Id
    take: str
    claim: Id
    work: Annotated[
        list[Literal["waiting", "computing", "native", "both", "mixed"]], Meta(min_length=1)
    ]
    tasks: list[Literal["few", "hundreds", "thousands"]] = []
    library: list[Literal["async", "blocking"]] = []
    cores: list[Literal["one", "several"]] = []
    memory: list[Literal["plenty", "little"]] = []
    gil: list[Literal["on", "off"]] = []
    answer: str = ""
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


def load_choices(
    path: Path, experiments: Sequence[Experiment], claims: Mapping[str, Sequence[Claim]]
) -> tuple[Choice, ...]:
    """Read the choices, in the order of their file; ``claims`` are by experiment."""
    choices = convert(read_toml(path), _ChoicesFile, path).choices
    compared = {
        claim.id: {f"{name}/{side.program}" for side in list_sides(claim)}
        for name, own in claims.items()
        for claim in own
    }
    answers = {""}
    for experiment in experiments:
        if experiment.name == ANSWERS:
            answers.update(family.name for family in experiment.families)
    for number, choice in enumerate(choices):
        problems = _find_problems(choice, compared, answers)
        refuse(path, problems, ["choices", number], choice.id)
    return tuple(choices)


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
    for key in TEXTS:
        yield from find_bad_texts(getattr(choice, key), key)


class _FindingsFile(Declared, frozen=True, kw_only=True):
    findings: dict[str, list[str]]


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
