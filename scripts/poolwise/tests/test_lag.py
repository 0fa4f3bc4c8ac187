"""How late the loops of a program run is noted from outside, and the program notices nothing."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from programs.beat import BLOCKED_S

from poolwise import samplers as lag
from poolwise.metrics import Run, find_lag
from poolwise.process import listen
from poolwise.samplers import MARKS, Ear, TaskStep

PROGRAM = Path(__file__).parent / "programs/beat.py"
INTERVAL_S = 0.005
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


def read_minor(python: Path) -> int:
    return int(python.parts[-3].split(".")[1])


PYTHONS = [Path(sys.executable), *sorted((Path.home() / ".pyenv/versions").glob("3.*/bin/python"))]

# Of what any Python does alike, the oldest one and the running one are enough.
FEW_PYTHONS = list(
    dict.fromkeys((PYTHONS[0], min(PYTHONS[1:], key=read_minor, default=PYTHONS[0])))
)

few_pythons = pytest.mark.parametrize("python", FEW_PYTHONS, ids=lambda path: path.parts[-3])
each_python = pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])


class Heard(NamedTuple):
    """What was noted of a program, and how it ended."""

    seen: Run
    done: subprocess.CompletedProcess[str]
    steps: list[TaskStep]
    begin_us: int | None


def run(*argv: str, python: Path = PYTHONS[0], **env: str) -> Heard:
    with listen() as ear:
        done = subprocess.run(
            [str(python), *argv],
            env={**os.environ, **ear.env, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return Heard(Run(late_s=ear.hear()), done, list(ear.read_steps()), ear.read_begin_us())


def beat(what: str, python: Path = PYTHONS[0]) -> tuple[float, float]:
    """The median and the longest lag of a program that ends well, in seconds."""
    seen, done, *_ = run(str(PROGRAM), what, python=python)
    assert (done.returncode, done.stderr) == (0, "")
    return find_lag(seen, 0.5) or 0.0, find_lag(seen, 1.0) or 0.0


@each_python
def test_a_blocked_loop_is_as_late_as_it_was_blocked_for_all_that_was_due(python: Path) -> None:
    median_s, longest_s = beat("block", python)
    assert longest_s > BLOCKED_S - 2 * INTERVAL_S
    assert longest_s / 3 < median_s < longest_s * 2 / 3


def test_the_latest_loop_of_all_processes_counts() -> None:
    """The loop of the parent is idle."""
    assert beat("spawn")[0] * 5 > beat("block")[0]


def test_a_forked_child_says_nothing_of_the_loop_that_it_is_a_copy_of() -> None:
    seen, *_ = run(str(PROGRAM), "fork")
    assert len(seen.late_s) == 1


@few_pythons
def test_a_program_without_a_loop_has_no_lag_and_does_not_import_asyncio(python: Path) -> None:
    seen, done, *_ = run("-c", "import sys; print('asyncio.events' in sys.modules)", python=python)
    assert [find_lag(seen, share) for share in (0.5, 0.99, 1.0)] == [None, None, None]
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_program_that_fails_fails_as_it_would_without() -> None:
    alone = subprocess.run(
        [sys.executable, PROGRAM, "fail"], capture_output=True, text=True, check=False
    )
    seen, done, *_ = run(str(PROGRAM), "fail")
    assert (done.returncode, done.stderr) == (alone.returncode, alone.stderr)
    assert find_lag(seen, 1.0) is not None


@few_pythons
def test_the_work_begins_where_main_is_called_and_nothing_is_looked_at_from_then_on(
    python: Path,
) -> None:
    began_us = time.perf_counter() * 1e6
    _, done, _, begin_us = run("-c", MAIN, python=python, **MARKS)
    assert (done.stdout, done.stderr) == ("None None\n", "")
    assert begin_us is not None
    assert begin_us - began_us > 200_000


def test_where_the_beats_cannot_be_noted_the_program_runs_on() -> None:
    seen, done, *_ = run(str(PROGRAM), "block", LOOP_LAG_FOLDER="/no/such/folder")
    assert (done.returncode, done.stderr, seen) == (0, "", Run())


def test_a_sitecustomize_of_the_programs_own_still_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('mine')\n")
    path = os.pathsep.join([str(lag.HEARTBEAT), str(tmp_path)])
    seen, done, *_ = run(str(PROGRAM), "block", PYTHONPATH=path)
    assert (done.stdout, done.stderr) == ("mine\n", "")
    assert find_lag(seen, 1.0) is not None


def test_what_a_killed_process_did_not_finish_writing_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "1-1").write_text("0.5\n0.25\n")
    (tmp_path / "2-1").write_text("0.5\n-\n")
    (tmp_path / "3-1").write_text("")
    assert Ear(tmp_path).hear() == ((0.5, 0.25),)


def test_steps_of_tasks_are_marked_only_if_that_is_asked_for() -> None:
    assert run("-c", TURNS).steps == []
    steps = run("-c", TURNS, **MARKS).steps
    turns = [(step.task, step.function) for step in steps if step.function == "count"]
    first, second = turns[0], turns[1]
    assert turns == [first, second] * 3
    assert first != second
    assert all(step.begin_us <= step.end_us for step in steps)
    assert [step.begin_us for step in steps] == sorted(step.begin_us for step in steps)


def test_greenlets_are_marked_too_and_the_one_that_waits_for_all_is_not() -> None:
    pytest.importorskip("gevent")
    steps = run("-c", GREENLETS, **MARKS).steps
    named = sorted({step.task for step in steps if step.function == "count"})
    assert len(named) == 2
    assert [step.task for step in steps if step.task in named] == named * 3


def test_a_program_sees_nothing_of_the_marks_and_its_tasks_live_no_longer() -> None:
    """What nobody holds is collected, also when it was seen."""
    assert run("-c", LOST, **MARKS).done.stdout == "True\n"
