"""What is lost without a lock is lost whenever a switch comes in between, and with a cure never is."""

import runpy
import sys
from pathlib import Path

import pytest

from scripts.harness.paths import EXAMPLES
from tests.examples.conftest import run

FOLDER = EXAMPLES / "races"
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
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "tasks", raising=False)
    monkeypatch.setenv("TASKS", "20")
    monkeypatch.setenv("WORKERS", "4")
    yield monkeypatch
    sys.modules.pop("tasks", None)


def count_wrong(program: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Run a program; how much it says went wrong."""
    runpy.run_path(str(FOLDER / f"{program}.py"))["main"]()
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

    done = run(FOLDER, f"{program}.py", settings)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == [f"500 {things}", f"wrong 0 {things}"]


@pytest.mark.parametrize("workers", ["1", "3", "7", "40"])
def test_threads_share_out_all_that_is_asked_for(
    workers: str, lab: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    lab.setenv("WORKERS", workers)
    assert count_wrong("06-counter-merged", capsys) == 0
