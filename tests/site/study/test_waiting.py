"""Others are waited for once, a minute at most, and what they disturbed is summed up; by a clock of ours."""

import os
import sys
from functools import partial

import pytest

from making import LoadedMachine
from poolwise import load
from scripts.site.study import waiting
from scripts.site.study.waiting import LONGEST_WAIT_S, PatientMeter, pause

PATIENCE_S = 60.0
Machine = partial(LoadedMachine, meter_class=PatientMeter)


@pytest.fixture(autouse=True)
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that a person who watches reads."""
    lines: list[str] = []
    for module in (load, waiting):
        monkeypatch.setattr(module, "report", lines.append)
    monkeypatch.setattr(load, "name_busiest", lambda: "java 0.8")
    return lines


def test_a_quiet_machine_is_not_waited_for(lines: list[str]) -> None:
    machine = Machine(lambda _: 0.1)
    machine.run(0.1)
    machine.meter.wait()
    assert (lines, machine.now_s) == ([], load.LOOK_S)


def test_a_busy_machine_is_waited_for_after_its_first_trials_until_it_is_quiet(
    lines: list[str],
) -> None:
    machine = Machine(lambda now_s: 1.0 if now_s < 4.5 else 0.0)
    machine.meter.wait()
    assert machine.now_s == 0.0
    machine.run(1.0)
    machine.meter.wait()
    assert lines[-1] == "Quiet now: going on."
    assert 5.0 <= machine.now_s <= 7.0


def test_who_stays_is_waited_for_a_minute_and_only_once_and_told_meanwhile(
    lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Machine(lambda _: 1.0)
    machine.run(1.0)
    machine.meter.wait()
    waited_s = machine.now_s
    assert LONGEST_WAIT_S <= waited_s <= LONGEST_WAIT_S + 3 * load.LOOK_S
    assert capsys.readouterr().err.startswith("seconds waited 0/60 · busy: others 1.0 of 2 cores")
    assert lines[-1] == "Going on. Busy: others 1.0 of 2 cores."
    machine.meter.wait()
    assert machine.now_s == waited_s


def test_somebody_at_a_terminal_is_asked_and_can_go_on_at_once(
    lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(lambda _: 1.0)
    machine.pressed_at_s = 3.0
    machine.run(1.0)
    lines.clear()
    monkeypatch.setattr(waiting, "can_ask", lambda: True)
    machine.meter.wait()
    assert "Enter: go on now; Ctrl-C: stop." in lines[0]
    assert machine.now_s == 3.0


def test_enter_at_a_terminal_ends_a_rest_and_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    monkeypatch.setattr(waiting, "can_ask", lambda: True)
    with os.fdopen(ours, "wb", buffering=0) as keyboard, os.fdopen(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        keyboard.write(b"\n\n")
        assert pause(PATIENCE_S)
        assert not pause(0.0)


def test_in_the_end_it_is_told_how_many_trials_were_disturbed_and_by_how_much() -> None:
    machine = Machine(lambda _: 0.0)
    machine.run(0.1, 2)
    assert machine.meter.summarize() == ""
    for others in (1.0, 1.5, 1.6):
        machine.run(others)
    line = "3 of 5 timed trials were disturbed: other programs took 1.5 of 2 cores in the median."
    assert machine.meter.summarize() == line
