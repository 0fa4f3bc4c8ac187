"""Choices: which program to take for which task, as ``docs/choices.toml`` declares."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from scripts.declare.declaration import Declared, MalformedDeclaration, at, convert, read_toml
from scripts.declare.experiment import find_experiments
from scripts.declare.languages import list_languages
from scripts.paths import CHOICES, EXAMPLES

TEXTS = ("situation", "advice", "why", "unless")


class Choice(Declared, frozen=True, kw_only=True):
    """An answer: for which tasks, the program to take, and why; texts by language.

    Args:
        id: its permanent anchor.
        take: the program, ``matrix/06-io-async``.
        family: the one in which its measurement is shown; by default its first.
        work, tasks, library, cores, memory, gil: for which values of these it is; none for any.
        situation: when it is the answer.
        advice: what to take.
        why: what makes it better than the others.
        unless: what would change the answer.
    """

    id: str
    take: str
    family: str = ""
    work: list[Literal["waiting", "computing", "both", "mixed"]]
    tasks: list[Literal["few", "hundreds", "thousands"]] = []
    library: list[Literal["async", "blocking"]] = []
    cores: list[Literal["one", "several"]] = []
    memory: list[Literal["plenty", "little"]] = []
    gil: list[Literal["on", "off"]] = []
    situation: dict[str, str]
    advice: dict[str, str]
    why: dict[str, str]
    unless: dict[str, str]


class _File(Declared, frozen=True, kw_only=True):
    choices: list[Choice]


def load_choices(path: Path = CHOICES, examples: Path = EXAMPLES) -> tuple[Choice, ...]:
    """The choices in the order of their file.

    Args:
        path: the file.
        examples: the folder of the experiments whose programs they take.

    Raises:
        MalformedDeclaration: something is wrong; names file, line, key and choice.
    """
    choices = convert(read_toml(path), _File, path).choices
    families = {
        f"{experiment.name}/{program.name}": program.families
        for experiment in find_experiments(examples)
        for program in experiment.programs
    }
    seen: set[str] = set()
    for number, choice in enumerate(choices):
        for key, problem in _find_problems(choice, families, seen):
            raise MalformedDeclaration(
                at(path, ["choices", number, key], f"{choice.id}: {problem}")
            )
        seen.add(choice.id)
    return tuple(choices)


def _find_problems(
    choice: Choice, families: Mapping[str, Sequence[str]], seen: set[str]
) -> Iterator[tuple[str, str]]:
    """What does not fit together: the key where it stands, and what is wrong.

    Args:
        choice: the one to look at.
        families: those of each program that there is, by its name in ``take``.
        seen: the ids of the choices before.
    """
    if choice.id in seen:
        yield "id", "an id stands for one choice only"
    if choice.take not in families:
        yield "take", f"no such program {choice.take!r}"
    elif choice.family and choice.family not in families[choice.take]:
        yield "family", f"{choice.take!r} is not of the family {choice.family!r}"
    for key in TEXTS:
        for language in list_languages():
            if language not in getattr(choice, key):
                yield key, f"no text in {language!r}"
