"""Experiments: what ``examples/<experiment>/experiment.toml`` declares."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, field
from msgspec.structs import asdict, replace

from poolwise.declaration import (
    KIND,
    Count,
    Declared,
    FamilyName,
    Keys,
    Problem,
    ProgramFile,
    Reading,
    Reason,
    SharedFile,
    Version,
    convert,
    read_toml,
    refuse,
)
from poolwise.metrics import METRICS
from poolwise.paths import SERVER

StartMethod = Literal["fork", "forkserver", "spawn"]
WorkerRule = Literal["tasks", "cores", "thread-pool"]
Ending = Literal["well", "error", "timeout"]
MOST_SESSION_TRIALS = 60  # trials of one session; `record.MOST_TRIALS` is for three
Trials = Annotated[int, Meta(ge=1, le=MOST_SESSION_TRIALS)]
MemoryTrials = Annotated[int, Meta(ge=0, le=MOST_SESSION_TRIALS)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]


class Program(Declared, frozen=True, kw_only=True):
    """One runnable example script, which may compete in several families.

    ``kind`` is how it spreads its work: one way, or a mix of them such as ``coroutines + threads``,
    of which the last carries the work out. ``workers`` is a number or a rule, see
    ``plan.count_workers``. ``ends`` and ``says`` are what a program that shows a mistake comes to.
    ``title`` is what people call it, by language; its file declares that as ``name``. ``system``,
    ``gil`` and ``cores`` (of the machine, used or not) are where alone it shows what it is for.
    ``start_methods``, ``timeout_s`` and ``python`` replace the experiment's and the profile's.
    """

    file: ProgramFile
    title: dict[str, str] = field(name="name")
    kind: Annotated[str, Meta(pattern=KIND)]
    families: Annotated[list[FamilyName], Meta(min_length=1)]
    tasks: Count
    workers: Count | WorkerRule
    start_methods: list[StartMethod] = []
    ends: Ending = "well"
    says: str = ""
    timeout_s: Seconds | None = None
    system: Literal["Linux", "Darwin"] | None = None
    gil: Literal["on"] | None = None
    cores: Literal["several"] | None = None
    python: Version | None = None

    @property
    def name(self) -> str:
        """The file name without its suffix: ``04-io-thread_pool``."""
        return self.file.removesuffix(".py")

    @property
    def ways(self) -> tuple[str, ...]:
        """How it spreads its work; of a mix, the last carries the work out."""
        return tuple(self.kind.split(" + "))

    @property
    def processes(self) -> bool:
        """Tell whether it starts processes, so that the start method matters."""
        return "processes" in self.ways

    def find_obstacle(
        self, system: str, gil: str, cores: int, minor: tuple[int, int]
    ) -> Reason | None:
        """Why it does not run on such a machine and interpreter; ``None`` if it does."""
        if self.system and self.system != system:
            return Reason("wrong-system", {"system": self.system})
        if self.gil not in (None, gil):
            return Reason("needs-gil")
        if self.cores == "several" and cores == 1:
            return Reason("needs-cores")
        return find_newer_python(self.python, minor)


def find_newer_python(since: str | None, minor: tuple[int, int]) -> Reason | None:
    """Say that a newer Python is needed than one of this version; ``None`` if it is not."""
    if since and tuple(map(int, since.split("."))) > minor:
        return Reason("needs-python", {"since": since})
    return None


ProfileName = Literal["smoke", "quick", "full"]

# How long all trials of what claims and verdicts compare may take together, inside their programs.
# The first rounds are run whatever they take; what they leave goes to further trials of what is
# still open. Where there is nothing to leave, disturbed trials are not repeated either.
BUDGETS_S: Mapping[ProfileName, float] = {"smoke": 0.0, "quick": 12 * 60.0, "full": 3 * 3600.0}


class Range(Declared, frozen=True, kw_only=True):
    """Numbers in equal steps, both ends included."""

    start: Count = field(name="from")
    end: Count = field(name="to")
    step: Count


class Sweep(Declared, frozen=True, kw_only=True):
    """Sizes at which some programs run in a profile, and how often; ``None``: as declared.

    It is for the programs in the families that it names; naming none means all.
    """

    families: list[str] = []
    programs: list[str] = []
    tasks: Annotated[list[Count], Meta(min_length=1)] | Range | None = None
    workers: Annotated[list[Count], Meta(min_length=1)] | None = None
    trials: Trials | None = None
    memory_trials: MemoryTrials | None = None

    @property
    def sizes(self) -> Sequence[int] | None:
        """The numbers of tasks, ascending as declared; ``None``: those of the programs."""
        if isinstance(self.tasks, Range):
            return range(self.tasks.start, self.tasks.end + 1, self.tasks.step)
        return self.tasks

    def list_tasks(self, program: Program) -> list[int]:
        """The numbers of tasks of a program, ascending as declared."""
        return [program.tasks] if self.sizes is None else list(self.sizes)

    def has(self, tasks: int, workers: int) -> bool:
        """Tell whether it is for these numbers of tasks and of workers."""
        return tasks in (self.sizes or [tasks]) and workers in (self.workers or [workers])


class Profile(Declared, frozen=True, kw_only=True):
    """How large the work is.

    ``params`` become environment variables of the programs, of one family over those by
    ``family_params``. ``results`` is what the programs of a family must print, ``{tasks}`` standing
    for their number; of ``family:40``, what they must of forty. ``longest_wait_s`` is a family's
    longest chain of waits, ``task_wait_s`` what each of its tasks waits at least. ``estimate_s`` is
    what a trial takes on average, for the first announcement of the plan. Of ``sweeps``, the first
    that fits a program in a family decides, together with those of the very same programs and
    families: a size takes its trials from the first that has it.
    """

    name: ProfileName
    trials: Trials
    memory_trials: MemoryTrials
    timeout_s: Seconds
    estimate_s: Seconds
    params: dict[str, str] = {}
    family_params: dict[str, dict[str, str]] = {}
    server_args: list[str] = []
    longest_wait_s: dict[str, Seconds] = {}
    task_wait_s: dict[str, Seconds] = {}
    results: dict[str, str] = {}
    sweeps: list[Sweep] = []

    def find_result(self, family: str, tasks: int) -> str | None:
        """Find what the programs of a family must print of so many tasks, with the place for their number."""
        return self.results.get(f"{family}:{tasks}", self.results.get(family))

    def find_sweeps(self, program: str, family: str) -> list[Sweep]:
        """The sweeps of a program in a family; an empty one if none is declared."""
        fitting: list[Sweep] = []
        for sweep in self.sweeps:
            fits = program in (sweep.programs or [program])
            if fits and family in (sweep.families or [family]):
                first = fitting[0] if fitting else sweep
                if (sweep.programs, sweep.families) == (first.programs, first.families):
                    fitting.append(sweep)
        return fitting or [Sweep()]


def name_unknown(kind: str, name: str, known: set[str]) -> str:
    """Say that something is not there, and what is."""
    return f"no such {kind} {name!r}; there are {', '.join(sorted(known))}"


class Family(Declared, frozen=True, kw_only=True):
    """Programs that do the same work and compete, and the plainest of them to compare with.

    ``params`` become environment variables of its programs; ``SERVER_WAIT_MS`` is what their load
    server waits before each answer. ``longest_task_share`` is the part of its CPU work that is one
    indivisible task; with ``equal_tasks`` all tasks are, and equal. ``interpreters`` is ``every`` for
    programs without packages that are to run on each Python there is; with ``offline`` they do not
    need the load server that the other families do. ``cores`` may bind them to a single one.
    ``python`` is the first version on which its work can be done.
    """

    name: FamilyName
    title: dict[str, str]
    baseline: str
    params: dict[str, str] = {}
    longest_task_share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    equal_tasks: bool = False
    interpreters: Literal["wanted", "every"] = "wanted"
    offline: bool = False
    cores: Literal["one"] | None = None
    python: Version | None = None

    def merge_params(self, profile: Profile) -> dict[str, str]:
        """The parameters of its programs in a profile: the nearer declaration counts."""
        return {**profile.params, **self.params, **profile.family_params.get(self.name, {})}


Tracer = Literal["pss", "memory_profiler"]


class Navigation(Declared, frozen=True, kw_only=True):
    """The entry of an experiment's page, by language; the page with the lowest ``place`` is first."""

    title: dict[str, str]
    place: Count


class _ExperimentFile(Declared, frozen=True, kw_only=True):
    schema: Literal[1]
    source: str
    server: bool | ProgramFile
    shared: tuple[SharedFile, ...]
    start_methods: tuple[StartMethod, ...] = ()
    cores: Literal["each", "all"] = "each"
    on_request: Literal["", "in pairs", "in rounds"] = ""
    readings: tuple[Reading, ...] = ()
    tracer: Tracer = "pss"
    python: Version | None = None
    navigation: Navigation | None = None
    terms: dict[str, dict[str, dict[str, str]]] = {}
    derived: dict[str, dict[str, str]] = {}
    families: Annotated[tuple[Family, ...], Meta(min_length=1)]
    programs: Annotated[tuple[Program, ...], Meta(min_length=1)]
    profiles: dict[str, Profile]


class Experiment(_ExperimentFile, frozen=True, kw_only=True):
    """One question, one folder: programs that do the same work in different ways.

    ``server`` says whether they ask the load server of all examples, or names one in the folder.
    ``cores`` says whether it runs on 1, 2, 4 … cores or on all only. One ``on_request`` is measured
    only where it is named: its Pythons in pairs, or in rounds like all others. ``readings`` name what
    programs print next to their time, ``made 123 threads``. ``tracer`` samples memory over time.
    ``terms`` name topics, sources and places in them for the claims of all experiments. ``originals`` are the
    figures of the article behind it; ``derived`` says in each language, by column, what of them the
    article does not print so. ``questions`` are what a site asks about families.
    """

    schema: Literal[1] = 1
    name: str
    folder: Path
    originals: tuple[Mapping[str, str], ...] = ()
    questions: Mapping[str, Any] = {}

    def program(self, name: str) -> Program:
        """The program of that name; ``KeyError`` if the experiment has none."""
        return {program.name: program for program in self.programs}[name]

    def family(self, name: str) -> Family:
        """The family of that name; ``KeyError`` if the experiment has none."""
        return {family.name: family for family in self.families}[name]

    @property
    def place(self) -> float:
        """The place of its page in the navigation; one without a page comes last."""
        return self.navigation.place if self.navigation else math.inf

    @property
    def server_path(self) -> Path | None:
        """The load server that must run next to its programs; ``None`` if they need none."""
        if isinstance(self.server, str):
            return self.folder / self.server
        if self.server:
            return SERVER
        return None


def load_experiment(folder: Path) -> Experiment:
    """Read ``experiment.toml`` in ``folder``."""
    path = folder / "experiment.toml"
    data = read_toml(path)
    # What is named by its place, ``[families.io]``.
    for group, kind in (("families", Family), ("profiles", Profile)):
        if group in data:
            items: dict[str, object] = {}
            for name, table in convert(data[group], dict[str, object], path, group).items():
                place = f'{group}."{name}"'
                fields = convert(table, dict[str, object], path, place)
                items[name] = convert(fields | {"name": name}, kind, path, place)
            data[group] = items if group == "profiles" else list(items.values())
    declared = convert(data, _ExperimentFile, path)
    refuse(path, _find_problems(declared, folder))
    programs = tuple(
        replace(program, python=program.python or declared.python) for program in declared.programs
    )
    return Experiment(
        name=folder.name, folder=folder, **(asdict(declared) | {"programs": programs})
    )


def _find_problems(declared: _ExperimentFile, folder: Path) -> Iterator[Problem]:
    """Find what fits nothing else in the declaration, or names what is not there."""
    for name in declared.readings:
        if name in ("time", *METRICS):
            yield ["readings"], f"{name!r} is measured of every program"
    files = [program.file for program in declared.programs]
    for index, program in enumerate(declared.programs):
        if program.file in files[:index]:
            yield ["programs", index, "file"], f"{program.file!r} is declared twice"
        if program.processes and not (program.start_methods or declared.start_methods):
            yield ["programs", index, "kind"], "its processes have no start method"
    for name in get_args(ProfileName):
        if name not in declared.profiles:
            yield ["profiles", name], "every experiment must have this profile"
    for keys, kind, names, known in _list_named(declared, folder):
        for name in sorted(set(names) - known):
            yield keys, name_unknown(kind, name, known)


def _list_named(
    declared: _ExperimentFile, folder: Path
) -> Iterator[tuple[Keys, str, Iterable[str], set[str]]]:
    """Where files, families and programs are named: the names there, and those that there are."""
    programs = {program.name for program in declared.programs}
    families = {family.name for family in declared.families}
    files = {path.name for path in folder.iterdir() if path.is_file()}
    yield ["shared"], "file", declared.shared, files
    yield ["server"], "file", [declared.server] if isinstance(declared.server, str) else [], files
    for index, program in enumerate(declared.programs):
        yield ["programs", index, "families"], "family", program.families, families
        yield ["programs", index, "file"], "file", [program.file], files
    for family in declared.families:
        members = {program.name for program in declared.programs if family.name in program.families}
        yield ["families", family.name, "baseline"], "program", [family.baseline], members
    for profile in declared.profiles.values():
        place: Keys = ["profiles", profile.name]
        sizes = set[str]()
        for program in declared.programs:
            for name in program.families:
                for sweep in profile.find_sweeps(program.name, name):
                    sizes.update(f"{name}:{tasks}" for tasks in sweep.list_tasks(program))
        for key in ("family_params", "longest_wait_s", "task_wait_s", "results"):
            known = families | sizes if key == "results" else families
            for name in getattr(profile, key):
                yield [*place, key, name], "family", [name], known
        for index, sweep in enumerate(profile.sweeps):
            yield [*place, "sweeps", index, "families"], "family", sweep.families, families
            yield [*place, "sweeps", index, "programs"], "program", sweep.programs, programs
