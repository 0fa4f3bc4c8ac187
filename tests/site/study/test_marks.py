"""When the work of a program and each of its tasks ran is marked from outside, if that is wanted."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from poolwise.process import listen
from scripts.site.study.watch import MARKS, TaskStep, read_begin_us, read_steps

TURNS = """
import asyncio
async def count():
    for _ in range(2): await asyncio.sleep(0)
async def main(): await asyncio.gather(count(), count())
asyncio.run(main())
"""
GREENLETS = """
import gevent
def count():
    for _ in range(2): gevent.sleep(0)
gevent.joinall([gevent.spawn(count), gevent.spawn(count)])
"""
LOST = """
import asyncio, gc, weakref
async def main():
    task = weakref.ref(asyncio.ensure_future(asyncio.sleep(0)))
    await asyncio.sleep(0.01)
    gc.collect()
    print(task() is None)
asyncio.run(main())
"""
MAIN = """
import subprocess, sys, time
def main():
    print(sys.getprofile(), *subprocess.check_output(again, universal_newlines=True).split())
again = [sys.executable, "-c", "import sys; print(sys.getprofile())"]
time.sleep(0.2)
main()
"""


class Marked(NamedTuple):
    done: subprocess.CompletedProcess[str]
    steps: list[TaskStep]
    begin_us: int | None


def run(program: str, marks: Mapping[str, str] = MARKS) -> Marked:
    with listen() as ear:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **ear.env, **marks},
            capture_output=True,
            text=True,
            check=False,
        )
        return Marked(done, list(read_steps(ear.folder)), read_begin_us(ear.folder))


def test_the_work_begins_where_main_is_called_and_nothing_is_looked_at_from_then_on() -> None:
    began_us = time.perf_counter() * 1e6
    done, _, begin_us = run(MAIN)
    assert (done.stdout, done.stderr) == ("None None\n", "")
    assert begin_us is not None
    assert begin_us - began_us > 200_000


def test_steps_of_tasks_are_marked_only_if_that_is_asked_for() -> None:
    assert run(TURNS, {}).steps == []
    steps = run(TURNS).steps
    turns = [(step.task, step.function) for step in steps if step.function == "count"]
    first, second = turns[0], turns[1]
    assert turns == [first, second] * 3
    assert first != second
    assert all(step.begin_us <= step.end_us for step in steps)
    assert [step.begin_us for step in steps] == sorted(step.begin_us for step in steps)


def test_greenlets_are_marked_too_and_the_one_that_waits_for_all_is_not() -> None:
    pytest.importorskip("gevent")
    steps = run(GREENLETS).steps
    named = sorted({step.task for step in steps if step.function == "count"})
    assert len(named) == 2
    assert [step.task for step in steps if step.task in named] == named * 3


def test_a_program_sees_nothing_of_the_marks_and_its_tasks_live_no_longer() -> None:
    """What nobody holds is collected, also when it was seen."""
    assert run(LOST).done.stdout == "True\n"
