"""What is lost without a lock is lost whenever a switch comes in between, and with a cure never is."""

import runpy
import sys
import threading
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
PATIENCE_S = 60.0
"""How long is waited for a thread that will come, however busy the machine is."""
SHORT_S = 0.1
"""How long for one that must not."""


class Slow(dict):
    """A dictionary in which the first that has looked goes on when another has looked too."""

    def __init__(self, waits_s: float, **items: int) -> None:
        super().__init__(items)
        self._waits_s = waits_s
        self._first, self._second = threading.Lock(), threading.Event()

    def get(self, *key):
        found = super().get(*key)
        self._hand_over()
        return found

    def __contains__(self, key):
        found = super().__contains__(key)
        self._hand_over()
        return found

    def _hand_over(self) -> None:
        if self._first.acquire(blocking=False):
            self._second.wait(self._waits_s)
        self._second.set()


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "tasks", raising=False)
    monkeypatch.setenv("TASKS", "20")
    monkeypatch.setenv("WORKERS", "4")
    yield monkeypatch
    sys.modules.pop("tasks", None)


def count_wrong(program: str, capsys: pytest.CaptureFixture[str], **names: object) -> int:
    """Run a program with other values for some of its names; how much it says went wrong."""
    defined = runpy.run_path(str(FOLDER / f"{program}.py"))
    defined["main"].__globals__.update(names)
    defined["main"]()
    _, wrong, _ = capsys.readouterr().out.splitlines()
    return int(wrong.split()[1])


@pytest.mark.parametrize(
    ("racing", "cured"),
    [
        ("03-counter-call_between", "04-counter-lock"),
        ("03-counter-call_between", "05-counter-rlock"),
    ],
)
def test_a_counter_loses_when_another_comes_between_read_and_store_and_under_a_lock_does_not(
    racing: str, cured: str, lab: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert count_wrong(racing, capsys, hits=Slow(PATIENCE_S, home=0)) > 0
    assert count_wrong(cured, capsys, hits=Slow(SHORT_S, home=0)) == 0


def test_seats_are_sold_twice_when_another_comes_between_check_and_act_and_under_a_lock_are_not(
    lab: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert count_wrong("10-seats-check_then_act", capsys, owners=Slow(PATIENCE_S)) > 0
    assert count_wrong("11-seats-lock", capsys, owners=Slow(SHORT_S)) == 0


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
