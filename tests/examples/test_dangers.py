"""What goes wrong in a worker is heard of in time, nothing gets lost or stays behind, and no program waits for ever."""

import re
import sys
from pathlib import Path

import pytest

from scripts.site.paths import EXAMPLES
from tests.examples.conftest import TIMED_OUT, run

OFFLINE = """
def page_urls(count):
    return [str(number) for number in range(count)]


class ClientSession:
    def __init__(self, **_):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        pass

    def get(self, url):
        return self

    def raise_for_status(self):
        pass

    async def read(self):
        return b"1"


def fetch(*client_and_url):
    return work(int(client_and_url[-1]))


fetch_blocking = fetch


def fib(number):
    return work(number)


def serialize(size):
    return work(size)
"""
"""In place of pages and computations: what a test says that a task does."""

TAKEN = "from tasks import ClientSession, fetch, fetch_blocking, fib"
"""What programs define for themselves, or import from elsewhere, and take from there in a test."""
MAIN = 'if __name__ == "__main__":'

RAISE = f"""{OFFLINE}

def work(number):
    try:
        open("failed", "x").close()
    except FileExistsError:
        return 1
    raise OSError("out of order")
"""
"""One of the tasks fails, the others do not."""

LEAVE = """
def store(record):
    raise OSError("out of order")


async def ask(number):
    raise OSError("out of order")


store_async = ask
"""
"""Whoever takes something out of a queue fails."""

DIE = RAISE.replace('raise OSError("out of order")', "os.kill(os.getpid(), 9)")
"""The process of one of the tasks is killed."""

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
ODD = """
from itertools import count
numbers = count()


def handle(piece):
    return next(numbers)
"""
IN_THREADS = ("matrix/02-io-threads.py", "matrix/09-cpu-threads.py", "json/04-threads.py")
IN_PROCESSES = (
    *("matrix/03-io-processes.py", "matrix/05-io-process_pool.py", "matrix/10-cpu-processes.py"),
    *("matrix/12-cpu-process_pool.py", "matrix/15-io+cpu-async+process_pool.py"),
    *("matrix/18-io+io_blocking-async+process_pool.py", "json/05-processes.py"),
)
WITH_QUEUES = (
    *("queues/02-threads-unbounded.py", "queues/03-threads-bounded.py"),
    *("queues/04-async-unbounded.py", "queues/05-async-bounded.py", "queues/09-workers-queue.py"),
)
CROSSING = ("crossing/04-pipe.py", "crossing/05-out_of_band.py", "crossing/06-shared_memory.py")
SMALL = {"TASKS": "3", "BYTES": "30000"}
QUEUED = {"TASKS": "500", "SIZE": "10", "WORKERS": "3", "ROOM": "2"}
FAILURES = [
    (IN_THREADS, RAISE, SMALL, "(?s)out of order.*RuntimeError: 1 of"),
    (IN_PROCESSES, RAISE, SMALL, ""),
    (IN_PROCESSES, DIE, SMALL, ""),
    # Nobody waits for room in a queue from which nobody takes.
    (WITH_QUEUES, LEAVE, QUEUED, "out of order"),
    (CROSSING, DIE_OF_IT, SMALL, ""),
    (CROSSING, LOSE, SMALL, ""),
    (("native/01-sequential.py",), ODD, SMALL, "3 equal results expected"),
]


@pytest.mark.parametrize(
    ("program", "failure", "settings", "said"),
    [(program, *how) for programs, *how in FAILURES for program in programs],
)
def test_what_goes_wrong_ends_the_program_and_is_told(
    program: str, failure: str, settings: dict[str, str], said: str, tmp_path: Path
):
    if failure == DIE and "process_pool" in program and sys.version_info < (3, 12):
        pytest.skip("a pool that breaks while tasks are cancelled may hang (cpython #107219)")
    if failure == LEAVE and sys.version_info < (3, 13):
        pytest.skip("3.13 closes queues")
    done = run(tmp_path, change(program, tmp_path, failure), settings)
    assert done.returncode not in (0, TIMED_OUT)
    assert "time" not in done.stdout
    assert re.search(said, done.stderr)


def change(program: str, folder: Path, something: str) -> str:
    """Copy a program and its tasks, which do something else there; give the file's name."""
    source = EXAMPLES / program
    text = source.read_text(encoding="utf-8")
    if something.startswith(OFFLINE):
        text = text.replace(MAIN, f"{TAKEN}\n\n{MAIN}")
    (folder / source.name).write_text(text, encoding="utf-8")
    tasks = (source.parent / "tasks.py").read_text(encoding="utf-8")
    (folder / "tasks.py").write_text(f"{tasks}\n{something}", encoding="utf-8")
    return source.name


@pytest.mark.parametrize(
    "program",
    ["crossing/01-thread.py", "crossing/03-process_pool.py", "crossing/07-file.py", *CROSSING],
)
@pytest.mark.parametrize("size", [1, 300_000])
def test_an_object_of_any_size_gets_there(program: str, size: int, unpacked: Path):
    done = run(unpacked, program, {"TASKS": "2", "BYTES": str(2 * size)})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 objects handed over\n")


def test_where_a_pool_never_pays_the_search_ends(tmp_path: Path):
    program = change("crossing/13-break_even.py", tmp_path, SLOWER_IN_A_POOL)
    done = run(tmp_path, program, {"TASKS": "8", "WORKERS": "1"})
    assert done.returncode == 0
    assert re.search(r"^does not pay up to \d+ us$", done.stdout, re.MULTILINE)
