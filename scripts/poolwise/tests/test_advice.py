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


def serve_one(way: str, workers: int, count: int) -> float:
    return wait("loop" if way == "coroutines" else way, workers, count)


BLOCKING = {"is_coroutine": True, "blocks_loop": True, "takes_s": serve_one}
COMPUTING = {"cpu_share": 1.0, "takes_s": lambda way, workers, count: 0.02 * count, "noise": 0.002}
BUSY = COMPUTING | {"others": 1.7}


@pytest.mark.parametrize(
    ("facts", "patterns"),
    [
        ({}, [r"Use a pool of 64 threads: over 64 items, it is 6\d times", "\nWhy: handle waits"]),
        (COMPUTING, [r"No gain: over 64 items \("]),
        (COMPUTING | {"noise": 0.4}, ["Not known: over "]),
        (BUSY, ["Not known: over 64 items, other programs kept"]),
        ({"varies": True}, ["Not known: .* no way can be checked.* So far, a pool of 64 threads"]),
        (
            {"stands": 1},
            ["No: each faster way changes the results", "\nNot a pool of 2 threads: 1"],
        ),
        ({"stands": 1, "by": "error"}, ["No: only a loop works."]),
        ({"stands": 8, "ways": ["threads"]}, ["Use", "\nNo more than 8 at once: in a pool of 9"]),
        (
            {"takes_s": compute, "cpu_share": 1.0},
            [
                "Use a pool of 2 processes: ",
                "computes and holds the GIL",
                "\nIt depends on the size",
            ],
        ),
        (BLOCKING, [r"handle blocks the event loop. Use .* instead: .*asyncio.to_thread\(…\)"]),
        (
            {"takes_s": lambda way, workers, count: 2.0 * -(-count // workers)},
            ["There was no time to try every number of processes: give it --budget"],
        ),
    ],
)
def test_the_verdict_comes_first_then_why_and_what_is_wrong_with_other_ways(world, facts, patterns):
    for name, fact in facts.items():
        setattr(world, name, fact)
    text = say_all(world.suggest(17.0 if "no time" in patterns[0] else 55.0))
    assert re.match(patterns[0], text) or "no time" in patterns[0]
    assert all(re.search(pattern, text) for pattern in patterns)


def test_a_part_of_the_items_is_said_to_be_one(world):
    assert ": over 2 of 3 items, it" in say(replace(world.suggest(count=2), given=3))[0]


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
