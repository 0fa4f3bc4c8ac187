"""What goes wrong in a worker is heard of in time, nothing gets lost or stays behind, and no program waits for ever."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import TIMED_OUT, run

OFFLINE = """
def page_urls(count):
    return [str(number) for number in range(count)]


async def fetch_async(client, url):
    return 1


def fetch(client, url):
    return work(int(url))


def fib(number):
    return work(number)


def serialize(size):
    return work(size)


def work(number):
    return 1
"""
"""In place of pages and computations: what a test says that a task does."""

RAISE = """
def work(number):
    try:
        open("failed", "x").close()
    except FileExistsError:
        return 1
    raise OSError("out of order")
"""
"""One of the tasks fails, the others do not."""

OUT_OF_ORDER = """
def store(record):
    raise OSError("out of order")


async def ask(number):
    raise OSError("out of order")


store_async = ask
"""
"""Whoever takes something out of a queue fails."""

DIE = RAISE.replace('raise OSError("out of order")', "os.kill(os.getpid(), 9)")
"""The process of one of the tasks is killed."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def change(program: str, folder: Path, *changes: str) -> str:
    """Copy a program and its tasks, which do something else there; give the file's name."""
    source = EXAMPLES / program
    shutil.copy(source, folder)
    tasks = (source.parent / "tasks.py").read_text(encoding="utf-8")
    (folder / "tasks.py").write_text("\n".join([tasks, *changes]), encoding="utf-8")
    return source.name


@pytest.mark.parametrize(
    "program", ["matrix/02-io-threads.py", "matrix/09-cpu-threads.py", "json/04-threads.py"]
)
def test_an_exception_in_a_thread_is_not_lost(program: str, folder: Path):
    done = run(folder, change(program, folder, OFFLINE, RAISE), {"TASKS": "3"})

    assert done.returncode == 1
    assert done.stdout == ""
    assert "out of order" in done.stderr
    assert "RuntimeError: 1 of" in done.stderr


@pytest.mark.parametrize("failure", [RAISE, DIE], ids=["raises", "dies"])
@pytest.mark.parametrize(
    "program",
    [
        "matrix/03-io-processes.py",
        "matrix/05-io-process_pool.py",
        "matrix/10-cpu-processes.py",
        "matrix/12-cpu-process_pool.py",
        "matrix/15-io+cpu-async+process_pool.py",
        "matrix/18-io+io_blocking-async+process_pool.py",
        "json/05-processes.py",
    ],
)
def test_a_process_that_fails_ends_the_program_instead_of_holding_it_up(
    program: str, failure: str, folder: Path
):
    if failure == DIE and "process_pool" in program and sys.version_info < (3, 12):
        pytest.skip("a pool that breaks while tasks are cancelled may hang (cpython #107219)")

    done = run(folder, change(program, folder, OFFLINE, failure), {"TASKS": "3"})

    assert done.returncode not in (0, TIMED_OUT)
    assert "time" not in done.stdout


@pytest.mark.skipif(sys.version_info < (3, 13), reason="3.13 closes queues")
@pytest.mark.parametrize(
    "program",
    [
        "queues/02-threads-unbounded.py",
        "queues/03-threads-bounded.py",
        "queues/04-async-unbounded.py",
        "queues/05-async-bounded.py",
        "queues/09-workers-queue.py",
    ],
)
def test_nobody_waits_for_room_in_a_queue_from_which_nobody_takes(program: str, folder: Path):
    settings = {"TASKS": "500", "SIZE": "10", "WORKERS": "3", "ROOM": "2"}

    done = run(folder, change(program, folder, OUT_OF_ORDER), settings)

    assert done.returncode == 1
    assert done.stdout == ""
    assert "out of order" in done.stderr


DIE_OF_IT = """
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


@pytest.mark.parametrize("failure", [DIE_OF_IT, LOSE], ids=["dies", "loses"])
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
