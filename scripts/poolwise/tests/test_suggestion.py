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


def bound(way: str, workers: int, count: int) -> float:
    """More than 16 at once gain nothing."""
    return max(0.08, wait(way, workers, count))


def block(way: str, workers: int, count: int) -> float:
    return wait("loop" if way == "coroutines" else way, workers, count)


HALF = {"threads": 64, "processes": 32}
REFUSED = {"stands": 8, "ways": ("threads",)}
COMPUTING = {"takes_s": compute, "cpu_share": 1.0}
LOST = {"takes_s": lambda way, workers, count: 0.02 * count, "cpu_share": 1.0, "noise": 0.002}


@pytest.mark.parametrize(
    ("facts", "outcome", "label", "most"),
    [
        ({}, "use", "a pool of 64 threads", HALF),
        ({"takes_s": bound}, "use", "a pool of 16 threads", HALF),
        ({"cpu_share": 0.6}, "use", "a pool of 64 threads", HALF),
        (COMPUTING, "use", "a pool of 2 processes", {"threads": 2, "processes": 2}),
        ({"is_coroutine": True}, "use", "an event loop, 64 at once", {"coroutines": 64}),
        # A blocked loop serves two as slowly as more.
        (
            {"is_coroutine": True, "blocks_loop": True, "takes_s": block},
            "use",
            "a pool of 64 threads",
            {"threads": 64, "coroutines": 2},
        ),
        (REFUSED | {"by": "change"}, "use", "a pool of 8 processes", None),
        (REFUSED | {"by": "mixing"}, "use", "a pool of 8 processes", None),
        (LOST, "no-gain", "a loop", None),
        (LOST | {"noise": 0.4}, "not-known", "a loop", None),
        (LOST | {"others": 1.7}, "not-known", "a loop", None),
        ({"stands": 1}, "no-gain", "a loop", None),
        ({"varies": True}, "not-known", "a loop", None),
        # What nobody can see here threads change as a loop does, and processes their own copies.
        ({"is_silent": True}, "use", "a pool of 64 threads", None),
        ({"is_silent": True} | COMPUTING, "not-known", "a loop", None),
        ({"dies_in_contests": True} | COMPUTING, "not-known", "a loop", None),
    ],
)
def test_a_way_is_suggested_with_as_many_workers_as_gain_something_or_none(
    world, facts, outcome, label, most
):
    for name, fact in facts.items():
        setattr(world, name, fact)
    found = world.suggest()
    assert (found.outcome, found.chosen.label) == (outcome, label)
    if most:
        ways = {way for way, _ in world.calls} - {"probe", "loop"}
        assert {way: max(list_workers(world, way)) for way in ways} == most
    if outcome == "no-gain":
        right = [gain for name, gain in found.gains.items() if name not in found.out]
        assert all(gain.high < MOST_GAIN for gain in right)
    if outcome == "use":
        assert found.gain.low > 1.5
    if "by" in facts:
        assert set(found.out) == {"threads"}
    assert bool(found.unproved) == (world.varies or world.is_silent)


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


def test_where_even_a_loop_is_killed_in_the_contest_nothing_is_known(world):
    world.dies_in_contests, world.takes_s, world.cpu_share = True, compute, 1.0
    sentence = Words().say(describe_suggestion(world.suggest())[0])
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
