"""A function is tried in every way that may help, and what cannot be tried is told in a sentence."""

import json
import re
import subprocess
import sys
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path

import pytest

from poolwise import commands, comparison
from poolwise.__main__ import main
from poolwise.comparison import Contender
from poolwise.process import Command, Launcher
from poolwise.pythons import describe_python
from poolwise.statistics import Estimate, estimate_pairs
from poolwise.suggestion import (
    Bench,
    Failed,
    Nature,
    Task,
    choose,
    describe_suggestion,
    list_candidates,
    pick_finalists,
    suggest,
)
from poolwise.target import Items, find_target, write_program

WORK = """\
import asyncio, multiprocessing, os, statistics, threading, time

def wait(n):
    time.sleep(0.01)
    return n

async def fetch(n):
    await asyncio.sleep(0.01)
    return n

async def block(n):
    return wait(n)

def compute(n):
    return sum(range(n))

def lock(n):
    time.sleep(0.01)
    return threading.Lock()

def log(n):
    with open(f"log{n % 4}.txt", "a") as file:
        file.write("called")
    return os.urandom(9)

def leave(n):
    exit("enough")

def vanish(n):
    os._exit(0)

def fail(n):
    return 1 / (n - 3)

def stuck(n):
    time.sleep(60)

def linger(n):
    time.sleep(0.1)
    return n

def each(n):
    yield n

def later(n):
    return fetch(n)

def alone(n):
    global busy
    assert not busy, "one at a time"
    busy = True
    time.sleep(0.01)
    busy = False
    return n

busy = False

class Lab:
    @staticmethod
    def wait(n):
        return wait(n)

def tell(n):
    return multiprocessing.parent_process() is None
"""
ITEMS = "my items.json"
TASK = Task(folder="", module="work", function="f")
NATURE = Nature(count=20, total_s=1.0, cpu_share=1.0, blocked_share=0.5, is_coroutine=False)
PYTHON = describe_python(Path(sys.executable))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my work"
    folder.mkdir()
    (folder / "work.py").write_text(WORK, encoding="utf-8")
    (folder / ITEMS).write_text(json.dumps(list(range(20))), encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def try_function(name: str, until_s: float = 8.0, probe_s: float = 2.0):
    with Launcher() as launcher:
        bench = Bench(
            launcher=launcher,
            installation=PYTHON,
            limit_s=20.0,
            until_s=until_s,
            tell=lambda _: None,
            clock=count().__next__,  # a second each time that anybody asks
        )
        task = Task(**asdict(find_target(f"work.py:{name}")), limit_s=probe_s)
        return suggest(task, list(range(20)), bench, ())


def write(found, path: Path) -> str:
    items = Items(path=path, form="json" if path.suffix == ".json" else "lines")
    return write_program(found.chosen, found.nature, found.given, items)


@pytest.mark.parametrize(("name", "way"), [("Lab.wait", "threads"), ("fetch", "coroutines")])
def test_what_waits_gets_many_workers_and_a_program_that_runs(
    folder: Path, name: str, way: str
) -> None:
    # A machine that others keep busy decides late, and until then a loop is kept.
    found = try_function(name, until_s=100.0)
    assert found.nature.waits
    assert found.chosen.way == way
    assert found.chosen.workers > 2
    assert found.gain
    assert found.gain.median > 3
    program = folder / "program.py"
    program.write_text(write(found, Path(ITEMS)), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in range(20)]
    more = replace(found.chosen, workers=1000, fault="RuntimeError: too many")
    told = "\n".join(describe_suggestion(replace(found, tried=(*found.tried, more))))
    assert "More workers" not in told
    assert f"Not {more.label}: RuntimeError: too many." in told
    loop = found.tried[0]
    ratio = estimate_pairs([1.0, 30.0, 9.0], [1.0, 1.0, 1.0])
    last = replace(found.order[-1], name=loop.label, ratio=ratio)
    told = describe_suggestion(replace(found, chosen=loop, order=[found.order[0], last]))[0]
    assert told.startswith(f"Keep a loop for now: over 20 items, {found.order[0].name} is")
    for share, said in ((0.5, "computes and holds the GIL"), (0.0, "doesn't hold the GIL")):
        computing = replace(found, nature=replace(NATURE, blocked_share=share))
        assert said in describe_suggestion(computing)[1]


def test_a_coroutine_that_never_awaits_is_said_to_block_the_loop(folder: Path) -> None:
    found = try_function("block")
    assert found.chosen.way == "loop"
    assert "It blocks the event loop" in describe_suggestion(found)[1]


def test_what_is_over_at_once_stays_in_a_loop(folder: Path) -> None:
    found = try_function("compute")
    assert found.chosen.way == "loop"
    assert write(found, Path("items.json")) == ""
    single = replace(found, given=1, chosen=replace(found.chosen, count=1))
    assert describe_suggestion(single)[0].startswith("Use a loop: over 1 item (")


def test_other_results_each_time_and_changed_files_are_told(folder: Path) -> None:
    told = " ".join(describe_suggestion(try_function("log")))
    assert "a loop doesn't return the same results twice: item 1 gave b" in told
    assert "The calls changed files: log0.txt, log1.txt, log2.txt and 1 more." in told


def test_a_loop_without_a_rival_has_not_won(folder: Path) -> None:
    found = try_function("compute", until_s=-1.0)
    assert "nothing else was tried." in describe_suggestion(found)[0]


def test_a_way_that_returned_other_results_once_is_out_with_fewer_workers_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt_it = Bench.attempt

    def race(self: Bench, task: Task) -> Task:
        found = attempt_it(self, task)
        is_raced = task.way == "threads" and task.workers > 4
        if not is_raced or not found.proof:
            return found
        return replace(found, proof=replace(found.proof, results=["another"] * 20))

    monkeypatch.setattr(Bench, "attempt", race)
    found = try_function("wait")
    faults = {one.fault for one in found.tried if one.way == "threads"}
    assert len(faults) == 1
    assert "20 results differ from the loop's" in faults.pop()
    assert found.chosen.way != "threads"


@pytest.mark.parametrize(
    ("name", "way", "fault"),
    [
        ("tell", "processes", "20 results differ from the loop's: item 1 gives False, and True"),
        ("lock", "processes", "cannot pickle"),
        ("alone", "threads", "AssertionError: one at a time"),
    ],
)
def test_a_way_that_fails_or_returns_other_results_is_out_and_no_other(
    folder: Path, name: str, way: str, fault: str
) -> None:
    found = try_function(name)
    faults = {one.way: one.fault for one in found.tried}
    assert fault in faults[way]
    assert not faults["threads" if way == "processes" else "processes"]
    assert (found.nature.pickling_s is None) == (name == "lock")


@pytest.mark.parametrize(
    ("target", "items", "said"),
    [
        ("work.py:fail", ITEMS, "fail failed on item 4, 3: ZeroDivisionError: division by zero"),
        (
            "work.py:stuck",
            ITEMS,
            "stuck didn't return for item 1 of 20 (work.py, line 36, in stuck).",
        ),
        ("work.py:leave", ITEMS, "leave failed on item 1, 0: SystemExit: enough"),
        ("work.py:vanish", ITEMS, "vanish ended Python, with status 0, before it returned"),
        ("work.py:each", ITEMS, "each is a generator"),
        ("work.py:later", ITEMS, "later returns a coroutine"),
        ("work.py:nothing", ITEMS, "work has no function nothing."),
        ("gone.py:wait", ITEMS, "There is no file gone.py"),
        ("work.py:wait", "d.txt", "d.txt is empty"),
    ],
)
def test_what_cannot_be_tried_is_one_sentence(
    folder: Path, target: str, items: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "d.txt").touch()
    options = ["--items", items, "--limit", "3", "--interpreters", "current"]
    is_refused = items != ITEMS or target.startswith("gone")
    assert main(["try", target, *options]) == (2 if is_refused else 1)
    assert said in capsys.readouterr().err


def test_a_python_that_is_too_old_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "OLDEST", (9, 9))
    assert main(["try", "work.py:wait", "--items", ITEMS, "--interpreters", "current"]) == 2
    assert f"{PYTHON.interpreter.title} is too old" in capsys.readouterr().err


def test_only_ways_that_may_help_are_tried() -> None:
    ways = {one.way for one in list_candidates(TASK, NATURE, PYTHON, 2)}
    assert ways - {"interpreters"} == {"threads", "processes"}
    few = [one.workers for one in list_candidates(TASK, NATURE, PYTHON, 4) if one.way == "threads"]
    assert few == [2, 4]
    waiting = replace(NATURE, cpu_share=0.0, count=5)
    many = list_candidates(TASK, waiting, PYTHON, 8)
    assert [one.workers for one in many if one.way == "threads"] == [4, 5]


@pytest.mark.parametrize(
    ("times_s", "kept"),
    [
        ((2.0, 1.0, 1.1), {"loop", "threads", "processes"}),
        ((9.0, 1.0, 1.1), {"threads", "processes"}),
        ((9.0, 1.0, 4.0), {"loop", "threads"}),
    ],
)
def test_a_loop_far_behind_is_measured_again_only_where_there_is_one_other(
    times_s: tuple[float, ...], kept: set[str]
) -> None:
    ways = zip(("loop", "threads", "processes"), times_s, strict=True)
    tried = [replace(TASK, way=way, time_s=time_s) for way, time_s in ways]
    assert {one.way for one in pick_finalists(tried)} == kept


def test_of_items_that_take_long_two_are_tried_within_the_time(folder: Path) -> None:
    found = try_function("linger", until_s=8.0, probe_s=0.05)
    assert {one.count for one in found.tried} == {2}
    pool = next(one for one in found.tried if one.way == "threads")
    told = describe_suggestion(replace(found, chosen=pool))
    assert "More workers may gain more: with 2 items no more were tried." in told


def test_a_pool_is_taken_only_if_it_is_faster_for_sure() -> None:
    pool = replace(TASK, way="threads", workers=2)
    loop = replace(pool, way="loop")
    command = Command(argv=(), env={}, cwd=Path())
    fast = Contender(name=pool.label, command=command, times_s=[1.0])
    for low, chosen in ((0.9, loop), (1.5, pool)):
        ratio = Estimate(median=2.0, low=low, high=3.0)
        slow = Contender(name=loop.label, command=command, times_s=[2.0], ratio=ratio)
        assert choose([loop, pool], [fast, slow]) == chosen


@pytest.mark.parametrize("word", ["threads", "loop"])
def test_a_timeout_in_the_last_contest_is_told_and_the_others_go_on(
    folder: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_it = comparison.run_lap

    def run_late(runner: Launcher, name: str, *given):
        if word in name.split():
            raise Failed(f"{name} didn't end within 3 s and was stopped.")
        return run_it(runner, name, *given)

    monkeypatch.setattr(comparison, "run_lap", run_late)
    found = try_function("wait")
    told = describe_suggestion(found)
    assert all(word not in one.name for one in found.order)
    assert word not in told[0].partition(",")[0]
    (note,) = (line for line in told if "last contest" in line)
    assert re.fullmatch(rf"Out of the last contest: a .*{word} didn't end within 3 s .*", note)
