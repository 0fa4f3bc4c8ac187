"""The plan fills every cell, in shuffled rounds that an interruption does not disturb."""

import pytest

from scripts.measure.experiment import Program
from scripts.measure.plan import (
    Done,
    count_workers,
    list_core_counts,
    list_steps,
    list_variants,
    select_variants,
)
from scripts.measure.variant import Variant
from tests.factories import make_experiment, make_interpreter

EXPERIMENT = make_experiment()
QUICK = EXPERIMENT.profiles["quick"]


def variants(usable_cores: int = 2) -> tuple[Variant, ...]:
    return list_variants(EXPERIMENT, QUICK, "box", [make_interpreter()], usable_cores)


@pytest.mark.parametrize(
    ("usable", "counts"),
    [(1, (1,)), (2, (1, 2)), (6, (1, 2, 4, 6)), (8, (1, 2, 4, 8)), (12, (1, 2, 4, 8, 12))],
)
def test_core_counts_double_up_to_all(usable: int, counts: tuple[int, ...]) -> None:
    assert list_core_counts(usable) == counts


@pytest.mark.parametrize(
    ("rule", "workers"), [("tasks", 30), ("cores", 4), ("thread-pool", 8), (1, 1)]
)
def test_workers_follow_their_rule(rule: int | str, workers: int) -> None:
    program = Program(file="p.py", family="io", tasks=30, workers=rule)  # type: ignore[arg-type]
    assert count_workers(program, 4) == workers


def test_a_default_thread_pool_never_exceeds_32_workers() -> None:
    program = Program(file="p.py", family="io", tasks=30, workers="thread-pool")
    assert count_workers(program, 64) == 32


def test_every_program_is_planned_on_every_core_count() -> None:
    cells = {(variant.program, variant.cores) for variant in variants()}
    assert len(cells) == len(variants()) == len(EXPERIMENT.programs) * 2


def test_only_programs_that_start_processes_have_a_start_method() -> None:
    methods = {variant.program: variant.start_method for variant in variants()}
    assert methods["12-cpu-process_pool"] == "forkserver"
    assert methods["08-cpu-sequential"] is None


def test_a_round_runs_every_variant_once_and_memory_comes_first() -> None:
    steps = list(list_steps(variants(), QUICK, 1, {}))
    assert len(steps) == len(variants()) * 6
    for number in range(6):
        in_round = [step for step in steps if step.round == number]
        assert {step.variant for step in in_round} == set(variants())
        assert all(step.traced == (number == 0) for step in in_round)


def test_rounds_are_shuffled_each_in_its_own_order_and_reproducibly() -> None:
    steps = list(list_steps(variants(), QUICK, 1, {}))
    orders = {
        tuple(step.variant.program for step in steps if step.round == number) for number in range(6)
    }
    assert len(orders) > 1
    assert steps == list(list_steps(variants(), QUICK, 1, {}))
    assert steps != list(list_steps(variants(), QUICK, 2, {}))


def test_interrupted_work_goes_on_where_it_stopped() -> None:
    everything = list(list_steps(variants(), QUICK, 1, {}))
    done: dict[Variant, Done] = {}
    for step in everything[:19]:
        have = done.get(step.variant, Done())
        done[step.variant] = (
            Done(traced=have.traced + 1, timed=have.timed)
            if step.traced
            else Done(traced=have.traced, timed=have.timed + 1)
        )
    assert list(list_steps(variants(), QUICK, 1, done)) == everything[19:]


@pytest.mark.parametrize(
    ("only", "programs"),
    [
        ("04", {"04-io-thread_pool"}),
        ("lab/*cpu*", {"08-cpu-sequential", "12-cpu-process_pool"}),
        ("*_pool", {"04-io-thread_pool", "12-cpu-process_pool"}),
        ("lab", {program.name for program in EXPERIMENT.programs}),
        ("", {program.name for program in EXPERIMENT.programs}),
    ],
)
def test_only_selects_by_pattern(only: str, programs: set[str]) -> None:
    assert {variant.program for variant in select_variants(variants(), only)} == programs


def test_only_with_no_match_names_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"ONLY=nothing .* lab, lab/01-io-sequential"):
        select_variants(variants(), "nothing")
