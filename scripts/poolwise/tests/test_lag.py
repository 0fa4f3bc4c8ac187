"""How late the loops of a program run is noted from outside, and the program notices nothing."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from programs.beat import BLOCKED_S

from poolwise import samplers as lag
from poolwise.metrics import Run, find_lag
from poolwise.process import listen
from poolwise.samplers import Ear

PROGRAM = Path(__file__).parent / "programs/beat.py"
INTERVAL_S = 0.005


PYTHONS = [Path(sys.executable), *sorted((Path.home() / ".pyenv/versions").glob("3.*/bin/python"))]


each_python = pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])


class Heard(NamedTuple):
    """What was noted of a program, and how it ended."""

    seen: Run
    done: subprocess.CompletedProcess[str]


def run(*argv: str, python: Path = PYTHONS[0], **env: str) -> Heard:
    with listen() as ear:
        done = subprocess.run(
            [str(python), *argv],
            env={**os.environ, **ear.env, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return Heard(Run(late_s=ear.hear()), done)


def beat(what: str, python: Path = PYTHONS[0]) -> tuple[float, float]:
    """The median and the longest lag of a program that ends well, in seconds."""
    seen, done = run(str(PROGRAM), what, python=python)
    assert (done.returncode, done.stderr) == (0, "")
    return find_lag(seen, 0.5) or 0.0, find_lag(seen, 1.0) or 0.0


@each_python
def test_a_blocked_loop_is_as_late_as_it_was_blocked_for_all_that_was_due(python):
    median_s, longest_s = beat("block", python)
    assert longest_s > BLOCKED_S - 2 * INTERVAL_S
    assert longest_s / 3 < median_s < longest_s * 2 / 3


def test_the_latest_loop_of_all_processes_counts():
    """The loop of the parent is idle."""
    assert beat("spawn")[0] * 5 > beat("block")[0]


def test_a_forked_child_says_nothing_of_the_loop_that_it_is_a_copy_of():
    """The copy would be late by all that the child slept; the loop that the child itself runs may be late a little."""
    assert beat("fork")[1] < BLOCKED_S / 2


@each_python
def test_a_program_without_a_loop_has_no_lag_and_does_not_import_asyncio(python):
    seen, done = run("-c", "import sys; print('asyncio.events' in sys.modules)", python=python)
    assert [find_lag(seen, share) for share in (0.5, 0.99, 1.0)] == [None, None, None]
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_program_that_fails_fails_as_it_would_without():
    alone = subprocess.run(
        [sys.executable, PROGRAM, "fail"], capture_output=True, text=True, check=False
    )
    seen, done = run(str(PROGRAM), "fail")
    assert (done.returncode, done.stderr) == (alone.returncode, alone.stderr)
    assert find_lag(seen, 1.0) is not None


def test_where_the_beats_cannot_be_noted_the_program_runs_on():
    seen, done = run(str(PROGRAM), "block", LOOP_LAG_FOLDER="/no/such/folder")
    assert (done.returncode, done.stderr, seen) == (0, "", Run())


def test_a_sitecustomize_of_the_programs_own_still_runs(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('mine')\n")
    path = os.pathsep.join([str(lag.HEARTBEAT), str(tmp_path)])
    seen, done = run(str(PROGRAM), "block", PYTHONPATH=path)
    assert (done.stdout, done.stderr) == ("mine\n", "")
    assert find_lag(seen, 1.0) is not None


def test_what_a_killed_process_did_not_finish_writing_is_left_out(tmp_path):
    (tmp_path / "1-1").write_text("0.5\n0.25\n")
    (tmp_path / "2-1").write_text("0.5\n-\n")
    (tmp_path / "3-1").write_text("")
    assert Ear(tmp_path).hear() == ((0.5, 0.25),)
