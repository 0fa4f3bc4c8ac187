"""Experiments: what ``examples/<experiment>/experiment.toml`` declares."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta, field
from msgspec.structs import asdict, replace

from scripts.declare.declaration import (
    Declared,
    MalformedDeclaration,
    Problem,
    at,
    convert,
    read_text,
    read_toml,
    refuse,
)
from scripts.declare.family import Family, find_family_problems
from scripts.declare.languages import find_bad_texts
from scripts.declare.metrics import METRICS
from scripts.declare.originals import Original, load_originals
from scripts.declare.profile import (
    Profile,
    ProfileName,
    find_profile_problems,
    name_unknown,
)
from scripts.declare.program import Program, StartMethod, find_program_problems
from scripts.declare.terms import find_bad_terms
from scripts.declare.values import ID, MEANINGS, Count, Reading, SharedFile, Version
from scripts.paths import EXAMPLES

CoreRule = Literal["each", "all"]
Tracer = Literal["pss", "memory_profiler"]


class Navigation(Declared, frozen=True, kw_only=True):
    """The entry of an experiment's page, ``<experiment>.md``.

    ``title`` is its name in each language; of two pages, the one with the lower ``place`` is first.
    """

    title: dict[str, str]
    place: Count


class _ExperimentFile(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    source: str
    needs_server: bool = field(name="server")
    shared: tuple[SharedFile, ...]
    start_methods: tuple[StartMethod, ...]
    cores: CoreRule = "each"
    readings: tuple[Reading, ...] = ()
    tracer: Tracer = "pss"
    lines: str = ""
    python: Version | None = None
    navigation: Navigation | None = None
    terms: dict[str, dict[str, dict[str, str]]] = {}
    derived: dict[str, dict[str, str]] = {}
    families: Annotated[tuple[Family, ...], Meta(min_length=1)]
    programs: Annotated[tuple[Program, ...], Meta(min_length=1)]
    profiles: dict[str, Profile]


class Experiment(_ExperimentFile, frozen=True, kw_only=True):
    """One question, one folder: programs that do the same work in different ways.

    ``cores`` says whether it runs on 1, 2, 4 … cores or on all only. ``readings`` name what
    programs print beside their time, ``made 123 threads``. ``tracer`` samples memory over time.
    ``lines`` names the function of which timelines tell what line ran, empty for none. Without
    ``navigation`` it is shown on a page that the navigation has elsewhere. ``terms`` name topics,
    sources and places in them for the claims of all experiments. ``originals`` are the figures of
    the article behind it, if there is one; ``derived`` says in each language, by column, what of
    them the article does not print so.
    """

    schema: Literal[1] = 1
    name: str
    folder: Path
    originals: tuple[Original, ...] = ()

    def program(self, name: str) -> Program:
        """The program of that name; ``KeyError`` if the experiment has none."""
        return {program.name: program for program in self.programs}[name]

    def family(self, name: str) -> Family:
        """The family of that name; ``KeyError`` if the experiment has none."""
        return {family.name: family for family in self.families}[name]

    @property
    def asks_every(self) -> bool:
        """Whether any family is for each Python found."""
        return any(family.interpreters == "every" for family in self.families)

    def asks_server(self, program: Program) -> bool:
        """Whether the load server must run before a person starts this program."""
        families = (self.family(name) for name in program.families)
        return self.needs_server and not all(family.offline for family in families)


def load_experiment(folder: Path) -> Experiment:
    """Read ``experiment.toml`` and ``originals.csv`` in ``folder``.

    Raises:
        MalformedDeclaration: something in them is wrong; names file, line and key.
    """
    path = folder / "experiment.toml"
    data = read_toml(path)
    for group in _ITEMS:
        if group in data:
            tables = convert(data[group], dict[str, object], path, group)
            items = {name: _read_item(group, name, table, path) for name, table in tables.items()}
            data[group] = items if group == "profiles" else list(items.values())
    declared = convert(data, _ExperimentFile, path)
    refuse(path, _find_problems(declared, folder))
    programs = (replace(one, python=one.python or declared.python) for one in declared.programs)
    originals = load_originals(folder, {program.name for program in declared.programs})
    told = asdict(declared) | {"programs": tuple(programs), "originals": originals}
    return Experiment(name=folder.name, folder=folder, **told)


def find_experiments(examples: Path = EXAMPLES) -> tuple[Experiment, ...]:
    """Every folder of ``examples`` that holds an ``experiment.toml``, by name.

    Raises:
        MalformedDeclaration: one of them is wrong, or its folder's name can be no address.
    """
    # Up to Python 3.12 a pattern without a wildcard at its end leaves out links that lead nowhere.
    entries = examples.glob("*/*")
    folders = sorted(path.parent for path in entries if path.name == "experiment.toml")
    for folder in folders:
        if not re.match(ID, folder.name):
            raise MalformedDeclaration(f"{folder}: a folder's name is {MEANINGS[ID]}")
    return tuple(map(load_experiment, folders))


def tell_unknown_program(experiments: Mapping[str, Experiment], name: str) -> str:
    """Why ``matrix/tasks.py`` names no program and no shared file, with or without ``.py``; else empty."""
    folder, _, file = name.partition("/")
    if folder not in experiments:
        return name_unknown("experiment", folder, set(experiments))
    experiment = experiments[folder]
    files = {*(program.file for program in experiment.programs), *experiment.shared}
    if f"{file.removesuffix('.py')}.py" in files:
        return ""
    return name_unknown("program", name, {f"{folder}/{one}" for one in files})


_ITEMS: dict[str, type[Family | Profile]] = {"families": Family, "profiles": Profile}


def _read_item(group: str, name: str, table: object, path: Path) -> dict[str, object]:
    """A table that is named by its place, ``[families.io]``, with the name in it."""
    fields = convert(table, dict[str, object], path, f'{group}."{name}"')
    if "name" in fields:
        raise MalformedDeclaration(at(path, [group, name, "name"], f"it is named {name!r} already"))
    named = {"name": name} | fields
    convert(named, _ITEMS[group], path, f'{group}."{name}"')
    return named


def _find_problems(declared: _ExperimentFile, folder: Path) -> Iterator[Problem]:
    """What fits nothing else in the declaration, or names what is not there."""
    for keys, message in find_bad_texts(declared.navigation.title) if declared.navigation else ():
        yield ["navigation", "title", *keys], message
    yield from find_bad_terms(declared.terms)
    for column, texts in declared.derived.items():
        for keys, message in find_bad_texts(texts):
            yield ["derived", column, *keys], message
    for name in declared.readings:
        if name in ("time", *METRICS):
            yield ["readings"], f"{name!r} is measured of every program"
    for index, name in enumerate(declared.shared):
        if problem := _find_file_problem(folder, name):
            yield ["shared"], f"item {index + 1}: {problem}"
    yield from _find_bad_programs(declared, folder)
    members = {program.name: program.families for program in declared.programs}
    for family in declared.families:
        for keys, message in find_family_problems(family, members.get(family.baseline, ())):
            yield ["families", family.name, *keys], message
    yield from _find_bad_profiles(declared.profiles.values(), declared.programs)


def _find_bad_programs(declared: _ExperimentFile, folder: Path) -> Iterator[Problem]:
    families = {family.name for family in declared.families}
    files = [program.file for program in declared.programs]
    for index, program in enumerate(declared.programs):
        for family in sorted(set(program.families) - families):
            yield ["programs", index, "families"], name_unknown("family", family, families)
        if problem := _find_file_problem(folder, program.file):
            yield ["programs", index, "file"], problem
        if program.file in files[:index]:
            yield ["programs", index, "file"], f"{program.file!r} is declared twice"
        for keys, message in find_program_problems(program, declared.start_methods):
            yield ["programs", index, *keys], message


def _find_file_problem(folder: Path, name: str) -> str:
    """Why a file cannot be run and shown: it is not in the folder itself, or is no text."""
    path = folder / name
    try:
        read_text(path)
        is_inside = path.resolve().parent == folder.resolve()
    except MalformedDeclaration as error:
        return str(error).removeprefix(f"{path}:").strip() + f": {name!r} in {folder}"
    return "" if is_inside else f"{name!r} leads out of {folder}"


def _find_bad_profiles(
    profiles: Iterable[Profile], programs: Iterable[Program]
) -> Iterator[Problem]:
    declared = {profile.name for profile in profiles}
    for name in get_args(ProfileName):
        if name not in declared:
            yield ["profiles", name], "every experiment must have this profile"
    families = {program.name: program.families for program in programs}
    for profile in profiles:
        for keys, message in find_profile_problems(profile, families):
            yield ["profiles", profile.name, *keys], message
