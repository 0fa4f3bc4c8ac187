"""The cures of mistakes and races cure what they say they do."""

import asyncio
import os
import runpy
import socket
import sys
from pathlib import Path

import pytest

from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import run
from tests.examples.test_declared import load

MISTAKES = EXAMPLES / "mistakes"

RECORDER = """
import os
import pathlib
import time

LOG = pathlib.Path("log")


def sleep(seconds):
    '''Note who is inside, and wait until another is inside too, or for a second.'''
    note("in")
    until = time.monotonic() + seconds
    while time.monotonic() < until and LOG.read_text().split().count("in") < 2:
        time.sleep(0.01)
    note("out")


def note(word):
    with LOG.open("a") as file:
        file.write(f"{word} {os.getpid()} ")
"""


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


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.syspath_prepend(RACES)
    monkeypatch.delitem(sys.modules, "tasks", raising=False)
    monkeypatch.setenv("TASKS", "20")
    monkeypatch.setenv("WORKERS", "4")
    yield monkeypatch
    sys.modules.pop("tasks", None)


def count_wrong(program: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Run a program; how much it says went wrong."""
    runpy.run_path(str(RACES / f"{program}.py"))["main"]()
    _, wrong, _ = capsys.readouterr().out.splitlines()
    return int(wrong.split()[1])


def test_who_looks_for_a_client_and_then_makes_one_makes_too_many(
    lab: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert count_wrong("17-client-check", capsys) > 0


@pytest.mark.parametrize(("program", "things"), CURES.items(), ids=CURES)
def test_with_a_cure_nothing_goes_wrong_however_often_threads_switch(
    program: str, things: str, tmp_path: Path
):
    (tmp_path / "sitecustomize.py").write_text(HURRY, encoding="ascii")
    settings = {"TASKS": "500", "WORKERS": "4", "PYTHONPATH": str(tmp_path)}

    done = run(RACES, f"{program}.py", settings)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == [f"500 {things}", f"wrong 0 {things}"]


@pytest.mark.parametrize("workers", ["1", "3", "7", "40"])
def test_threads_share_out_all_that_is_asked_for(
    workers: str, lab: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    lab.setenv("WORKERS", workers)
    assert count_wrong("06-counter-merged", capsys) == 0
