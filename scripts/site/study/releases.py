"""Releases: run programs on one release after another, back to back, until each comparison is decided."""

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

from poolwise.load import Meter
from poolwise.machine import describe_machine, usable_cores
from poolwise.plan import Job, Step
from poolwise.progress import format_duration, report
from poolwise.pythons import Installation, make_python_id, rank_interpreter, select
from poolwise.record import Record, Variant
from poolwise.run import collect, take_turn
from poolwise.statistics import Estimate
from poolwise.store import Store
from scripts.site.declare.declarations import load_declarations
from scripts.site.judge.releases import Cell, is_decided, is_narrow, pair_releases, relate
from scripts.site.settings import BadSetting, Settings, read_settings
from scripts.site.study.cells import Cells

EXPERIMENT = "releases"
# The numbers of rounds after which what is known well enough is left out. With six looks an interval of
# `poolwise.statistics` errs in 5 % of cases (Pocock: 1.42 % a look).
ROUND_COUNTS = (5, 9, 14, 20, 28, 40)
PRECISE = 9  # rounds until which what is decided is also to be known to a tenth
MOST_SECONDS = 720.0


def name_build(installation: Installation) -> Installation:
    """Name a Python by its build, too: its records lie beside those of another build of its version."""
    python = installation.interpreter
    other = hashlib.sha256(repr(python.options).encode()).hexdigest()[:6]
    python = replace(python, other=other)
    return replace(installation, interpreter=replace(python, id=make_python_id(python)))


class Releases:
    """The cells of some releases on this machine, and what is known of them in the present session."""

    def __init__(self, settings: Settings) -> None:
        experiment = load_declarations().experiments[EXPERIMENT]
        try:
            installations = tuple(map(name_build, select(settings.interpreters)))
        except ValueError as error:
            raise BadSetting(str(error)) from None
        pythons = tuple(installation.interpreter for installation in installations)
        if len({python.options for python in pythons}) > 1:
            raise BadSetting("INTERPRETERS are not built alike: not only their releases differ")
        self.store = Store(settings.results, describe_machine(), pythons, report)
        self.columns = pair_releases(pythons)
        self.cells = Cells(
            experiments={EXPERIMENT: experiment},
            profile=settings.profile,
            machine=self.store.machine,
            interpreters=pythons,
            wanted=installations,
            store=self.store,
        )
        cells = {}
        for variant in self.cells.list_variants(experiment):
            cells[variant.program, variant.interpreter, variant.workers] = variant
        released = sorted(
            pythons, key=lambda python: (python.gil == "off", rank_interpreter(python.version))
        )
        # Of each program the cells in the order in which they run: two threads come right after one.
        self.programs: list[dict[Cell, Variant]] = []
        for program in experiment.programs:
            names = [(python.id, workers) for python in released for workers in (1, 2)]
            known = {name: cells.get((program.name, *name)) for name in names}
            self.programs.append({name: cell for name, cell in known.items() if cell})

    def find(self, variant: Variant) -> Record:
        """Find what a cell has in this session."""
        return self.find_whole(variant).within(self.store.session)

    def find_whole(self, variant: Variant) -> Record:
        """Find what a cell has in all sessions."""
        return self.cells.find_valid(variant) or self.cells.begin(variant)

    def compare(self) -> Iterator[tuple[set[Variant], Estimate | None]]:
        """Compare what was measured in this session: the cells of each comparison, and their ratio."""
        for cells in self.programs:
            records = {name: self.find(cell) for name, cell in cells.items()}
            for column in self.columns:
                meant = {cells[name] for name in column.cells if name in cells}
                yield meant, relate(records, column)

    def plan(self, rounds: int, left_s: float) -> Iterator[Step]:
        """Plan trials for what is open, until each has one of every round, as many as there is time for.

        The cells of a program follow one another as the releases do: forth in a round, back in the next.
        """
        wanted: set[Variant] = set()
        is_enough = is_narrow if rounds <= PRECISE else is_decided
        for meant, ratio in self.compare():
            if not is_enough(ratio):
                wanted |= meant
        usual_s = self.cells.experiments[EXPERIMENT].profiles[self.cells.profile].estimate_s
        took_s = {cell: self.find(cell).wall_s for cell in wanted}
        for number in range(rounds):
            for cells in self.programs:
                for cell in list(cells.values())[:: -1 if number % 2 else 1]:
                    if cell not in wanted or len(took_s[cell]) > number:
                        continue
                    trial_s = median(took_s[cell] or [usual_s])
                    left_s -= trial_s
                    if left_s > 0:
                        yield Step(variant=cell, round=number, rounds=rounds, estimate_s=trial_s)

    def measure(self, *, anew: bool) -> None:
        """Measure until each comparison is settled, all rounds are run or no time is left."""
        experiment, until_s = self.cells.experiments[EXPERIMENT], time.monotonic() + MOST_SECONDS
        with take_turn(self.store.folder):
            self.store.read()
            self.store.begin_session(datetime.now(UTC), anew=anew)
            compared = {cell for meant, _ in self.compare() for cell in meant}
            if len({bool(self.find(cell).wall_s) for cell in compared}) > 1:
                # A release that was added would have its first runs long after the others'.
                self.store.begin_session(datetime.now(UTC), anew=True)
            for rounds in ROUND_COUNTS:
                left_s = until_s - time.monotonic()
                steps = tuple(self.plan(rounds, left_s))
                if not steps:
                    continue
                report(f"{rounds} rounds: {len(steps)} trials, {format_duration(left_s)} left")
                job = Job(
                    experiment=experiment,
                    profile=experiment.profiles[self.cells.profile],
                    steps=steps,
                    records={step.variant: self.find_whole(step.variant) for step in steps},
                    installations={python.interpreter.id: python for python in self.cells.wanted},
                )
                collect([job], self.store, usable_cores(), Meter(usable_cores()))


def measure_releases() -> None:
    """Compare the Pythons of INTERPRETERS, release by release; say how much is decided."""
    settings = read_settings(os.environ)
    releases = Releases(settings)
    releases.measure(anew=settings.measure == "all")
    ratios = [ratio for _, ratio in releases.compare()]
    decided, machine = sum(map(is_decided, ratios)), releases.store.machine.id
    command = f"make site MEASURE=0 MACHINE={machine}"
    print(f"{decided} of {len(ratios)} decided. `{command}` shows them.")
