"""The plan fills every cell, in shuffled rounds that an interruption does not disturb."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

import pytest
from msgspec import structs

from making import alter, make_experiment, make_interpreter, make_machine, make_variant, replace
from poolwise import plan
from poolwise.experiment import Experiment, Profile, Range, Sweep, WorkerRule
from poolwise.record import Variant

EXPERIMENT = make_experiment()
QUICK = EXPERIMENT.profiles["quick"]
BOX = make_machine()
HERE, OLD = make_interpreter(), make_interpreter(id="cpython-3.8.18", version="3.8.18")


def variants(usable_cores: int = 2, experiment: Experiment = EXPERIMENT) -> tuple[Variant, ...]:
    profile = experiment.profiles["quick"]
    return plan.list_variants(experiment, profile, BOX, [HERE], [HERE, OLD], usable_cores)


def ask(cells: Iterable[Variant], profile: Profile) -> dict[Variant, plan.Done]:
    """As many trials of each as its profile has."""
    return {cell: plan.count_trials(profile, cell) for cell in cells}


def sweep(*sweeps: Sweep) -> Experiment:
    return alter(EXPERIMENT, "profiles", "quick", sweeps=list(sweeps))


def list_sizes(experiment: Experiment, program: str) -> list[tuple[int, int]]:
    """The tasks and workers of a program's cells on one core."""
    planned = variants(1, experiment)
    return [(cell.tasks, cell.workers) for cell in planned if cell.program == program]


def test_core_counts_double_up_to_all():
    found = [plan.list_core_counts(usable) for usable in (1, 8, 12)]
    assert found == [(1,), (1, 2, 4, 8), (1, 2, 4, 8, 12)]


def test_workers_follow_their_rule():
    workers: dict[int | WorkerRule, int] = {"tasks": 30, "cores": 4, "thread-pool": 8, 1: 1}
    assert {rule: plan.count_workers(rule, 30, 4) for rule in workers} == workers


def test_only_what_starts_processes_has_start_methods_its_own_if_it_declares_any():
    def list_methods(program: str, experiment: Experiment) -> list[str | None]:
        planned = variants(1, experiment)
        return [cell.start_method for cell in planned if cell.program == program]

    pool = "12-cpu-process_pool"
    own = alter(EXPERIMENT, "programs", pool, start_methods=["spawn", "fork"])
    assert list_methods("08-cpu-sequential", EXPERIMENT) == [None]
    assert list_methods(pool, EXPERIMENT) == ["forkserver"]
    assert list_methods(pool, own) == ["spawn", "fork"]


FREE = make_interpreter(id="cpython-3.14.7t", version="3.14.7", free_threaded=True, gil="off")


def test_a_program_is_not_planned_where_it_shows_nothing():
    program = "01-io-sequential"
    experiment = alter(EXPERIMENT, "programs", program, gil="on")
    here = plan.list_variants(experiment, QUICK, BOX, [HERE], [], 1)
    there = plan.list_variants(experiment, QUICK, BOX, [FREE], [], 1)
    assert {cell.program for cell in here} - {cell.program for cell in there} == {program}


def test_a_family_of_one_core_runs_on_one_whatever_the_others_do():
    bound = alter(EXPERIMENT, "families", "cpu", cores="one")
    for experiment, others in ((bound, {1, 2, 4}), (structs.replace(bound, cores="all"), {4})):
        counts: dict[str, set[int]] = {}
        for cell in variants(4, experiment):
            counts.setdefault(cell.family, set()).add(cell.cores)
        assert counts == {"io": others, "cpu": {1}}


def test_a_profile_has_other_params_for_a_family_which_win_over_all_others():
    declared = alter(EXPERIMENT, "families", "io", params={"SIZE": "4", "KIND": "x"})
    changes = {"params": {"SIZE": "3", "OTHER": "1"}, "family_params": {"io": {"SIZE": "5"}}}
    planned = variants(1, alter(declared, "profiles", "quick", **changes))
    params = {cell.family: cell.params for cell in planned}
    assert params["io"] == {"SIZE": "5", "OTHER": "1", "KIND": "x"}
    assert params["cpu"] == {"SIZE": "3", "OTHER": "1"}
    declared = alter(EXPERIMENT, "families", "io", params={"SCALE": "9"})
    assert next(cell.params for cell in variants(1, declared)) == {"SCALE": "9"}


def test_a_family_runs_on_the_wanted_pythons_or_every_one_found_that_is_new_enough():
    every = alter(EXPERIMENT, "families", "cpu", interpreters="every")
    newer = alter(every, "families", "cpu", python="3.9")
    for experiment, more in ((EXPERIMENT, set()), (every, {("cpu", OLD.id)}), (newer, set())):
        cells = {(cell.family, cell.interpreter) for cell in variants(1, experiment)}
        assert cells == {("io", HERE.id), ("cpu", HERE.id)} | more


BOTH = {"families": ["io", "cpu"]}
PROGRAMS = ("01-io-sequential", "04-io-thread_pool", "08-cpu-sequential")
SIZES = [(10, 2), (10, 4), (20, 2), (20, 4)]


@pytest.mark.parametrize(
    ("sweeps", "declared", "sizes"),
    [
        ([Sweep(tasks=[10, 20], workers=[2, 4])], {}, [SIZES, SIZES, SIZES]),
        (  # the first that fits decides
            [
                Sweep(programs=["01-io-sequential"], tasks=[10]),
                Sweep(families=["io"], tasks=[20]),
                Sweep(programs=["04-io-thread_pool"], tasks=[40]),
            ],
            {},
            [[(10, 1)], [(20, 5)], [(21, 1)]],
        ),
        (  # it is for its programs in its families only
            [Sweep(programs=["01-io-sequential"], families=["cpu"], tasks=[10])],
            BOTH,
            [[(30, 1), (10, 1)], [(30, 5)], [(21, 1)]],
        ),
        (  # of the same programs the later has sizes of its own
            [
                Sweep(families=["io"], tasks=[10, 30]),
                Sweep(families=["io"], tasks=Range(start=10, end=30, step=10), trials=1),
                Sweep(tasks=[7]),
            ],
            {},
            [[(10, 1), (30, 1), (20, 1)], [(10, 5), (30, 5), (20, 5)], [(7, 1)]],
        ),
    ],
)
def test_sweeps_say_of_which_sizes_a_program_has_cells(sweeps, declared, sizes):
    experiment = alter(sweep(*sweeps), "programs", "01-io-sequential", **declared)
    assert [list_sizes(experiment, program) for program in PROGRAMS] == sizes


def test_a_size_has_the_trials_of_the_first_sweep_that_has_it():
    tasks = sweep(Sweep(tasks=[10, 30]), Sweep(tasks=Range(start=10, end=30, step=10), trials=1))
    workers = sweep(Sweep(workers=[8], trials=4), Sweep(workers=[2], trials=1, memory_trials=0))

    def count(experiment: Experiment, **size: int) -> tuple[int, int]:
        counted = plan.count_trials(experiment.profiles["quick"], make_variant(**size))
        return counted.timed, counted.traced

    assert [count(tasks, tasks=size) for size in (10, 30, 20)] == [(5, 1), (5, 1), (1, 1)]
    assert [count(workers, workers=size) for size in (8, 2)] == [(4, 1), (1, 0)]


def test_rounds_are_shuffled_each_in_its_own_order_and_reproducibly():
    steps = list(plan.list_steps(ask(variants(), QUICK), 1, {}))
    orders = {
        tuple(step.variant.program for step in steps if step.round == number) for number in range(6)
    }
    assert len(orders) > 1
    assert steps == list(plan.list_steps(ask(variants(), QUICK), 1, {}))
    assert plan.SEED == 2026  # that of all records there are
    assert steps != list(plan.list_steps(ask(variants(), QUICK), 2, {}))


def read_block(variant: Variant) -> tuple[str, str, int]:
    """The block of a variant: what it is compared with has the same."""
    return variant.family, variant.interpreter, variant.cores


def test_what_is_compared_runs_back_to_back_in_blocks_of_a_random_order():
    cells = plan.list_variants(EXPERIMENT, QUICK, BOX, [HERE, OLD], [HERE, OLD], 2)
    orders = [plan.shuffle_blocks([*cells[::2], *cells[1::2]], str(seed)) for seed in range(20)]
    blocks = [block for block, _ in groupby(orders[0], read_block)]
    assert len(blocks) == len(set(blocks)) == 8
    assert Counter(orders[0]) == Counter(cells)
    assert len({read_block(order[0]) for order in orders}) > 4
    within = {
        tuple(one.program for one in order if read_block(one) == ("io", HERE.id, 2))
        for order in orders
    }
    assert len(within) == 2


UNEQUAL = sweep(
    Sweep(programs=["01-io-sequential"], trials=7, memory_trials=0),
    Sweep(programs=["04-io-thread_pool"], trials=2, memory_trials=3),
    Sweep(families=["cpu"], trials=1),
)


def test_a_sweep_or_else_the_profile_says_how_many_trials_and_memory_comes_first():
    steps = plan.list_steps(ask(variants(1, UNEQUAL), UNEQUAL.profiles["quick"]), 1, {})
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
def test_interrupted_work_goes_on_where_it_stopped(experiment, ran):
    planned, profile = variants(1, experiment), experiment.profiles["quick"]
    everything = list(plan.list_steps(ask(planned, profile), 1, {}))
    begun = Counter((step.variant, step.traced) for step in everything[:ran])
    done = {
        variant: plan.Done(traced=begun[variant, True], timed=begun[variant, False])
        for variant in planned
    }
    assert list(plan.list_steps(ask(planned, profile), 1, done)) == everything[ran:]


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
def test_only_selects_by_pattern(only, programs):
    assert {variant.program for variant in plan.select_variants(variants(), only)} == programs


def test_smoke_runs_each_program_once_at_its_largest():
    experiment = sweep(Sweep(tasks=[1, 3], workers=[2, 4]))
    sweeps = experiment.profiles["quick"].sweeps
    smoke = replace(experiment.profiles["smoke"], sweeps=sweeps)
    planned = plan.list_variants(experiment, smoke, BOX, [HERE], [], 2)
    names = [cell.program for cell in planned]
    assert len(names) == len(set(names))
    assert {(cell.cores, cell.tasks, cell.workers) for cell in planned} == {(2, 3, 4)}
    assert {plan.count_trials(smoke, cell) for cell in planned} == {plan.Done(timed=1)}
    every = plan.list_variants(experiment, experiment.profiles["quick"], BOX, [HERE], [], 2)
    assert {*names} == {cell.program for cell in every}
