"""Experiments: what ``examples/<experiment>/experiment.toml`` declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.measure.declaration import Declared, MalformedDeclaration, at, convert, read_toml

ProfileName = Literal["smoke", "quick", "full"]
StartMethod = Literal["fork", "forkserver", "spawn"]
WorkerRule = Literal["tasks", "cores", "thread-pool"]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Program(Declared, frozen=True, kw_only=True):
    """One runnable example script.

    ``workers`` is a number or a rule, see ``plan.count_workers``; ``processes`` tells that the
    program starts some, so that the start method matters.
    """

    file: str
    family: str
    tasks: int
    workers: int | WorkerRule
    processes: bool = False

    @property
    def name(self) -> str:
        """The file name without its suffix: ``04-io-thread_pool``."""
        return self.file.removesuffix(".py")


class Family(Declared, frozen=True, kw_only=True):
    """Programs that compete with each other, and the plainest of them to compare with.

    ``longest_task_share`` is the part of the family's CPU work that is one indivisible task.
    """

    name: str
    baseline: str
    longest_task_share: float = 0.0


class Profile(Declared, frozen=True, kw_only=True):
    """How large the work is.

    ``params`` become environment variables of the programs and of the load server. ``results``
    is what the programs of a family must print; ``longest_wait_s`` their longest chain of waits.
    ``estimate_s`` is what a trial takes on average, for the first announcement of the plan.
    """

    name: ProfileName
    trials: int
    memory_trials: int
    timeout_s: float
    estimate_s: float
    params: dict[str, str] = {}
    longest_wait_s: dict[str, float] = {}
    results: dict[str, str] = {}


class _File(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    source: str
    server: bool
    shared: list[str]
    start_methods: list[StartMethod]
    families: list[Family]
    programs: list[Program]
    profiles: list[Profile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One question, one folder: programs that do the same work in different ways."""

    name: str
    folder: Path
    source: str
    needs_server: bool
    shared: tuple[str, ...]
    start_methods: tuple[StartMethod, ...]
    families: tuple[Family, ...]
    programs: tuple[Program, ...]
    profiles: Mapping[str, Profile]

    def family(self, name: str) -> Family:
        """The family of that name; ``KeyError`` if the experiment has none."""
        return {family.name: family for family in self.families}[name]


def load_experiment(folder: Path) -> Experiment:
    """Read ``experiment.toml`` in ``folder``.

    Raises:
        MalformedDeclaration: something in it is wrong; names file, line and key.
    """
    path = folder / "experiment.toml"
    data = read_toml(path)
    for group in ("families", "profiles"):
        tables = data.get(group)
        if isinstance(tables, dict):
            for name, table in tables.items():
                convert({"name": name} | table, _ITEMS[group], path, f"{group}.{name}")
            data[group] = [{"name": name} | table for name, table in tables.items()]
    declared = convert(data, _File, path)
    _check_references(declared, folder, path)
    return Experiment(
        name=folder.name,
        folder=folder,
        source=declared.source,
        needs_server=declared.server,
        shared=tuple(declared.shared),
        start_methods=tuple(declared.start_methods),
        families=tuple(declared.families),
        programs=tuple(declared.programs),
        profiles={profile.name: profile for profile in declared.profiles},
    )


def find_experiments(examples: Path = EXAMPLES) -> tuple[Experiment, ...]:
    """Every folder of ``examples`` that holds an ``experiment.toml``, by name."""
    return tuple(
        load_experiment(path.parent) for path in sorted(examples.glob("*/experiment.toml"))
    )


_ITEMS: dict[str, type[Family | Profile]] = {"families": Family, "profiles": Profile}


def _check_references(declared: _File, folder: Path, path: Path) -> None:
    families = {family.name for family in declared.families}
    programs = {program.name: program for program in declared.programs}
    for index, program in enumerate(declared.programs):
        if program.family not in families:
            message = f"no such family {program.family!r}; there are {_list(families)}"
            raise MalformedDeclaration(at(path, ["programs", index, "family"], message))
        if not (folder / program.file).is_file():
            message = f"no such file {program.file!r} in {folder}"
            raise MalformedDeclaration(at(path, ["programs", index, "file"], message))
    for family in declared.families:
        baseline = programs.get(family.baseline)
        if baseline is None or baseline.family != family.name:
            message = f"{family.baseline!r} is not a program of this family"
            raise MalformedDeclaration(at(path, ["families", family.name, "baseline"], message))
    for index, name in enumerate(declared.shared):
        if not (folder / name).is_file():
            message = f"no such file {name!r} in {folder}"
            raise MalformedDeclaration(at(path, ["shared"], f"item {index + 1}: {message}"))
    for profile in declared.profiles:
        for key in ("longest_wait_s", "results"):
            for unknown in sorted(set(getattr(profile, key)) - families):
                message = f"no such family; there are {_list(families)}"
                raise MalformedDeclaration(
                    at(path, ["profiles", profile.name, key, unknown], message)
                )
        for key in ("trials", "memory_trials"):
            if getattr(profile, key) < 1:
                raise MalformedDeclaration(at(path, ["profiles", profile.name, key], "at least 1"))


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))
