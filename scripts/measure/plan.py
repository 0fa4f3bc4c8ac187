"""The plan: which variants there are, and in which order their trials run."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from scripts.measure.experiment import Experiment, Profile, Program
from scripts.measure.interpreters import Interpreter
from scripts.measure.variant import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One trial to run: of which variant, in which round, and whether memory is traced in it."""

    variant: Variant
    round: int
    traced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How many trials of a variant are already recorded."""

    traced: int = 0
    timed: int = 0


def list_core_counts(usable: int) -> tuple[int, ...]:
    """Powers of two below the number of usable cores, and that number: 6 → (1, 2, 4, 6)."""
    powers = [2**exponent for exponent in range(usable.bit_length()) if 2**exponent < usable]
    return (*powers, usable)


def count_workers(program: Program, cores: int) -> int:
    """Workers of a program on ``cores`` cores.

    ``thread-pool`` is the default of ``ThreadPoolExecutor`` since Python 3.8,
    ``min(32, cores + 4)``.
    """
    match program.workers:
        case "tasks":
            return program.tasks
        case "cores":
            return cores
        case "thread-pool":
            return min(32, cores + 4)
        case number:
            return number


def list_variants(
    experiment: Experiment,
    profile: Profile,
    machine: str,
    interpreters: Sequence[Interpreter],
    usable_cores: int,
) -> tuple[Variant, ...]:
    """Every cell of an experiment on this machine, in the order of its declaration."""
    return tuple(
        Variant(
            experiment=experiment.name,
            program=program.name,
            family=program.family,
            machine=machine,
            interpreter=interpreter.id,
            gil=interpreter.gil,
            start_method=start_method,
            cores=cores,
            workers=count_workers(program, cores),
            tasks=program.tasks,
            params=profile.params,
        )
        for interpreter in interpreters
        for cores in list_core_counts(usable_cores)
        for program in experiment.programs
        for start_method in (experiment.start_methods if program.processes else (None,))
    )


def select_variants(variants: Sequence[Variant], only: str) -> tuple[Variant, ...]:
    """Those whose experiment, program or ``experiment/program`` matches the pattern ``only``.

    A pattern is a shell pattern; without wildcards it also matches the beginning of a program's
    name, so that ``04`` is enough. Empty: all.

    Raises:
        ValueError: nothing matches; names what there is.
    """
    if not only:
        return tuple(variants)
    selected = tuple(variant for variant in variants if _matches(variant, only))
    if not selected:
        names = sorted({variant.experiment for variant in variants})
        names += sorted({f"{variant.experiment}/{variant.program}" for variant in variants})
        raise ValueError(f"ONLY={only} matches nothing; there are {', '.join(names)}")
    return selected


def list_steps(
    variants: Sequence[Variant], profile: Profile, seed: int, done: Mapping[Variant, Done]
) -> Iterator[Step]:
    """What remains to be run, in rounds: every variant once a round, in an order of its own.

    Memory rounds come first; the very first of them is the warm-up, its times count for nothing.
    The order of a round depends only on the seed and the round, so that interrupted work goes on
    in the order in which it would have gone on anyway.
    """
    rounds = profile.memory_trials + profile.trials
    for number in range(rounds):
        traced = number < profile.memory_trials
        index = number if traced else number - profile.memory_trials
        order = list(variants)
        random.Random(f"{seed}/{number}").shuffle(order)
        for variant in order:
            have = done.get(variant, Done())
            if index >= (have.traced if traced else have.timed):
                yield Step(variant=variant, round=number, traced=traced)


def _matches(variant: Variant, only: str) -> bool:
    whole = f"{variant.experiment}/{variant.program}"
    return any(
        fnmatch(name, only) for name in (variant.experiment, variant.program, whole)
    ) or variant.program.startswith(only)
