"""Experiments: what ``examples/<experiment>/experiment.toml`` declares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from scripts.declare.declaration import Declared, MalformedDeclaration, at, convert, read_toml
from scripts.paths import EXAMPLES

ProfileName = Literal["smoke", "quick", "full"]
StartMethod = Literal["fork", "forkserver", "spawn"]
WorkerRule = Literal["tasks", "cores", "thread-pool"]
CoreRule = Literal["each", "all"]
Ending = Literal["well", "error", "timeout"]
Tracer = Literal["pss", "memory_profiler"]
Count = Annotated[int, msgspec.Meta(ge=1)]
Reading = Annotated[str, msgspec.Meta(pattern="^[a-z_]+$")]


class Program(Declared, frozen=True, kw_only=True):
    """One runnable example script, which may compete in several families.

    ``workers`` is a number or a rule, see ``plan.count_workers``; ``processes`` tells that the
    program starts some, so that the start method matters; ``start_methods`` are those to try, if
    not the experiment's. ``system``, ``gil`` and ``cores`` (of the machine, used or not)
    are where alone it shows what it is for.
    """

    file: str
    families: Annotated[list[str], msgspec.Meta(min_length=1)]
    tasks: Count
    workers: Count | WorkerRule
    processes: bool = False
    start_methods: list[StartMethod] = []
    ends: Ending = "well"
    says: str = ""
    timeout_s: float | None = None
    system: Literal["Linux", "Darwin"] | None = None
    gil: Literal["on"] | None = None
    cores: Literal["several"] | None = None

    @property
    def name(self) -> str:
        """The file name without its suffix: ``04-io-thread_pool``."""
        return self.file.removesuffix(".py")

    def find_obstacle(self, system: str, gil: str, cores: int) -> str:
        """Why it does not run on such a machine and interpreter; empty if it does."""
        if self.system not in (None, system):
            return f"only for {self.system}"
        if self.gil not in (None, gil):
            return "only for Python with the GIL"
        if self.cores == "several" and cores == 1:
            return "only for several cores"
        return ""


class Family(Declared, frozen=True, kw_only=True):
    """Programs that do the same work and compete, and the plainest of them to compare with.

    ``title`` names it in each language. ``params`` become environment variables of its programs,
    over those of the profile. ``longest_task_share`` is the part of its CPU work that is one
    indivisible task; with ``equal_tasks`` all tasks are, and equal. ``interpreters`` is ``every``
    for programs without packages that are to run on each Python found.
    """

    name: str
    title: dict[str, str]
    baseline: str
    params: dict[str, str] = {}
    longest_task_share: float = 0.0
    equal_tasks: bool = False
    interpreters: Literal["wanted", "every"] = "wanted"


class Range(Declared, frozen=True, kw_only=True):
    """Numbers in equal steps, both ends included."""

    start: Count = msgspec.field(name="from")
    end: Count = msgspec.field(name="to")
    step: Count


class Sweep(Declared, frozen=True, kw_only=True):
    """Sizes at which some programs run in a profile, and how often; ``None``: as declared.

    It is for the programs in the families that it names; naming none means all.
    """

    families: list[str] = []
    programs: list[str] = []
    tasks: Annotated[list[Count], msgspec.Meta(min_length=1)] | Range | None = None
    workers: Annotated[list[Count], msgspec.Meta(min_length=1)] | None = None
    trials: Count | None = None
    memory_trials: Annotated[int, msgspec.Meta(ge=0)] | None = None

    def list_tasks(self, program: Program) -> list[int]:
        """The numbers of tasks of a program, ascending as declared."""
        match self.tasks:
            case None:
                return [program.tasks]
            case Range(start=start, end=end, step=step):
                return list(range(start, end + 1, step))
            case numbers:
                return numbers

    def has(self, tasks: int) -> bool:
        """Whether it is for this number of tasks."""
        match self.tasks:
            case None:
                return True
            case Range(start=start, end=end, step=step):
                return tasks in range(start, end + 1, step)
            case numbers:
                return tasks in numbers


class Profile(Declared, frozen=True, kw_only=True):
    """How large the work is.

    ``params`` become environment variables of the programs and of the load server. ``results``
    is what the programs of a family must print, ``{tasks}`` standing for their number;
    ``longest_wait_s`` is a family's longest chain of waits, ``task_wait_s`` what each of its tasks
    waits at least. ``estimate_s`` is what a trial takes on average, for the first announcement of
    the plan. Of ``sweeps``, the first that fits a program in a family decides, together with those
    of the very same programs and families: a size takes its trials from the first that has it.
    """

    name: ProfileName
    trials: Count
    memory_trials: Annotated[int, msgspec.Meta(ge=0)]
    timeout_s: float
    estimate_s: float
    params: dict[str, str] = {}
    longest_wait_s: dict[str, float] = {}
    task_wait_s: dict[str, float] = {}
    results: dict[str, str] = {}
    sweeps: list[Sweep] = []

    def find_sweeps(self, program: str, family: str) -> list[Sweep]:
        """The sweeps of a program in a family; an empty one if none is declared."""
        fitting = [
            sweep
            for sweep in self.sweeps
            if (not sweep.programs or program in sweep.programs)
            and (not sweep.families or family in sweep.families)
        ]
        first = fitting[0] if fitting else Sweep()
        scope = (first.programs, first.families)
        return [one for one in fitting if (one.programs, one.families) == scope] or [first]


class _File(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    source: str
    server: bool
    shared: list[str]
    start_methods: list[StartMethod]
    cores: CoreRule = "each"
    readings: list[Reading] = []
    tracer: Tracer = "pss"
    families: list[Family]
    programs: list[Program]
    profiles: list[Profile]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One question, one folder: programs that do the same work in different ways.

    ``cores`` says whether it runs on 1, 2, 4 … cores or on all only. ``readings`` name what
    programs print beside their time, ``made 123 threads``. ``tracer`` samples memory over time.
    """

    name: str
    folder: Path
    source: str
    needs_server: bool
    shared: tuple[str, ...]
    start_methods: tuple[StartMethod, ...]
    cores: CoreRule = "each"
    readings: tuple[str, ...] = ()
    tracer: Tracer = "pss"
    families: tuple[Family, ...]
    programs: tuple[Program, ...]
    profiles: Mapping[str, Profile]

    def program(self, name: str) -> Program:
        """The program of that name; ``KeyError`` if the experiment has none."""
        return {program.name: program for program in self.programs}[name]

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
    for group in _ITEMS:
        if group in data:
            tables = convert(data[group], dict[str, object], path, group)
            data[group] = [_read_item(group, *item, path) for item in tables.items()]
    declared = convert(data, _File, path)
    _check_references(declared, folder, path)
    return Experiment(
        name=folder.name,
        folder=folder,
        source=declared.source,
        needs_server=declared.server,
        shared=tuple(declared.shared),
        start_methods=tuple(declared.start_methods),
        cores=declared.cores,
        readings=tuple(declared.readings),
        tracer=declared.tracer,
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


def _read_item(group: str, name: str, table: object, path: Path) -> dict[str, object]:
    """A table that is named by its place, ``[families.io]``, with the name in it."""
    fields = convert(table, dict[str, object], path, f"{group}.{name}")
    if "name" in fields:
        raise MalformedDeclaration(at(path, [group, name, "name"], f"it is named {name!r} already"))
    named = {"name": name} | fields
    convert(named, _ITEMS[group], path, f"{group}.{name}")
    return named


def _check_references(declared: _File, folder: Path, path: Path) -> None:
    for keys, message in _find_problems(declared, folder):
        raise MalformedDeclaration(at(path, keys, message))


def _find_problems(declared: _File, folder: Path) -> Iterator[tuple[list[str | int], str]]:
    """What names something that is not there: the keys where it stands, and what is wrong."""
    families = {family.name for family in declared.families}
    programs = {program.name: program for program in declared.programs}
    files = [program.file for program in declared.programs]
    for index, program in enumerate(declared.programs):
        for family in sorted(set(program.families) - families):
            yield ["programs", index, "families"], _unknown("family", family, families)
        if not (folder / program.file).is_file():
            yield ["programs", index, "file"], f"no such file {program.file!r} in {folder}"
        if program.file in files[:index]:
            yield ["programs", index, "file"], f"{program.file!r} is declared twice"
    for one in declared.families:
        baseline = programs.get(one.baseline)
        if baseline is None or one.name not in baseline.families:
            message = f"{one.baseline!r} is not a program of this family"
            yield ["families", one.name, "baseline"], message
    for index, name in enumerate(declared.shared):
        if not (folder / name).is_file():
            yield ["shared"], f"item {index + 1}: no such file {name!r} in {folder}"
    profiles = {profile.name for profile in declared.profiles}
    for name in get_args(ProfileName):
        if name not in profiles:
            yield ["profiles", name], "every experiment must have this profile"
    for profile in declared.profiles:
        for keys, message in _find_profile_problems(profile, families, set(programs)):
            yield ["profiles", profile.name, *keys], message


def _find_profile_problems(
    profile: Profile, families: set[str], programs: set[str]
) -> Iterator[tuple[list[str | int], str]]:
    for key in ("longest_wait_s", "task_wait_s", "results"):
        for family in sorted(set(getattr(profile, key)) - families):
            yield [key, family], _unknown("family", family, families)
    for index, sweep in enumerate(profile.sweeps):
        for family in sorted(set(sweep.families) - families):
            yield ["sweeps", index, "families"], _unknown("family", family, families)
        for program in sorted(set(sweep.programs) - programs):
            yield ["sweeps", index, "programs"], _unknown("program", program, programs)
        for key in ("tasks", "workers"):
            for problem in _find_bad_sizes(getattr(sweep, key)):
                yield ["sweeps", index, key], problem


def _find_bad_sizes(sizes: list[int] | Range | None) -> Iterator[str]:
    if isinstance(sizes, Range):
        if sizes.end < sizes.start or (sizes.end - sizes.start) % sizes.step:
            yield f"no steps of {sizes.step} lead from {sizes.start} to {sizes.end}"
    elif sizes and len(set(sizes)) < len(sizes):
        yield "a size stands here twice"


def _unknown(kind: str, name: str, known: set[str]) -> str:
    return f"no such {kind} {name!r}; there are {', '.join(sorted(known))}"
