"""Programs: the example scripts of an experiment, and how each spreads its work."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, get_args

from msgspec import Meta

from scripts.declare.declaration import Declared, Problem
from scripts.declare.reason import Reason
from scripts.declare.values import Count, FamilyName, ProgramFile, Seconds, Version, read_version

StartMethod = Literal["fork", "forkserver", "spawn"]
WorkerRule = Literal["tasks", "cores", "thread-pool"]
Ending = Literal["well", "error", "timeout"]
Way = Literal["sequential", "threads", "processes", "interpreters", "coroutines", "greenlets"]


class Program(Declared, frozen=True, kw_only=True):
    """One runnable example script, which may compete in several families.

    ``kind`` is how it spreads its work: a ``Way``, or a mix of them such as ``coroutines + threads``,
    of which the last carries the work out. ``workers`` is a number or a rule, see
    ``plan.count_workers``; ``start_methods`` are those to try of its processes, if not the
    experiment's. ``ends`` and ``says`` are what a program that shows a mistake comes to.
    ``timeout_s`` replaces the profile's. ``system``, ``gil`` and ``cores`` (of the machine, used or
    not) are where alone it shows what it is for, ``python`` the first version that can run it, if
    it is not the experiment's.
    """

    file: ProgramFile
    kind: str
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
        """Whether it starts processes, so that the start method matters."""
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
    """That a newer Python is needed than one of this version; ``None`` if it is not."""
    if since and read_version(since) > minor:
        return Reason("needs-python", {"since": since})
    return None


def find_program_problems(program: Program, methods: Sequence[StartMethod]) -> Iterator[Problem]:
    """What of a program cannot be meant."""
    known = get_args(Way)
    for way in program.ways:
        if way not in known:
            message = f"no such kind {way!r}; there are {', '.join(known)}, joined by ' + '"
            yield ["kind"], message
    if len(set(program.ways)) < len(program.ways):
        yield ["kind"], "a kind stands here twice"
    elif len(program.ways) > 1 and "sequential" in program.ways:
        yield ["kind"], "what is sequential is no mix"
    if program.processes and not (program.start_methods or methods):
        yield ["kind"], "its processes have no start method"
    if program.start_methods and not program.processes:
        yield ["start_methods"], f"what is of the kind {program.kind!r} starts no processes"
