"""Profiles: how large the work of an experiment is, and at which sizes it is tried."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from scripts.declare.declaration import Declared, Problem
from scripts.declare.program import Program
from scripts.declare.values import Count, MemoryTrials, Seconds, Trials

ProfileName = Literal["smoke", "quick", "full"]

BUDGETS_S: Mapping[ProfileName, float] = {"smoke": 0.0, "quick": 20 * 60.0, "full": 3 * 3600.0}
"""How long all trials of all experiments may take together, inside their programs. The first rounds
are run whatever they take; what they leave goes to further trials of what is still open. Where
there is nothing to leave, disturbed trials are not repeated either."""
ALONE_S = 100.0
"""Of which an experiment of ``quick`` that is asked for alone has as much: it ends in two minutes."""
MOST_SIZES = 1000
"""Of a sweep, of tasks times workers: each is a cell to measure."""
_SETTING = re.compile(r"[A-Z][A-Z0-9_]{0,99}")
_TAKEN = re.compile(
    r"PATH|HOME|TMPDIR|TASKS|WORKERS|START_METHOD|(?:PYTHON|LD_|DYLD_|SSL_|SERVER_).*"
)
"""Variables that decide what runs, or that the engine sets."""


def find_budget_s(profile: ProfileName, experiments: int) -> float:
    """Seconds that all trials of so many experiments may take together, see ``BUDGETS_S``."""
    whole_s = BUDGETS_S[profile]
    return min(whole_s, ALONE_S * experiments) if profile == "quick" else whole_s


class Range(Declared, frozen=True, kw_only=True):
    """Numbers in equal steps, both ends included."""

    start: Count = msgspec.field(name="from")
    end: Count = msgspec.field(name="to")
    step: Count

    @property
    def numbers(self) -> range:
        """All of them, ascending."""
        return range(self.start, self.end + 1, self.step)


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

    def list_tasks(self, program: Program) -> list[int]:
        """The numbers of tasks of a program, ascending as declared."""
        match self.tasks:
            case None:
                return [program.tasks]
            case Range():
                return list(self.tasks.numbers)
            case numbers:
                return numbers

    def has(self, tasks: int, workers: int) -> bool:
        """Whether it is for these numbers of tasks and of workers."""
        match self.tasks:
            case None:
                fits = True
            case Range():
                fits = tasks in self.tasks.numbers
            case numbers:
                fits = tasks in numbers
        return fits and (self.workers is None or workers in self.workers)


class Profile(Declared, frozen=True, kw_only=True):
    """How large the work is.

    ``params`` become environment variables of the programs and of the load server; those of the
    programs of one family may be others by ``family_params``. ``results``
    is what the programs of a family must print, ``{tasks}`` standing for their number;
    ``longest_wait_s`` is a family's longest chain of waits, ``task_wait_s`` what each of its tasks
    waits at least. ``estimate_s`` is what a trial takes on average, for the first announcement of
    the plan. Of ``sweeps``, the first that fits a program in a family decides, together with those
    of the very same programs and families: a size takes its trials from the first that has it.
    """

    name: ProfileName
    trials: Trials
    memory_trials: MemoryTrials
    timeout_s: Seconds
    estimate_s: Seconds
    params: dict[str, str] = {}
    family_params: dict[str, dict[str, str]] = {}
    longest_wait_s: dict[str, Seconds] = {}
    task_wait_s: dict[str, Seconds] = {}
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


def find_profile_problems(profile: Profile, families: Mapping[str, list[str]]) -> Iterator[Problem]:
    """What of a profile names nothing or cannot be meant."""
    names = {family for of_one in families.values() for family in of_one}
    for key in ("family_params", "longest_wait_s", "task_wait_s", "results"):
        for family in sorted(set(getattr(profile, key)) - names):
            yield [key, family], name_unknown("family", family, names)
    for family, result in profile.results.items():
        if not result.strip() or re.search("[{}]", result.replace("{tasks}", "")):
            yield ["results", family], "a text with no other place than {tasks}"
    for params in (profile.params, *profile.family_params.values()):
        yield from find_bad_settings(params)
    for index, sweep in enumerate(profile.sweeps):
        for keys, message in _find_sweep_problems(sweep, families, names):
            yield ["sweeps", index, *keys], message


def find_bad_settings(params: Mapping[str, str]) -> Iterator[Problem]:
    """Parameters that can be no environment variables, or none that is free."""
    for name in params:
        if not _SETTING.fullmatch(name):
            yield ["params", name], "a parameter is capital letters, digits and underscores"
        elif _TAKEN.fullmatch(name):
            yield ["params", name], f"{name} is not for an experiment to set"


def name_unknown(kind: str, name: str, known: set[str]) -> str:
    """That something is not there, and what is."""
    return f"no such {kind} {name!r}; there are {', '.join(sorted(known))}"


def _find_sweep_problems(
    sweep: Sweep, families: Mapping[str, list[str]], names: set[str]
) -> Iterator[Problem]:
    for family in sorted(set(sweep.families) - names):
        yield ["families"], name_unknown("family", family, names)
    for program in sorted(set(sweep.programs) - families.keys()):
        yield ["programs"], name_unknown("program", program, set(families))
    wanted = set(sweep.families) or names
    if not any(wanted & set(families[program]) for program in sweep.programs or families):
        yield ["families"], "none of its programs is in any of its families"
    sizes = sweep.tasks
    if isinstance(sizes, Range) and (not sizes.numbers or sizes.numbers[-1] != sizes.end):
        yield ["tasks"], f"no steps of {sizes.step} lead from {sizes.start} to {sizes.end}"
    if _count(sweep.tasks) * _count(sweep.workers) > MOST_SIZES:
        yield ["tasks"], f"more than {MOST_SIZES} sizes"


def _count(sizes: list[int] | Range | None) -> int:
    """How many there are, without listing them."""
    return 1 if sizes is None else len(sizes.numbers if isinstance(sizes, Range) else sizes)
