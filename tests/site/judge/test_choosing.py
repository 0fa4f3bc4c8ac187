"""What the program of a choice gave: at which size, in which place, and against what."""

import pytest
from msgspec import structs

from scripts.harness.record import Record
from scripts.site.declare.choices import Choice
from scripts.site.judge.choosing import Chosen, find_chosen
from tests.factories import hide_time, make_choice, make_record, make_variant, replace
from tests.site.render.markup import make_evidence

SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def measure(program: str = POOL, wall_s: float = 1.0, **changes: object) -> Record:
    return make_record(make_variant(program=program, **changes), [wall_s] * 5)


def choose(choice: Choice, *records: Record) -> Chosen:
    found = find_chosen(choice, make_evidence(records))
    assert found
    return found


def find_wall(choice: Choice, *records: Record) -> float | None:
    found = find_chosen(choice, make_evidence(records))
    return found.judged.wall.median if found and found.judged.wall else None


def test_the_measurement_shown_is_that_on_the_most_cores_or_on_the_one_it_is_for() -> None:
    records = [measure(cores=cores, wall_s=wall) for cores, wall in ((1, 1.0), (4, 3.0), (2, 2.0))]
    assert find_wall(make_choice(), *records) == 3.0
    assert find_wall(make_choice(cores=["several"]), *records) == 3.0
    assert find_wall(make_choice(cores=["one"]), *records) == 1.0
    assert find_wall(make_choice(cores=["one"]), *records[1:]) is None


def test_an_answer_for_one_core_is_shown_on_all_where_its_experiment_runs_on_no_others() -> None:
    evidence = make_evidence([measure(cores=2, wall_s=3.0)])
    everywhere = structs.replace(evidence.experiment, cores="all")
    found = find_chosen(make_choice(cores=["one"]), replace(evidence, experiment=everywhere))
    assert found
    assert found.judged.cores == 2


def test_it_is_the_largest_size_with_the_workers_that_took_least() -> None:
    records = [
        measure(tasks=tasks, workers=workers, wall_s=wall)
        for tasks, workers, wall in ((10, 5, 0.1), (30, 5, 9.0), (30, 20, 3.0), (30, 50, 4.0))
    ]
    assert find_wall(make_choice(), *records) == 3.0


def test_it_is_the_largest_size_that_it_came_through() -> None:
    broken = replace(measure(tasks=90), status="failed", timed=())
    assert find_wall(make_choice(), broken, measure(tasks=30, wall_s=3.0)) == 3.0


def test_it_is_of_the_family_that_is_named_and_else_of_the_first() -> None:
    records = [measure(family="cpu", wall_s=2.0), measure(family="io", wall_s=1.0)]
    assert find_wall(make_choice(), *records) == 1.0
    assert find_wall(make_choice(family="cpu"), *records) == 2.0


def test_an_answer_for_free_threads_is_measured_without_the_gil() -> None:
    records = [
        measure(wall_s=1.0),
        measure(wall_s=2.0, gil="off", interpreter="cpython-3.14.0t"),
    ]
    assert find_wall(make_choice(gil=["off"]), *records) == 2.0
    assert find_wall(make_choice(gil=["on"]), *records) == 1.0
    assert find_wall(make_choice(gil=["off"]), records[0]) is None


def test_what_failed_is_no_measurement() -> None:
    failed = replace(measure(cores=4), status="failed", timed=())
    assert find_wall(make_choice(), failed) is None
    assert find_wall(make_choice(), failed, measure(cores=2, wall_s=2.0)) == 2.0


def test_what_it_is_held_against_is_the_baseline_at_the_same_size_in_the_same_place() -> None:
    records = [
        measure(program, wall_s, cores=cores, tasks=tasks)
        for program, wall_s in ((SEQUENTIAL, 4.1), (POOL, 2.1))
        for cores in (1, 2)
        for tasks in (10, 30)
    ]
    found = choose(make_choice(), *records)
    assert found.other
    assert found.other.record.variant == make_variant(cores=2)
    assert found.metric == "inside_s"
    assert found.ratio
    assert found.ratio.median == pytest.approx(2.0)


def test_a_program_that_does_not_print_its_time_is_held_against_by_the_whole() -> None:
    records = [hide_time(measure(SEQUENTIAL, 6.0)), hide_time(measure(POOL, 2.0))]
    found = choose(make_choice(), *records)
    assert found.metric == "wall_s"
    assert found.ratio
    assert found.ratio.median == pytest.approx(3.0)


def test_nothing_is_held_against_itself_or_against_what_is_not_there() -> None:
    for choice, record in (
        (make_choice(take=f"lab/{SEQUENTIAL}"), measure(SEQUENTIAL)),
        (make_choice(), measure(POOL)),
        (make_choice(), measure(POOL, tasks=900)),
    ):
        found = choose(choice, record)
        assert (found.other, found.ratio) == (None, None)


def test_another_than_the_baseline_may_be_named() -> None:
    choice = make_choice(take=f"lab/{SEQUENTIAL}", against=POOL)
    found = choose(choice, measure(SEQUENTIAL, 1.1), measure(POOL, 4.1))
    assert found.other
    assert found.other.program == POOL
    assert found.ratio
    assert found.ratio.median == pytest.approx(4.0)


def test_of_what_took_no_time_at_all_there_is_no_ratio() -> None:
    found = choose(make_choice(), measure(SEQUENTIAL, 1.1), measure(POOL, 0.1))
    assert found.other
    assert found.ratio is None


def test_the_size_is_the_nearest_by_ratio() -> None:
    """Hundreds are from 100 to 999, their middle is 316: 200 is 1.58 times away, 450 is 1.42."""
    for sizes, nearest in (((200, 450), 450), ((230, 450), 230), ((30, 9000), 30)):
        records = [measure(tasks=tasks) for tasks in sizes]
        assert choose(make_choice(tasks=["hundreds"]), *records).judged.tasks == nearest


@pytest.mark.parametrize(
    ("tasks", "is_of_size"), [(99, False), (100, True), (999, True), (1000, False)]
)
def test_a_size_is_of_hundreds_from_a_hundred_to_999(tasks: int, *, is_of_size: bool) -> None:
    assert choose(make_choice(tasks=["hundreds"]), measure(tasks=tasks)).is_of_size == is_of_size
    assert choose(make_choice(), measure(tasks=tasks)).is_of_size


def test_the_size_is_that_which_the_choice_names_last_if_it_can_be_held_against_something() -> None:
    records = [measure(one, tasks=n) for one in (SEQUENTIAL, POOL) for n in (30, 240, 900)]
    named = make_choice(tasks=["few", "thousands", "hundreds"])
    assert choose(named, *records).judged.tasks == 240
    alone = [measure(SEQUENTIAL, tasks=30), measure(tasks=30), measure(tasks=900)]
    assert choose(make_choice(), *alone).judged.tasks == 30
