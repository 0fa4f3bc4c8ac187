"""Evidence: the judged cells of an experiment, where they come from, and how to choose among them.

A program is measured on several Pythons and core counts, with several numbers of tasks and of
workers, and under several start methods. Whoever compares or shows some of these chooses them here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from statistics import median
from typing import Any, Literal

from poolwise.declaration import Reason
from poolwise.experiment import Experiment, ProfileName, find_newer_python
from poolwise.machine import Machine
from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record, Variant
from poolwise.statistics import Estimate
from scripts.site.judge.samples import Sample, estimate_sample
from scripts.site.judge.sessions import Between
from scripts.site.judge.spreads import Spreads, take_sample
from scripts.site.judge.verdicts import Ruling

TimeMetric = Literal["inside_s", "wall_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement(Ruling):
    """A record, and what came of it inside its family: a ruling too, if its question is asked."""

    record: Record  # with the trials of the session in which it is compared
    time: TimeMetric = "wall_s"
    noise: tuple[str, ...] = ()
    floor_s: float | None = None  # below which physics does not let it go, if it was measured
    baseline: Record | None = None  # of its family, size and place, measured in the same session
    speedup: Estimate | None = None  # the baseline's time divided by its own
    can_decide: bool = True  # what is outdated may not
    spreads: Spreads = field(default=Spreads(), compare=False, repr=False)
    experiment: Experiment | None = field(default=None, compare=False, repr=False)

    @property
    def variant(self) -> Variant:
        """The coordinates of the cell."""
        return self.record.variant

    @property
    def program(self) -> str:
        """The name of the program."""
        return self.record.program

    @property
    def family(self) -> str:  # noqa: D102
        return self.record.family

    @property
    def interpreter(self) -> str:  # noqa: D102
        return self.record.interpreter

    @property
    def cores(self) -> int:  # noqa: D102
        return self.record.cores

    @property
    def workers(self) -> int:  # noqa: D102
        return self.record.workers

    @property
    def tasks(self) -> int:  # noqa: D102
        return self.record.tasks

    @property
    def wall(self) -> Estimate | None:
        """The wall time, as a person waits for it."""
        return self.estimate("wall_s")

    def sample(self, name: str) -> Sample:
        """Return a metric or a reading, a value per trial, with how far such values differ."""
        return take_sample(self.record, name, self.spreads, self.experiment)

    def estimate(self, name: str) -> Estimate | None:
        """Return a metric or a reading with its interval; ``None`` where nothing was measured."""
        if self.record.status != "ok" or not (sample := self.sample(name)):
            return None
        return estimate_sample(sample)

    def median(self, name: str) -> float | None:
        """Return the median of a metric or a reading, where nobody asks how sure it is."""
        if self.record.status != "ok" or not (values := self.record.list_values(name)):
            return None
        return median(values)


class Rows(tuple[Judgement, ...]):
    """Judged cells in an order that every choice keeps; they are chosen by coordinates of a ``Variant``."""

    __slots__ = ()

    def where(self, **wanted: str | int | None) -> "Rows":
        """Choose those that have all of these coordinates: ``where(family="io", cores=2)``."""
        read = attrgetter(*wanted)  # which is asked of very many
        values = tuple(wanted.values()) if len(wanted) > 1 else next(iter(wanted.values()))
        return Rows(row for row in self if read(row.record) == values)

    @property
    def measured(self) -> "Rows":
        """The cells that have something to show."""
        return Rows(row for row in self if row.record.is_measured)

    def values(self, name: str) -> list[Any]:
        """List the different values of a coordinate, ascending: core counts, numbers of tasks."""
        return sorted({getattr(row.record, name) for row in self})

    def by(self, *names: str) -> "dict[Any, Rows]":
        """Group by one coordinate, or by the tuple of several, in the order of first appearance."""
        read = attrgetter(*names)
        groups: dict[Any, list[Judgement]] = {}
        for row in self:
            groups.setdefault(read(row.record), []).append(row)
        return {key: Rows(group) for key, group in groups.items()}

    def most(self, *names: str) -> "Rows":
        """Choose those with the most of a size, then of these those with the most of the next."""
        rows: Rows = self
        for name in names:
            rows = rows.where(**{name: max(rows.values(name), default=None)})
        return rows

    def largest(self) -> "Rows":
        """Choose those with most tasks of each program, family, Python and core count."""
        places = ("program", "family", "interpreter", "cores")
        most = {place: rows.values("tasks")[-1] for place, rows in self.by(*places).items()}
        read = attrgetter(*places)
        return Rows(row for row in self if row.record.tasks == most[read(row.record)])

    def find_largest(self) -> Judgement | None:
        """Find the first on the most cores, of those with most tasks, of those with most workers."""
        return next(iter(self.most("cores", "tasks", "workers")), None)

    def find_fastest(self) -> Judgement | None:
        """Find the fastest of what was measured; if nothing was, the first."""

        def rank(row: Judgement) -> tuple[bool, float]:
            return not row.record.is_measured, row.median(row.time) or 0.0

        return min(self, key=rank, default=None)

    def first_python(self, interpreters: Sequence[Interpreter]) -> "Rows":
        """Choose those of the first interpreter on which any was measured, in the order given."""
        places = {python.id: place for place, python in enumerate(interpreters)}
        names = {row.record.interpreter for row in self.measured}
        first = min(names, key=lambda name: (places.get(name, len(places)), name), default=None)
        return self.where(interpreter=first)

    def pivot(
        self,
        rows: Sequence[str],
        columns: Sequence[str],
        choose: "Callable[[Rows], Judgement | None]" = find_fastest,
    ) -> dict[Any, dict[Any, Judgement]]:
        """Put a cell in each row and column; ``choose`` says which, where there are several."""
        table: dict[Any, dict[Any, Judgement]] = {}
        for key, line in self.by(*rows).items():
            cells = table[key] = {}
            for column, group in line.by(*columns).items():
                if cell := choose(group):
                    cells[column] = cell
        return table

    def arenas(self) -> "list[Rows]":
        """Split by core count and Python: the most cores and the oldest versions come first."""
        groups = self.by("cores", "interpreter")
        order = sorted(groups, key=lambda key: (-key[0], rank_interpreter(key[1])))
        return [groups[key] for key in order]


# It holds much: whoever keeps what was made of it asks whether it is the same, not whether it is equal.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """All that there is to show of one experiment: judged records, and where they come from.

    ``profile`` is the one that was asked for; a family may be shown in a larger.
    """

    experiment: Experiment
    profile: ProfileName
    machine: Machine
    interpreters: tuple[Interpreter, ...]
    judgements: tuple[Judgement, ...]  # one for every cell
    generated_at: datetime
    absence: Reason | None = None  # why nothing at all was measured
    outdated: frozenset[Variant] = frozenset()  # of another machine, so not to be measured anew
    sessions: tuple[tuple[Judgement, ...], ...] = ()  # each alone, the oldest first, if several
    between: Between = field(default=Between(), repr=False)  # how far sessions differ

    @property
    def rows(self) -> Rows:
        """The judgements, to choose among."""
        return Rows(self.judgements)

    def find_profile(self, family: str) -> ProfileName:
        """Find the profile in which a family is shown."""
        profiles = (row.record.profile for row in self.judgements if row.family == family)
        return next(profiles, self.profile)

    def list_alike(self, interpreter: str) -> set[str]:
        """List the ids of the interpreters whose seconds may be compared with those of this one."""
        options = [python.options for python in self.interpreters if python.id == interpreter]
        return {python.id for python in self.interpreters if python.options in options}

    def find_obstacle(self, program: str, interpreter: str, family: str = "") -> Reason | None:
        """Tell why a program, in each of its families or in one, cannot run on an interpreter here."""
        for python in self.interpreters:
            if python.id == interpreter:
                obstacle = self.experiment.program(program).find_obstacle(
                    self.machine.system, python.gil, self.machine.logical_cores, python.minor
                )
                if obstacle is None and family:
                    needed = self.experiment.family(family).python
                    return find_newer_python(needed, python.minor)
                return obstacle
        return None
