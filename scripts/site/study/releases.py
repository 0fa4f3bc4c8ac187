"""Releases: run programs on one release after another, back to back, until each comparison is decided."""

import hashlib
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
from poolwise.store import Store
from scripts.site.declare.declarations import load_declarations
from scripts.site.judge.releases import Cell, compare, is_decided, is_settled, list_columns
from scripts.site.settings import BadSetting, Settings
from scripts.site.study.cells import Cells

EXPERIMENT = "releases"
LOOKS = (5, 8, 11, 16)  # the numbers of rounds after which what is settled is left out
BUDGET_S = 720.0


def name_build(installation: Installation) -> Installation:
    """Name a Python by its build, too: next to a build of another kind of the same version it keeps its records."""
    python = installation.interpreter
    other = hashlib.sha256(repr(python.options).encode()).hexdigest()[:6]
    python = replace(python, other=other)
    return replace(installation, interpreter=replace(python, id=make_python_id(python)))


class Releases:
    """The cells of some releases on this machine, and what is known of them in the present session."""

    def __init__(self, settings: Settings) -> None:
        self.profile = settings.profile
        self.experiment = load_declarations().experiments[EXPERIMENT]
        try:
            installations = tuple(map(name_build, select(settings.interpreters)))
        except ValueError as error:
            raise BadSetting(str(error)) from None
        pythons = tuple(installation.interpreter for installation in installations)
        if len({python.options for python in pythons}) > 1:
            raise BadSetting(
                "the Pythons of INTERPRETERS are not built alike: what differs is not the release"
            )
        self.installations = {python.interpreter.id: python for python in installations}
        self.store = Store(settings.results, describe_machine(), pythons, report)
        self.columns = list_columns(pythons)
        chain = sorted(
            pythons, key=lambda python: (python.gil == "off", rank_interpreter(python.version))
        )
        self.order = [(python.id, workers) for python in chain for workers in (1, 2)]
        self.cells = Cells(
            experiments={EXPERIMENT: self.experiment},
            profile=settings.profile,
            machine=self.store.machine,
            interpreters=pythons,
            wanted=installations,
            store=self.store,
        )
        self.programs: dict[str, dict[Cell, Variant]] = {}
        for variant in self.cells.list_variants(self.experiment):
            of_program = self.programs.setdefault(variant.program, {})
            of_program[variant.interpreter, variant.workers] = variant

    def find(self, variant: Variant) -> Record:
        """Find what a cell has in this session."""
        record = self.cells.find_valid(variant) or self.cells.begin(variant)
        return record.within(self.store.session)

    def list_open(self) -> set[Variant]:
        """List the cells of comparisons that are not settled yet."""
        unsettled: set[Variant] = set()
        for variants in self.programs.values():
            records = {cell: self.find(variant) for cell, variant in variants.items()}
            for column in self.columns:
                if not is_settled(compare(records, column)):
                    unsettled.update(variants[cell] for cell in column.cells if cell in variants)
        return unsettled

    def plan(self, wanted: set[Variant], rounds: int) -> Iterator[Step]:
        """Plan trials until each wanted cell has one of every round: forth in a round, back in the next.

        The cells of a program follow one another as the releases do.
        """
        profile = self.experiment.profiles[self.profile]
        records = {variant: self.find(variant) for variant in wanted}
        for number in range(rounds):
            for variants in self.programs.values():
                for cell in self.order[:: -1 if number % 2 else 1]:
                    variant = variants.get(cell)
                    if variant in records and len(records[variant].wall_s) <= number:
                        estimate_s = median(records[variant].wall_s or [profile.estimate_s])
                        yield Step(
                            variant=variant, round=number, rounds=rounds, estimate_s=estimate_s
                        )

    def measure(self, *, anew: bool) -> None:
        """Measure until each comparison is settled, all rounds are run or no time is left."""
        with take_turn(self.store.folder):
            self.store.read()
            self.store.begin_session(datetime.now(UTC), anew=anew)
            until_s = time.monotonic() + BUDGET_S
            for rounds in LOOKS:
                left_s, steps = until_s - time.monotonic(), []
                needed_s = 0.0
                for step in self.plan(self.list_open(), rounds):
                    needed_s += step.estimate_s
                    if needed_s < left_s:
                        steps.append(step)
                report(f"{rounds} rounds: {len(steps)} trials, {format_duration(left_s)} left")
                if not steps:
                    break
                begun = {}
                for variant in {step.variant for step in steps}:
                    begun[variant] = self.cells.find_valid(variant) or self.cells.begin(variant)
                job = Job(
                    experiment=self.experiment,
                    profile=self.experiment.profiles[self.profile],
                    steps=tuple(steps),
                    records=begun,
                    installations=self.installations,
                )
                collect([job], self.store, usable_cores(), Meter(usable_cores()))

    def count(self) -> tuple[int, int]:
        """Count the comparisons that are decided, and all."""
        ratios = []
        for variants in self.programs.values():
            records = {cell: self.find(variant) for cell, variant in variants.items()}
            ratios += [compare(records, column) for column in self.columns]
        return sum(ratio is not None and is_decided(ratio) for ratio in ratios), len(ratios)


def measure_releases(settings: Settings) -> None:
    """Compare the Pythons of INTERPRETERS, release by release; say how much is decided."""
    releases = Releases(settings)
    releases.measure(anew=settings.measure == "all")
    decided, every = releases.count()
    machine = releases.store.machine.id
    print(
        f"{decided} of {every} comparisons are decided. `make site MACHINE={machine}` shows them."
    )
