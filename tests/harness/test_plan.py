"""The plan fills every cell, in shuffled rounds that an interruption does not disturb."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

import pytest

from scripts.harness.experiment import Experiment, Profile, Range, Sweep, WorkerRule
from scripts.harness.plan import (
    SEED,
    Done,
    count_trials,
    count_workers,
    list_core_counts,
    list_recorded,
    list_steps,
    list_variants,
    select_variants,
    shuffle_blocks,
)
from scripts.harness.record import Variant
from tests.factories import (
    alter,
    make_experiment,
    make_interpreter,
    make_machine,
    make_record,
    make_variant,
    replace,
)

EXPERIMENT = make_experiment()
QUICK = EXPERIMENT.profiles["quick"]
BOX = make_machine()
HERE, OLD = make_interpreter(), make_interpreter(id="cpython-3.8.18", version="3.8.18")


def variants(usable_cores: int = 2, experiment: Experiment = EXPERIMENT) -> tuple[Variant, ...]:
    profile = experiment.profiles["quick"]
    return list_variants(experiment, profile, BOX, [HERE], [HERE, OLD], usable_cores)


def ask(cells: Iterable[Variant], profile: Profile) -> dict[Variant, Done]:
    """As many trials of each as its profile has."""
    return {cell: count_trials(profile, cell) for cell in cells}


def sweep(*sweeps: Sweep) -> Experiment:
    return alter(EXPERIMENT, "profiles", "quick", sweeps=list(sweeps))


def list_sizes(experiment: Experiment, program: str) -> list[tuple[int, int]]:
    """The tasks and workers of a program's cells on one core."""
    planned = variants(1, experiment)
    return [(cell.tasks, cell.workers) for cell in planned if cell.program == program]


@pytest.mark.parametrize(
    ("usable", "counts"),
    [(1, (1,)), (8, (1, 2, 4, 8)), (12, (1, 2, 4, 8, 12))],
)
def test_core_counts_double_up_to_all(usable: int, counts: tuple[int, ...]) -> None:
    assert list_core_counts(usable) == counts


@pytest.mark.parametrize(
    ("rule", "workers"), [("tasks", 30), ("cores", 4), ("thread-pool", 8), (1, 1)]
)
def test_workers_follow_their_rule(rule: int | WorkerRule, workers: int) -> None:
    assert count_workers(rule, 30, 4) == workers


def test_only_programs_that_start_processes_have_a_start_method() -> None:
    methods = {variant.program: variant.start_method for variant in variants()}
    assert methods["12-cpu-process_pool"] == "forkserver"
    assert methods["08-cpu-sequential"] is None


def test_start_methods_of_a_program_take_the_place_of_the_experiments() -> None:
    own = {"start_methods": ["spawn", "fork"]}
    experiment = alter(EXPERIMENT, "programs", "12-cpu-process_pool", **own)
    planned = [cell for cell in variants(1, experiment) if cell.program == "12-cpu-process_pool"]
    assert [cell.start_method for cell in planned] == ["spawn", "fork"]


def test_a_program_that_needs_the_gil_is_planned_only_where_it_is_on() -> None:
    free = make_interpreter(id="cpython-3.14.7t", version="3.14.7", free_threaded=True, gil="off")
    again = replace(free, id="cpython-3.14.7t-gil", gil="on")
    experiment = alter(EXPERIMENT, "programs", "01-io-sequential", gil="on")
    planned = list_variants(experiment, QUICK, BOX, [HERE, free, again], [], 1)
    found = {
        program: [cell.interpreter for cell in planned if cell.program == program]
        for program in ("01-io-sequential", "08-cpu-sequential")
    }
    assert found["01-io-sequential"] == [HERE.id, again.id]
    assert found["08-cpu-sequential"] == [HERE.id, free.id, again.id]


@pytest.mark.parametrize(
    ("needs", "elsewhere"),
    [({"system": "Linux"}, {"system": "Darwin"}), ({"cores": "several"}, {"logical_cores": 1})],
)
def test_a_program_is_not_planned_on_a_machine_where_it_shows_nothing(
    needs: dict[str, str], elsewhere: dict[str, object]
) -> None:
    experiment = alter(EXPERIMENT, "programs", "01-io-sequential", **needs)
    counts = []
    for machine in (BOX, make_machine(**elsewhere)):
        planned = list_variants(experiment, QUICK, machine, [HERE], [], 1)
        counts.append(sum(cell.program == "01-io-sequential" for cell in planned))
    assert counts == [1, 0]


def test_recorded_cells_are_those_of_the_profile_whose_program_is_still_declared() -> None:
    kept = make_record()
    gone = make_record(replace(kept.variant, program="gone"))
    moved = make_record(replace(kept.variant, family="cpu"))
    foreign = make_record(replace(kept.variant, experiment="other"))
    records = [kept, gone, moved, foreign, replace(kept, profile="full")]
    assert list_recorded(EXPERIMENT, "quick", records) == (kept.variant,)


def test_params_of_a_family_win_over_those_of_the_profile() -> None:
    experiment = alter(EXPERIMENT, "families", "io", params={"SCALE": "9", "MODE": "slow"})
    params = {cell.family: cell.params for cell in variants(1, experiment)}
    assert params == {"io": {"SCALE": "9", "MODE": "slow"}, "cpu": {"SCALE": "1"}}


def test_a_profile_has_other_params_for_a_family_which_win_over_all_others() -> None:
    declared = alter(EXPERIMENT, "families", "io", params={"SIZE": "4", "KIND": "x"})
    declared = alter(
        declared,
        "profiles",
        "quick",
        params={"SIZE": "3", "OTHER": "1"},
        family_params={"io": {"SIZE": "5"}},
    )
    params = next(cell.params for cell in variants(1, declared) if cell.family == "io")
    assert params == {"SIZE": "5", "OTHER": "1", "KIND": "x"}


def test_sweeps_that_differ_in_workers_have_trials_of_their_own() -> None:
    few = Sweep(workers=[2], trials=1, memory_trials=0)
    profile = sweep(Sweep(workers=[8], trials=4), few).profiles["quick"]
    trials = [count_trials(profile, make_variant(workers=workers)) for workers in (8, 2)]
    assert [one.timed for one in trials] == [4, 1]
    assert trials[1].traced == 0


def test_a_family_for_every_python_runs_on_each_found_and_others_on_the_wanted() -> None:
    experiment = alter(EXPERIMENT, "families", "cpu", interpreters="every")
    cells = {(cell.family, cell.interpreter) for cell in variants(1, experiment)}
    assert cells == {("io", HERE.id), ("cpu", HERE.id), ("cpu", OLD.id)}


def test_a_family_for_newer_pythons_has_no_cell_on_an_older_one() -> None:
    experiment = alter(EXPERIMENT, "families", "cpu", python="3.9")
    planned = list_variants(experiment, QUICK, BOX, [HERE, OLD], [HERE, OLD], 1)
    found = {(cell.family, cell.interpreter) for cell in planned}
    assert found == {("io", HERE.id), ("cpu", HERE.id), ("io", OLD.id)}


def test_a_sweep_multiplies_programs_by_tasks_and_workers() -> None:
    experiment = sweep(Sweep(tasks=[10, 20], workers=[2, 4]))
    sizes = [(10, 2), (10, 4), (20, 2), (20, 4)]
    assert list_sizes(experiment, "01-io-sequential") == sizes
    assert list_sizes(experiment, "12-cpu-process_pool") == sizes


def test_the_first_sweep_that_fits_decides() -> None:
    experiment = sweep(
        Sweep(programs=["01-io-sequential"], tasks=[10]),
        Sweep(families=["io"], tasks=[20]),
        Sweep(programs=["04-io-thread_pool"], tasks=[40]),
    )
    assert list_sizes(experiment, "01-io-sequential") == [(10, 1)]
    assert list_sizes(experiment, "04-io-thread_pool") == [(20, 5)]
    assert list_sizes(experiment, "08-cpu-sequential") == [(21, 1)]


def test_a_sweep_is_for_its_programs_in_its_families_only() -> None:
    both = alter(
        sweep(Sweep(programs=["01-io-sequential"], families=["cpu"], tasks=[10])),
        "programs",
        "01-io-sequential",
        families=["io", "cpu"],
    )
    assert list_sizes(both, "01-io-sequential") == [(30, 1), (10, 1)]
    assert list_sizes(both, "08-cpu-sequential") == [(21, 1)]


def test_sweeps_of_the_same_programs_give_their_sizes_trials_of_their_own() -> None:
    experiment = sweep(
        Sweep(families=["io"], tasks=[10, 30]),
        Sweep(families=["io"], tasks=Range(start=10, end=30, step=10), trials=1),
        Sweep(tasks=[7]),
    )
    assert list_sizes(experiment, "01-io-sequential") == [(10, 1), (30, 1), (20, 1)]
    profile = experiment.profiles["quick"]
    timed = {
        one.tasks: count_trials(profile, one).timed
        for one in variants(1, experiment)
        if one.program == "01-io-sequential"
    }
    assert timed == {10: profile.trials, 30: profile.trials, 20: 1}


def test_a_round_runs_every_variant_once_and_memory_comes_first() -> None:
    steps = list(list_steps(ask(variants(), QUICK), 1, {}))
    assert len(steps) == len(variants()) * 6
    for number in range(6):
        in_round = [step for step in steps if step.round == number]
        assert {step.variant for step in in_round} == set(variants())
        assert all(step.traced == (number == 0) for step in in_round)


def test_rounds_are_shuffled_each_in_its_own_order_and_reproducibly() -> None:
    steps = list(list_steps(ask(variants(), QUICK), 1, {}))
    orders = {
        tuple(step.variant.program for step in steps if step.round == number) for number in range(6)
    }
    assert len(orders) > 1
    assert steps == list(list_steps(ask(variants(), QUICK), 1, {}))
    assert SEED == 2026  # that of all records there are
    assert steps != list(list_steps(ask(variants(), QUICK), 2, {}))


def read_block(variant: Variant) -> tuple[str, str, int]:
    """The block of a variant: what it is compared with has the same."""
    return variant.family, variant.interpreter, variant.cores


def test_what_is_compared_runs_back_to_back_in_a_round() -> None:
    cells = list_variants(EXPERIMENT, QUICK, BOX, [HERE, OLD], [HERE, OLD], 2)
    mixed = [*cells[::2], *cells[1::2]]
    order = shuffle_blocks(mixed, "seed")
    blocks = [block for block, _ in groupby(order, read_block)]
    assert len(blocks) == len(set(blocks)) == 8
    assert Counter(order) == Counter(cells)
    steps = list(list_steps(ask(cells, QUICK), 1, {}))
    first = [step.variant for step in steps if step.round == 0]
    assert len([block for block, _ in groupby(first, read_block)]) == 8


def test_blocks_come_in_a_random_order_and_so_do_those_within_one() -> None:
    cells = list_variants(EXPERIMENT, QUICK, BOX, [HERE, OLD], [HERE, OLD], 2)
    orders = [shuffle_blocks(cells, str(seed)) for seed in range(20)]
    assert len({read_block(order[0]) for order in orders}) > 4
    within = {
        tuple(one.program for one in order if read_block(one) == ("io", HERE.id, 2))
        for order in orders
    }
    assert len(within) == 2
    assert orders[0] == shuffle_blocks(cells, "0")


UNEQUAL = sweep(
    Sweep(programs=["01-io-sequential"], trials=7, memory_trials=0),
    Sweep(programs=["04-io-thread_pool"], trials=2, memory_trials=3),
    Sweep(families=["cpu"], trials=1),
)


def test_a_sweep_or_else_the_profile_says_how_many_trials_and_memory_comes_first() -> None:
    steps = list_steps(ask(variants(1, UNEQUAL), UNEQUAL.profiles["quick"]), 1, {})
    rounds: dict[tuple[int, bool], set[str]] = {}
    for step in steps:
        rounds.setdefault((step.round, step.traced), set()).add(step.variant.program[:2])
    assert list(rounds.items()) == [
        ((0, True), {"04", "08", "12"}),
        ((1, True), {"04"}),
        ((2, True), {"04"}),
        ((3, False), {"01", "04", "08", "12"}),
        ((4, False), {"01", "04"}),
        *(((number, False), {"01"}) for number in range(5, 10)),
    ]


@pytest.mark.parametrize("experiment", [EXPERIMENT, UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize("ran", [1, 9])
def test_interrupted_work_goes_on_where_it_stopped(experiment: Experiment, ran: int) -> None:
    planned, profile = variants(1, experiment), experiment.profiles["quick"]
    everything = list(list_steps(ask(planned, profile), 1, {}))
    begun = Counter((step.variant, step.traced) for step in everything[:ran])
    done = {
        variant: Done(traced=begun[variant, True], timed=begun[variant, False])
        for variant in planned
    }
    assert list(list_steps(ask(planned, profile), 1, done)) == everything[ran:]


@pytest.mark.parametrize(
    ("only", "programs"),
    [
        ("04", {"04-io-thread_pool"}),
        ("lab/*cpu*", {"08-cpu-sequential", "12-cpu-process_pool"}),
        ("lab", {program.name for program in EXPERIMENT.programs}),
        ("04, 08", {"04-io-thread_pool", "08-cpu-sequential"}),
        ("lab,!*_pool", {"01-io-sequential", "08-cpu-sequential"}),
        ("!lab:cpu*", {"01-io-sequential", "04-io-thread_pool"}),
    ],
)
def test_only_selects_by_pattern(only: str, programs: set[str]) -> None:
    assert {variant.program for variant in select_variants(variants(), only)} == programs
