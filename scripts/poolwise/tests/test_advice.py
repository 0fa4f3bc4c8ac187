"""The verdict is the first sentence, and no sentence says more than was measured."""

import re
from dataclasses import replace

import pytest
from worlds import compute, make_world, wait

from poolwise.advice import describe_suggestion
from poolwise.suggestion import Elsewhere, Suggestion
from poolwise.words import LANGUAGES, Message, Words

PLACE = re.compile(r"[{}]")


@pytest.fixture
def world(tmp_path, monkeypatch):
    return make_world(tmp_path, monkeypatch)


def say(suggestion: Suggestion, language: str = "en") -> list[str]:
    lines = [Words(language).say(line) for line in describe_suggestion(suggestion)]
    assert not any(PLACE.search(line) for line in lines)
    return lines


def say_all(suggestion: Suggestion) -> str:
    say(suggestion, "ru")
    return "\n".join(say(suggestion))


def test_what_to_use_comes_first_with_what_it_gains(world):
    lines = say(world.suggest())
    assert re.match(
        r"Use a pool of 64 threads: over 64 items, it is 6\d times as fast as a loop", lines[0]
    )
    assert lines[1].startswith("Why: handle waits.")
    assert say(world.suggest(), "ru")[0].startswith("Берите пул из 64 потоков: ")


def test_a_part_of_the_items_is_said_to_be_one(world):
    assert ": over 2 of 3 items, it" in say(replace(world.suggest(count=2), given=3))[0]


@pytest.mark.parametrize(
    ("set_up", "start"),
    [
        (lambda world: None, "No gain: over 64 items ("),
        (lambda world: setattr(world, "noise", 0.4), "Not known: over "),
        (
            lambda world: setattr(world, "others", 1.7),
            "Not known: over 64 items, other programs kept",
        ),
    ],
)
def test_a_loop_is_never_praised_for_what_is_not_known(world, set_up, start):
    world.takes_s, world.cpu_share = lambda way, workers, count: 0.02 * count, 1.0
    world.noise = 0.002
    set_up(world)
    assert say(world.suggest())[0].startswith(start)
    say(world.suggest(), "ru")


def test_results_that_cannot_be_compared_stand_in_the_first_sentence(world):
    world.varies = True
    first = say(world.suggest())[0]
    assert first.startswith(
        "Not known: over 64 items, no way can be checked, because a loop doesn't"
    )
    assert "So far, a pool of 64 threads is 6" in first
    say(world.suggest(), "ru")


def test_faster_ways_that_are_wrong_are_said_to_be(world):
    world.stands = 1
    text = say_all(world.suggest())
    assert text.startswith("No: each faster way changes the results. Keep the loop")
    assert "\nNot a pool of 2 threads: 1 result differs from the loop's" in text
    assert "\nNot a pool of 2 processes: " in text


def test_where_every_other_way_fails_nothing_but_a_loop_works(world):
    world.stands, world.by = 1, "error"
    assert say_all(world.suggest()).startswith("No: nothing but a loop works.")


def test_the_number_that_is_too_much_is_named(world):
    world.stands, world.ways = 8, ("threads",)
    text = say_all(world.suggest())
    assert "\nNo more than 8 at once: in a pool of 9 threads, 1 result differs" in text
    assert "\nNot a pool" not in text


def test_more_workers_are_compared_by_the_contest_alone(world):
    world.takes_s = lambda way, workers, count: max(0.08, wait(way, workers, count))
    for seed in range(5):
        world.chance.seed(seed)
        text = say_all(world.suggest())
        times = re.findall(
            r"More workers gain nothing: a pool of \d+ threads took (\S+) ms, a pool of 16 threads (\S+) ms",
            text,
        )
        assert all(float(more) >= float(chosen) for more, chosen in times)


def test_what_holds_the_gil_and_what_processes_cost_are_said(world):
    world.takes_s, world.cpu_share = compute, 1.0
    text = say_all(world.suggest())
    assert text.startswith("Use a pool of 2 processes: ")
    assert "\nWhy: handle computes and holds the GIL. Two threads spent 50% of" in text
    assert "\nIt depends on the size: starting processes takes " in text
    assert "It depends" not in say_all(world.suggest(count=1))


def test_a_coroutine_that_blocks_the_loop_gets_the_remedy_and_its_gain(world):
    world.is_coroutine = world.blocks_loop = True
    world.takes_s = lambda way, workers, count: wait(
        "loop" if way == "coroutines" else way, workers, count
    )
    first = say(world.suggest())[0]
    assert first.startswith("handle blocks the event loop. Use a pool of 64 threads instead: ")
    assert "await asyncio.to_thread(…)" in first
    say(world.suggest(), "ru")


def test_ways_for_which_there_was_no_time_are_named(world):
    world.takes_s = lambda way, workers, count: 2.0 * -(-count // workers)
    text = say_all(world.suggest(17.0))
    assert re.search("There was no time to try every number of processes: give it --budget", text)


def test_other_pythons_are_held_against_their_own_loop(world):
    found = world.suggest()
    loop = found.tried[0]
    fault = Message("suggestion.too-slow", {"time": 1.0})
    there = Elsewhere(
        python="cpython 3.12",
        loop=loop,
        best=found.chosen,
        out=[replace(found.chosen, fault=fault)],
    )
    broken = replace(loop, fault=fault)
    failed = Elsewhere(python="cpython 3.11", loop=broken, best=broken, out=[])
    slow = Elsewhere(python="cpython 3.13", loop=loop, best=loop, out=[])
    text = say_all(replace(found, elsewhere=[there, failed, slow]))
    assert re.search(
        r"On cpython 3.12: a pool of 64 threads, .* There, not a pool of 64 threads", text
    )
    assert "On cpython 3.11, it fails: it didn't end" in text
    assert "On cpython 3.13: a loop, " in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_way_has_a_name(world, language):
    words, task = Words(language), world.suggest().chosen
    names = {words.say(replace(task, way=way).name) for way in ("loop", "threads", "coroutines")}
    names |= {words.say(replace(task, way=way).name) for way in ("interpreters", "processes")}
    assert len(names) == 5
