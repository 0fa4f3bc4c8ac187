"""A way is suggested that is right and faster for sure; else it is said what is known."""

from itertools import count

import pytest
from worlds import PYTHON, World, compute, make_world, wait

from poolwise.advice import describe_suggestion
from poolwise.process import Launcher
from poolwise.suggestion import MOST_GAIN, Bench, suggest
from poolwise.target import Task
from poolwise.words import Failed, Undecided, Words


@pytest.fixture
def world(tmp_path, monkeypatch):
    return make_world(tmp_path, monkeypatch)


def list_workers(world: World, way: str) -> list[int]:
    return [workers for other, workers in world.calls if other == way]


def test_what_waits_gets_as_many_threads_as_gain_something(world):
    found = world.suggest()
    assert found.outcome == "use"
    assert found.chosen.label == "a pool of 64 threads"
    assert found.gain
    assert found.gain.low > 30
    assert max(list_workers(world, "threads")) == 64


def test_of_numbers_that_are_as_fast_the_least_is_taken(world):
    world.takes_s = lambda way, workers, count: max(0.08, wait(way, workers, count))
    found = world.suggest()
    assert found.chosen.label == "a pool of 16 threads"
    assert max(list_workers(world, "threads")) == 64
    assert len(list_workers(world, "threads")) > 6


@pytest.mark.parametrize("by", ["result", "error", "silence"])
@pytest.mark.parametrize("stands", [8, 30])
def test_the_most_that_a_service_stands_is_offered_and_no_other_way(world, by, stands):
    world.stands, world.by, world.ways = stands, by, ("threads",)
    found = world.suggest()
    assert found.outcome == "use"
    assert found.chosen.label == f"a pool of {stands} threads"
    assert min(task.workers for task in found.tried if task.fault) == stands + 1
    assert not found.out
    # Processes of which each has its own limit would only hide from it.
    assert max(list_workers(world, "processes")) <= stands


@pytest.mark.parametrize("by", ["change", "mixing"])
def test_a_way_that_loses_changes_or_mixes_results_up_is_out_with_any_number_of_workers(world, by):
    world.stands, world.by, world.ways = 8, by, ("threads",)
    found = world.suggest()
    assert set(found.out) == {"threads"}
    assert found.chosen.way == "processes"


def test_a_race_is_out_though_it_was_right_at_first(world):
    for seed in range(20):
        world.chance.seed(seed)
        world.fickle = 0.3
        assert world.suggest().chosen.way != "threads", seed


def test_a_number_that_was_only_lucky_gives_way_to_a_smaller_one(world):
    """A service stands 30; of 31 it refused none the first time."""
    world.stands, world.ways = 30, ("threads",)
    world.lucky = [31]
    found = world.suggest()
    assert found.outcome == "use"
    assert found.chosen.way == "threads"
    assert found.chosen.workers in {28, 30}


def test_nothing_is_tried_above_64_at_once_unless_somebody_asks(world):
    world.suggest(count=500)
    assert max(workers for _, workers in world.calls) == 64
    world.calls.clear()
    found = world.suggest(count=500, workers=[90])
    assert {workers for way, workers in world.calls if way == "threads"} == {90}
    assert found.chosen.workers == 90


def test_threads_and_processes_that_wait_and_compute_climb_too(world):
    world.cpu_share = 0.6
    world.suggest()
    assert max(list_workers(world, "threads")) > 2
    assert max(list_workers(world, "processes")) > 2


def test_what_computes_gets_no_more_workers_than_cores(world):
    world.takes_s, world.cpu_share = compute, 1.0
    found = world.suggest()
    assert found.chosen.label == "a pool of 2 processes"
    assert {workers for way, workers in world.calls if way != "loop"} <= {1, 2}


@pytest.mark.parametrize(
    ("noise", "others", "varies", "outcome"),
    [
        (0.002, 0.0, False, "no-gain"),
        (0.4, 0.0, False, "not-known"),
        (0.002, 1.7, False, "not-known"),
    ],
)
def test_no_gain_is_said_only_where_more_is_ruled_out(world, noise, others, varies, outcome):
    world.takes_s, world.cpu_share = lambda way, workers, count: 0.02 * count, 1.0
    world.noise, world.others, world.varies = noise, others, varies
    found = world.suggest()
    assert found.outcome == outcome
    if outcome == "no-gain":
        assert all(gain.high < MOST_GAIN for gain in found.gains.values())


def test_ways_that_take_far_longer_than_a_loop_need_no_contest(world):
    world.takes_s = lambda way, workers, count: 0.001 if way == "loop" else 0.05 * workers
    found = world.suggest()
    assert found.outcome == "no-gain"
    assert [contender.name for contender in found.order] == ["a loop"]


def test_faster_ways_that_are_all_wrong_leave_a_loop_for_sure(world):
    world.stands = 1
    found = world.suggest()
    assert found.outcome == "no-gain"
    assert {"threads", "processes"} <= set(found.out)
    assert min(task.time_s for task in found.tried if task.fault) < found.loop_s


def test_what_returns_something_else_each_time_is_not_known(world):
    world.varies = True
    found = world.suggest()
    assert found.outcome == "not-known"
    assert found.unproved
    assert found.chosen.way == "loop"
    assert found.gains


@pytest.mark.parametrize(
    ("takes_s", "cpu_share", "outcome"), [(wait, 0.01, "use"), (compute, 1.0, "not-known")]
)
def test_of_what_nobody_can_see_threads_alone_are_praised(world, takes_s, cpu_share, outcome):
    world.is_silent, world.takes_s, world.cpu_share = True, takes_s, cpu_share
    found = world.suggest()
    assert found.outcome == outcome
    assert found.chosen.way == ("threads" if outcome == "use" else "loop")


def test_where_even_a_loop_is_killed_in_the_contest_nothing_is_known(world):
    world.dies_in_contests, world.takes_s, world.cpu_share = True, compute, 1.0
    found = world.suggest()
    assert found.outcome == "not-known"
    sentence = Words().say(describe_suggestion(found)[0])
    assert sentence == "Not known: over 64 items, a loop was killed by SIGSEGV."


@pytest.mark.parametrize("budget_s", [1.0, 2.5, 5.0, 15.0, 55.0])
@pytest.mark.parametrize("takes_s", [wait, compute])
def test_the_budget_holds_for_everything(world, budget_s, takes_s):
    world.takes_s = takes_s
    found = world.suggest(budget_s)
    assert world.now_s <= budget_s
    assert found.needed_s > 0


def test_a_budget_for_half_a_loop_is_not_enough_to_know_anything(world):
    world.takes_s = lambda way, workers, count: 3.0 * count / workers
    for budget_s in (4.0, 10.0):
        world.now_s = 0.0
        with pytest.raises(Undecided):
            world.suggest(budget_s)
        assert world.now_s <= budget_s


def test_slow_items_take_a_share_of_the_budget(world):
    world.takes_s = lambda way, workers, count: 2.0 * -(-count // workers)
    counts = [world.suggest(budget_s, count=12).chosen.count for budget_s in (55.0, 300.0)]
    assert counts[0] == 2
    assert counts[1] is not None
    assert counts[1] > 4


def test_an_event_loop_climbs_as_well(world):
    world.is_coroutine = True
    found = world.suggest()
    assert found.chosen.label == "an event loop, 64 at once"
    assert {way for way, _ in world.calls} == {"probe", "loop", "coroutines"}


def test_a_coroutine_that_blocks_the_loop_is_tried_in_threads(world):
    world.is_coroutine = world.blocks_loop = True
    world.takes_s = lambda way, workers, count: wait(
        "loop" if way == "coroutines" else way, workers, count
    )
    found = world.suggest()
    assert found.outcome == "use"
    assert found.chosen.label == "a pool of 64 threads"
    assert list_workers(world, "coroutines") == [2] * len(list_workers(world, "coroutines"))


def test_a_function_that_fails_when_it_is_called_again_has_failed(world):
    world.stands, world.by, world.ways = 0, "error", ("loop",)
    with pytest.raises(Failed, match="failed when it was called again"):
        world.suggest()


WORK = """\
import time


def wait(number):
    time.sleep(0.01)
    return number


async def fetch(number):
    wait(number)
    return number
"""


@pytest.mark.parametrize(
    ("function", "ways"),
    [("wait", {"loop", "threads", "processes"}), ("fetch", {"loop", "threads", "coroutines"})],
)
def test_real_attempts_answer_what_a_suggestion_asks(tmp_path, function, ways):
    (tmp_path / "work.py").write_text(WORK, encoding="utf-8")
    with Launcher() as launcher:
        bench = Bench(
            launcher=launcher,
            installation=PYTHON,
            limit_s=20.0,
            until_s=20.0,
            tell=lambda _: None,
            clock=count(0.0, 0.1).__next__,  # however busy the machine is
            workers=[2, 4],
        )
        task = Task(folder=str(tmp_path), module="work", function=function)
        found = suggest(task, list(range(20)), bench, [PYTHON])
    assert {task.way for task in found.tried} - {"interpreters"} == ways
    assert not found.out
    assert not found.unproved
    assert found.nature.cpu_share < 0.5
    # On a busy machine nothing may be known, and there may be no time for another Python.
    assert found.outcome in {"use", "not-known"}
    assert len(found.elsewhere) <= 1
