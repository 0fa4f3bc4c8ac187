"""A crowd: made-up records of many machines and Pythons, for what has to be quick with all of them."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice

from scripts.declare.experiment import Experiment
from scripts.declare.family import Family
from scripts.declare.program import Program
from scripts.host.interpreters import Interpreter
from scripts.host.machine import Machine, describe_machine
from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.statistics import estimate_ratio
from scripts.records.record import Record, Trial, Variant

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)
TRIALS = 3
FIRST_MINOR = 10
CORES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """So many machines, each with so many Pythons that ran so many programs in their families."""

    machines: int
    pythons: int
    programs: int


def gather_crowd(experiments: Mapping[str, Experiment], crowd: Crowd) -> list[list[Evidence]]:
    """What a crowd gave, a list for each experiment with an item a machine.

    Of what is declared the first programs are taken; times are made up, the same each time.
    """
    competing = (
        (experiment.name, family, program)
        for experiment in experiments.values()
        for family in experiment.families
        for program in experiment.programs
        if family.name in program.families
    )
    entries = list(islice(competing, crowd.programs))
    here, chance = describe_machine(), random.Random(crowd.machines)
    pythons = tuple(make_interpreter(FIRST_MINOR + number) for number in range(crowd.pythons))

    def gather(experiment: Experiment, machine: Machine) -> Evidence:
        own = [entry[1:] for entry in entries if entry[0] == experiment.name]
        judged = (_judge(experiment, own, machine, python, chance) for python in pythons)
        return Evidence(
            experiment=experiment,
            profile="quick",
            machine=machine,
            interpreters=pythons,
            judgements=tuple(judgement for of_python in judged for judgement in of_python),
            generated_at=MOMENT,
        )

    machines = [replace(here, id=f"made-up-{number}-{CORES}c") for number in range(crowd.machines)]
    return [[gather(one, machine) for machine in machines] for one in experiments.values()]


def make_interpreter(minor: int) -> Interpreter:
    """A CPython of such a minor version, with the GIL."""
    return Interpreter(
        id=f"cpython-3.{minor}.0",
        implementation="cpython",
        version=f"3.{minor}.0",
        compiler="GCC",
        build="made up",
        free_threaded=False,
        gil="on",
        debug=False,
        jit=False,
        start_method="fork",
    )


def _judge(
    experiment: Experiment,
    entries: list[tuple[Family, Program]],
    machine: Machine,
    python: Interpreter,
    chance: random.Random,
) -> Iterator[Judgement]:
    records = [
        _make_record(
            Variant(
                experiment=experiment.name,
                program=program.name,
                family=family.name,
                machine=machine.id,
                interpreter=python.id,
                gil=python.gil,
                start_method="spawn" if program.processes else None,
                cores=CORES,
                workers=CORES,
                tasks=program.tasks,
                params={},
            ),
            chance,
        )
        for family, program in entries
    ]
    plain = {(family.name, family.baseline) for family, _ in entries}
    baselines = {
        one.variant.family: one
        for one in records
        if (one.variant.family, one.variant.program) in plain
    }
    for record in records:
        baseline = baselines.get(record.variant.family)
        yield Judgement(
            record=record,
            time="inside_s",
            baseline=baseline,
            speedup=estimate_ratio(baseline.walls_s, record.walls_s) if baseline else None,
            verdict=chance.choice(("recommended", "works, costs more", "no gain", "worse")),
        )


def _make_record(variant: Variant, chance: random.Random) -> Record:
    median_s = chance.lognormvariate(0, 1)
    shares = {"wall_s": 1.0, "inside_s": 0.9, "user_s": 0.7, "system_s": 0.1}
    walls_s = [median_s * chance.uniform(0.9, 1.1) for _ in range(TRIALS)]
    timed = [
        {name: share * wall_s for name, share in shares.items()} | {"max_rss_bytes": 30_000_000}
        for wall_s in walls_s
    ]
    traced = {"peak_pss_bytes": int(chance.lognormvariate(17, 0.5)), "lag_max_s": None}
    return Record(
        variant=variant,
        profile="quick",
        fingerprint="0123456789abcdef",
        seed=0,
        timed=tuple(Trial(status="ok", values=values) for values in timed),
        traced=(Trial(status="ok", values=traced),),
        measured_at=MOMENT,
    )
