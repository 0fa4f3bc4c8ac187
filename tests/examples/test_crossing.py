"""Handing over: nothing gets lost or stays behind, whatever the size, and no program waits for ever."""

import re
from pathlib import Path

import pytest

from tests.examples.conftest import TIMED_OUT, run
from tests.examples.test_dangers import change

DIE = """
def look_at(data):
    if len(data) > 1:
        os.kill(os.getpid(), 9)
    return 1
"""
LOSE = """
def look_at(data):
    return 1
"""
SLOWER_IN_A_POOL = """
def compute(length):
    busy_s = length * (1e-6 if multiprocessing.parent_process() is None else 1e-5)
    end = perf_counter() + busy_s
    while perf_counter() < end:
        pass
"""
WAYS = ["03-process_pool", "04-pipe", "05-out_of_band", "06-shared_memory", "07-file"]
SMALL = {"TASKS": "3", "BYTES": "30000"}


@pytest.mark.parametrize("way", ["01-thread", *WAYS])
@pytest.mark.parametrize("size", [1, 300_000])
def test_an_object_of_any_size_gets_there(way: str, size: int, unpacked: Path):
    done = run(unpacked / "crossing", f"{way}.py", {"TASKS": "2", "BYTES": str(2 * size)})

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 objects handed over\n")


@pytest.mark.parametrize("failure", [DIE, LOSE], ids=["dies", "loses"])
@pytest.mark.parametrize("way", ["04-pipe", "05-out_of_band", "06-shared_memory"])
def test_an_object_that_does_not_get_there_ends_the_program(way: str, failure: str, tmp_path: Path):
    done = run(tmp_path, change(f"crossing/{way}.py", tmp_path, failure), SMALL)

    assert done.returncode not in (0, TIMED_OUT)
    assert "time" not in done.stdout


def test_where_a_pool_never_pays_the_search_ends(tmp_path: Path):
    program = change("crossing/13-break_even.py", tmp_path, SLOWER_IN_A_POOL)

    done = run(tmp_path, program, {"TASKS": "8", "WORKERS": "1"})

    assert done.returncode == 0
    assert re.search(r"^does not pay up to \d+ us$", done.stdout, re.MULTILINE)


def test_pieces_of_different_results_end_the_program(tmp_path: Path):
    odd = "\nfrom itertools import count\nnumbers = count()\n\n\ndef handle(piece):\n    return next(numbers)\n"

    done = run(tmp_path, change("native/01-sequential.py", tmp_path, odd), {"TASKS": "2"})

    assert done.returncode == 1
    assert "2 equal results expected" in done.stderr
