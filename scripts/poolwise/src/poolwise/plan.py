"""Jobs: what remains to be run of an experiment, and with which packages."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatch
from itertools import chain, product
from operator import attrgetter
from statistics import median
from typing import Any

from msgspec import structs

from poolwise.declaration import Reason
from poolwise.dependencies import Environment, find_packages, prepare, take_fingerprint
from poolwise.experiment import (
    Experiment,
    Family,
    Profile,
    ProfileName,
    Program,
    StartMethod,
    WorkerRule,
    find_newer_python,
)
from poolwise.machine import Machine
from poolwise.pythons import Installation, Interpreter
from poolwise.record import Record, Variant
from poolwise.store import Store

SEED = 2026  # of the shuffled rounds; recorded with every record


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One trial to run: of which variant, in which of how many rounds, and whether memory is traced in it.

    ``estimate_s`` is how long it should take.
    """

    variant: Variant
    round: int
    rounds: int = 1
    traced: bool = False
    estimate_s: float = 0.0

    @property
    def kind(self) -> tuple[Variant, bool]:
        """The variant and the pass of the trial: others of the same take about as long."""
        return self.variant, self.traced

    @property
    def label(self) -> str:
        """The name of the trial for whoever waits: ``json/02-threads (2 cores, memory)``."""
        place = name_cores([self.variant.cores])
        if self.traced:
            place += ", memory"
        return f"{self.variant.experiment}/{self.variant.program} ({place})"


def name_cores(counts: Sequence[int]) -> str:
    """Numbers of cores in words: ``1, 2 cores``."""
    if counts == [1]:
        return "1 core"
    return f"{', '.join(map(str, counts))} cores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Numbers of trials of a variant: recorded, or planned."""

    traced: int = 0
    timed: int = 0


def list_core_counts(usable: int) -> tuple[int, ...]:
    """Powers of two below the number of usable cores, and that number: 6 → (1, 2, 4, 6)."""
    powers = [2**exponent for exponent in range(usable.bit_length()) if 2**exponent < usable]
    return (*powers, usable)


def count_workers(rule: int | WorkerRule, tasks: int, cores: int) -> int:
    """Workers of a program that has so many tasks, on ``cores`` cores.

    ``thread-pool`` is the default of ``ThreadPoolExecutor`` since Python 3.8,
    ``min(32, cores + 4)``.
    """
    match rule:
        case "tasks":
            return tasks
        case "cores":
            return cores
        case "thread-pool":
            return min(32, cores + 4)
        case number:
            return number


def list_variants(
    experiment: Experiment,
    profile: Profile,
    machine: Machine,
    wanted: Sequence[Interpreter],
    every: Sequence[Interpreter],
    usable_cores: int,
) -> tuple[Variant, ...]:
    """Every cell of an experiment on this machine, in the order of its declaration.

    The interpreters ``wanted`` run the programs, and ``every`` those families that are for each
    Python there is.
    """
    counts = list_core_counts(usable_cores)
    cells: dict[Variant, None] = {}  # each once, in order
    for python in dict.fromkeys((*wanted, *every)):
        place = {"machine": machine.id, "interpreter": python.id, "gil": python.gil}
        for cores, program in product(counts, experiment.programs):
            if program.find_obstacle(
                machine.system, python.gil, machine.logical_cores, python.minor
            ):
                continue
            for family in map(experiment.family, program.families):
                if (
                    cores in _choose_counts(experiment, family, counts)
                    and python in (every if family.interpreters == "every" else wanted)
                    and not find_newer_python(family.python, python.minor)
                ):
                    for cell in _list_cells(experiment, profile, program, family, cores):
                        cells[structs.replace(cell, **place)] = None
    if profile.name == "smoke":
        return tuple(_keep_largest(cells))
    return tuple(cells)


def is_sized(experiment: Experiment, profile: Profile, cell: Variant) -> bool:
    """Tell whether a cell has the parameters, and one of the sizes, that a profile declares for its program."""
    program = experiment.program(cell.program)
    return cell.params == experiment.family(cell.family).merge_params(profile) and any(
        cell.tasks in sweep.list_tasks(program) and sweep.has(cell.tasks, cell.workers)
        for sweep in profile.find_sweeps(cell.program, cell.family)
    )


def _keep_largest(cells: Iterable[Variant]) -> Iterable[Variant]:
    """Keep the largest cell of each program on each interpreter, which shows whether it works."""
    largest: dict[tuple[str, str], Variant] = {}
    for cell in cells:
        key = (cell.program, cell.interpreter)
        known = largest.setdefault(key, cell)
        if (cell.cores, cell.tasks, cell.workers) > (known.cores, known.tasks, known.workers):
            largest[key] = cell
    return largest.values()


def _choose_counts(experiment: Experiment, family: Family, counts: Sequence[int]) -> Sequence[int]:
    """Of the numbers of cores that there are, those on which a family runs."""
    if family.cores == "one":
        return counts[:1]
    if experiment.cores == "all":
        return counts[-1:]
    return counts


def _list_cells(
    experiment: Experiment, profile: Profile, program: Program, family: Family, cores: int
) -> Iterator[Variant]:
    """The cells of a program in a family on so many cores, of no machine and interpreter yet."""
    methods: Sequence[StartMethod | None] = program.start_methods or experiment.start_methods
    if not program.processes:
        methods = [None]
    for sweep in profile.find_sweeps(program.name, family.name):
        for tasks in sweep.list_tasks(program):
            for workers in sweep.workers or (count_workers(program.workers, tasks, cores),):
                for start_method in methods:
                    yield Variant(
                        experiment=experiment.name,
                        program=program.name,
                        family=family.name,
                        machine="",
                        interpreter="",
                        gil="on",
                        start_method=start_method,
                        cores=cores,
                        workers=workers,
                        tasks=tasks,
                        params=family.merge_params(profile),
                    )


def select_variants(variants: Sequence[Variant], only: str) -> tuple[Variant, ...]:
    """Select the variants whose experiment, program, ``experiment/program`` or ``experiment:family`` matches ``only``.

    Patterns are shell patterns, with commas between; without wildcards one also matches the
    beginning of a program's name, so that ``04`` is enough. One with ``!`` before it leaves out
    what it matches. Empty, or only such: all the others.

    Raises:
        ValueError: nothing matches; names what there is.
    """
    included, excluded = [], []
    for word in filter(None, map(str.strip, only.split(","))):
        if word.startswith("!"):
            excluded.append(word[1:])
        else:
            included.append(word)
    selected = variants
    if included:
        selected = [variant for variant in variants if _matches(variant, included)]
    selected = tuple(variant for variant in selected if not _matches(variant, excluded))
    if not selected and only:
        names = sorted({variant.experiment for variant in variants})
        names += sorted({f"{variant.experiment}/{variant.program}" for variant in variants})
        raise ValueError(f"ONLY={only} matches nothing; there are {', '.join(names)}")
    return selected


def list_steps(
    wanted: Mapping[Variant, Done], seed: int, done: Mapping[Variant, Done]
) -> Iterator[Step]:
    """List what remains to be run, in rounds: every variant once a round, each round in its own order.

    Memory rounds come first and their times count for nothing: a variant's first memory trial is
    its warm-up, and one without memory trials has none. The order of a round depends only on the
    seed and the round, so that interrupted work goes on in the order in which it would have gone
    on anyway.
    """
    memory_rounds = max((plan.traced for plan in wanted.values()), default=0)
    rounds = memory_rounds + max((plan.timed for plan in wanted.values()), default=0)
    for number in range(rounds):
        for variant in shuffle_blocks(wanted, f"{seed}/{number}"):
            have, plan = done.get(variant, Done()), wanted[variant]
            if number < memory_rounds:
                traced, is_missing = True, have.traced <= number < plan.traced
            else:
                traced, is_missing = False, have.timed <= number - memory_rounds < plan.timed
            if is_missing:
                yield Step(variant=variant, round=number, rounds=rounds, traced=traced)


def shuffle_blocks(variants: Iterable[Variant], seed: str) -> list[Variant]:
    """The variants block by block, blocks in a random order and variants in one within them.

    In a block are those that are compared with one another, so that they run back to back: a machine
    that is slow for a while is slow for all of them.
    """
    blocks: dict[tuple[str, str, int], list[Variant]] = {}
    for variant in variants:
        key = (variant.family, variant.interpreter, variant.cores)
        blocks.setdefault(key, []).append(variant)
    chance = random.Random(seed)
    order = list(blocks.values())
    chance.shuffle(order)
    for block in order:
        chance.shuffle(block)
    return list(chain.from_iterable(order))


def count_trials(profile: Profile, variant: Variant) -> Done:
    """Return how many trials a profile plans for a variant: in smoke one, which shows that it works."""
    if profile.name == "smoke":
        return Done(timed=1)
    sweeps = profile.find_sweeps(variant.program, variant.family)
    sweep = next(sweep for sweep in sweeps if sweep.has(variant.tasks, variant.workers))
    traced = sweep.memory_trials
    if traced is None:
        traced = profile.memory_trials
    return Done(traced=traced, timed=sweep.trials or profile.trials)


def begin_cell(
    experiment: Experiment,
    variant: Variant,
    profile: ProfileName,
    interpreter: Interpreter,
    reason: Reason | None = None,
) -> Record:
    """Begin the record of a cell as its programs are now; with a ``reason``, of what cannot be run."""
    columns: dict[str, Any] = {"readings": {}, "traces": [], "wall_s": [], "peak_pss_bytes": []}
    return Record(
        **structs.asdict(variant) | columns,
        status="unavailable" if reason else "ok",
        reason=reason,
        printed="",
        stderr="",
        profile=profile,
        fingerprint=take_fingerprint(experiment, variant, profile, interpreter),
        seed=SEED,
        packages=find_packages(experiment, variant.program, interpreter.version),
        measured_at=datetime.now(UTC),
    )


def count_done(record: Record, session: str | None = None) -> Done:
    """Count the trials of a record that count, in all or in one session."""
    if session is None:
        return Done(traced=len(record.traces), timed=len(record.wall_s))
    return Done(
        traced=record.traced_sessions.count(session), timed=record.timed_sessions.count(session)
    )


def _matches(variant: Variant, patterns: Iterable[str]) -> bool:
    experiment, program = variant.experiment, variant.program
    names = (experiment, program, f"{experiment}/{program}", f"{experiment}:{variant.family}")
    for pattern in patterns:
        if program.startswith(pattern) or any(fnmatch(name, pattern) for name in names):
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The remaining work of one experiment.

    ``records`` has one for every variant of ``steps``, empty or as an interruption left it, and for
    every variant that cannot be run, which says why. ``installations`` are those that run the programs,
    by interpreter. ``problems`` are sentences: why packages could not be got that there may well be.
    """

    experiment: Experiment
    profile: Profile
    steps: tuple[Step, ...]
    records: Mapping[Variant, Record]
    installations: Mapping[str, Installation]
    problems: tuple[str, ...] = ()


def plan_job(
    experiment: Experiment,
    profile: Profile,
    records: Mapping[Variant, Record],
    planned: Mapping[Variant, Done],
    store: Store,
    wanted: Iterable[Installation],
    every: Iterable[Installation],
) -> Job:
    """Plan the trials that are not done yet in the session of a store, and what runs them.

    Each should take as long as those of its variant did before, or as declared. Installations ``wanted``
    get the packages that the programs to be run on them import; ``every`` other Python runs as it is
    what needs no packages.
    """
    done = {variant: count_done(records[variant], store.session) for variant in planned}
    steps = list(list_steps(planned, SEED, done))
    needs: dict[str, dict[str, str]] = {}
    for variant in {step.variant for step in steps}:
        needs.setdefault(variant.interpreter, {}).update(records[variant].packages)
    installations = {python.interpreter.id: python for python in every}
    environments: dict[str, Environment] = {}
    for python in wanted:
        if (name := python.interpreter.id) in needs:
            environments[name] = prepare(python, needs[name])
            installations[name] = environments[name].installation
    marked: dict[Variant, Record] = {}
    estimates_s: dict[Variant, float] = {}
    for variant in planned:
        marked[variant] = record = records[variant]
        if environment := environments.get(variant.interpreter):
            for name in sorted(record.packages.keys() & environment.missing.keys(), reverse=True):
                reason = environment.missing[name]
                marked[variant] = structs.replace(record, status="unavailable", reason=reason)
        estimates_s[variant] = profile.estimate_s
        known = store.find(variant, profile.name)
        if known and known.wall_s:
            estimates_s[variant] = median(known.wall_s)
    return Job(
        experiment=experiment,
        profile=profile,
        steps=tuple(
            replace(step, estimate_s=estimates_s[step.variant])
            for step in steps
            if marked[step.variant].status == "ok"
        ),
        records=marked,
        installations=installations,
        problems=tuple(filter(None, map(attrgetter("problem"), environments.values()))),
    )
