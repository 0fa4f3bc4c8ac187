"""The cures of mistakes and races cure what they say they do."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from scripts.site.paths import EXAMPLES
from tests.examples.conftest import run
from tests.examples.test_declared import load

MISTAKES = EXAMPLES / "mistakes"

RECORDER = """
import os
import time


def sleep(seconds):
    note("in")
    time.sleep(seconds)
    note("out")


def note(word):
    with open("log", "a") as file:
        file.write(f"{word} {os.getpid()} ")
"""
"""Notes who is inside while the lock is held."""


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_only_one_of_thread_and_child_holds_the_lock_at_a_time(method: str, tmp_path: Path):
    source = (MISTAKES / "06b-fork_with_threads.py").read_text(encoding="utf-8")
    source = source.replace('get_context("spawn")', f'get_context("{method}")')
    source = source.replace("perf_counter, sleep", "perf_counter\n\nfrom recorder import sleep")
    (tmp_path / "recorder.py").write_text(RECORDER, encoding="utf-8")
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    done = run(tmp_path, "program.py", {})
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "log").read_text(encoding="utf-8").split()
    parent, child = told[1], told[5]
    assert told == ["in", parent, "out", parent, "in", child, "out", child]
    assert parent != child


def test_a_socket_is_closed_before_the_next_may_open_one():
    program = load("mistakes/09b-unbounded_gather")
    files_at_release = []

    class Turn(asyncio.Semaphore):
        def release(self):
            files_at_release.append(count_files())
            super().release()

    async def send_one(server: socket.socket) -> int:
        before = count_files()
        await program.send(Turn(1), server, "report")
        return before

    with socket.create_server(("127.0.0.1", 0)) as server:
        before = asyncio.run(send_one(server))
    assert files_at_release == [before]


def count_files() -> int:
    return len(os.listdir("/dev/fd"))


RACES = EXAMPLES / "races"
CURES = {
    "04-counter-lock": "visits",
    "05-counter-rlock": "visits",
    "06-counter-merged": "visits",
    "07-counter-count": "visits",
    "08-counter-queue": "visits",
    "11-seats-lock": "seats",
    "12-seats-setdefault": "seats",
    "15-report-copied": "reports",
    "16-client-at_once": "clients",
    "20-client-lock": "clients",
}
HURRY = "import sys\nsys.setswitchinterval(1e-6)\n"
"""Threads that switch a thousand times as often."""


def run_race(program: str, tasks: int, workers: int, hurry: Path) -> list[str]:
    """What a program of the races prints before its time, where threads switch all the time."""
    (hurry / "sitecustomize.py").write_text(HURRY, encoding="ascii")
    settings = {"TASKS": str(tasks), "WORKERS": str(workers), "PYTHONPATH": str(hurry)}
    done = run(RACES, f"{program}.py", settings)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[:-1]


def test_who_looks_for_a_client_and_then_makes_one_makes_too_many(tmp_path: Path):
    assert run_race("17-client-check", 20, 4, tmp_path) != ["20 clients", "wrong 0 clients"]


@pytest.mark.parametrize(
    ("program", "things", "workers"),
    [
        *((program, things, 4) for program, things in CURES.items()),
        *(("06-counter-merged", "visits", workers) for workers in (1, 3, 7, 40)),
    ],
)
def test_with_a_cure_nothing_goes_wrong_however_often_threads_switch_and_however_many(
    program: str, things: str, workers: int, tmp_path: Path
):
    told = run_race(program, 500, workers, tmp_path)
    assert told == [f"500 {things}", f"wrong 0 {things}"]
