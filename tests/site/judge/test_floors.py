"""A floor is what waiting, computing and tasks that cannot be divided leave no way around."""

from collections.abc import Mapping

import pytest
from msgspec import structs

from scripts.harness.experiment import Experiment, Family
from scripts.harness.record import Record
from scripts.site.judge.noise import find_floor, find_too_short, find_wait
from tests.factories import IO, VARIANT, alter, make_experiment, make_record, make_variant

QUICK = make_experiment().profiles["quick"]
UNEQUAL = Family(name="io", title=IO, baseline="plain", longest_task_share=0.3)
EQUAL = Family(name="io", title=IO, baseline="plain", equal_tasks=True)


def wait(tasks: int, workers: int, **declared: Mapping[str, float]) -> float:
    profile = structs.replace(QUICK, **{"longest_wait_s": {}} | declared)
    return find_wait(profile, make_variant(tasks=tasks, workers=workers))


@pytest.mark.parametrize(
    ("tasks", "workers", "turns"), [(12, 1, 12), (12, 4, 3), (13, 4, 4), (12, 12, 1), (12, 50, 1)]
)
def test_tasks_that_wait_equally_long_take_turns(tasks: int, workers: int, turns: int) -> None:
    assert wait(tasks, workers, task_wait_s={"io": 0.25}) == turns * 0.25


def test_the_longer_of_turns_and_longest_chain_of_waits_counts() -> None:
    declared = {"task_wait_s": {"io": 0.25}, "longest_wait_s": {"io": 1.0}}
    assert wait(12, 12, **declared) == 1.0
    assert wait(12, 1, **declared) == 3.0


def test_a_family_of_which_no_wait_is_declared_waits_for_nothing() -> None:
    assert wait(12, 1, task_wait_s={"cpu": 0.25}, longest_wait_s={"cpu": 1.0}) == 0.0


@pytest.mark.parametrize(
    ("tasks", "floor_s"), [(1, 8.0), (3, 8.0 / 3), (4, 2.0), (5, 3.2), (8, 2.0), (9, 8.0 / 3)]
)
def test_equal_tasks_make_a_staircase_of_as_many_tasks_as_cores(tasks: int, floor_s: float) -> None:
    assert find_floor(EQUAL, 0.0, tasks, 4, 8.0) == pytest.approx(floor_s)


@pytest.mark.parametrize(("cores", "floor_s"), [(1, 8.0), (2, 4.0), (16, 2.4)])
def test_work_is_shared_by_the_cores_down_to_the_longest_task(cores: int, floor_s: float) -> None:
    assert find_floor(UNEQUAL, 0.0, 21, cores, 8.0) == pytest.approx(floor_s)


def test_whoever_waits_longer_than_the_work_takes_has_the_wait_for_floor() -> None:
    assert find_floor(EQUAL, 2.5, 4, 4, 8.0) == 2.5


def tell_short(experiment: Experiment, record: Record) -> str:
    return find_too_short({"lab": experiment}, record.variant, record.profile, record.walls_s)


def test_a_record_that_waited_less_than_it_must_is_told() -> None:
    assert tell_short(make_experiment(), make_record(walls=[0.5, 0.6])) == ""
    assert tell_short(make_experiment(), make_record(walls=[0.6, 0.4])) == (
        "lab/01-io-sequential (30 tasks, 1 cores) took 0.4 s, but has to wait for 0.5 s"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"experiment": "gone"},
        {"program": "99-gone"},
        {"family": "gone"},
        {"params": {"SCALE": "0.1"}},
    ],
    ids=str,
)
def test_what_is_not_declared_or_declared_otherwise_refutes_nothing(
    changes: dict[str, object],
) -> None:
    short = make_record(make_variant(**changes), [0.4])
    assert tell_short(make_experiment(), short) == ""


def test_a_program_that_is_not_to_end_well_need_not_wait() -> None:
    experiment = alter(make_experiment(), "programs", VARIANT.program, ends="error")
    assert tell_short(experiment, make_record(walls=[0.4])) == ""


def test_a_record_without_trials_is_not_too_short() -> None:
    assert tell_short(make_experiment(), make_record(walls=[])) == ""
