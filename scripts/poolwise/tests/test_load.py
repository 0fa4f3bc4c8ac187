"""The load is told with its number and a remedy; by a clock of ours."""

import sys

import pytest

from making import LoadedMachine, make_values
from poolwise import load as loads
from poolwise.load import RECENT_TRIALS, Load, can_ask
from poolwise.record import Trial


@pytest.fixture(autouse=True)
def told(monkeypatch):
    """What a person who watches is told."""
    told: list[str] = []
    monkeypatch.setattr(loads, "report", told.append)
    monkeypatch.setattr(loads, "name_busiest", lambda: "java 0.8")
    return told


def test_a_busy_machine_is_told_with_its_number_and_what_to_do_before_the_first_trial(told):
    machine = LoadedMachine(lambda _: 1.5)
    machine.meter.begin()
    machine.meter.begin()
    (warning,) = told
    assert warning.startswith("Other programs take 1.5 of 2 cores: java 0.8. End them: until then")
    assert str(machine.meter.load) == "others 1.5 of 2 cores"


def test_what_the_host_takes_is_not_said_to_be_for_the_reader_to_end(told):
    machine = LoadedMachine(lambda _: 0.2, stolen=0.6)
    machine.meter.begin()
    (warning,) = told
    assert warning.startswith(
        "Other programs take 0.2 and the host takes 0.6 of 2 cores. It serves"
    )
    assert "End them" not in warning


@pytest.mark.parametrize(("taken", "is_busy"), [(0.25, False), (0.26, True)])
@pytest.mark.parametrize("cores", [1, 2])
def test_busy_is_what_disturbs_a_trial(taken, is_busy, cores):
    assert Load(taken, 0.0, cores).is_busy == is_busy
    trial = Trial(status="ok", values=make_values(1.0, others_share=taken))
    assert trial.is_disturbed(cores) == is_busy
    machine = LoadedMachine(lambda _: 0.0)
    machine.run(taken, RECENT_TRIALS, cores)
    assert machine.meter.load.is_busy == is_busy


def test_a_few_disturbed_trials_make_no_busy_machine_and_many_do_and_are_told_once(told):
    machine = LoadedMachine(lambda _: 0.0)
    machine.meter.begin()
    machine.run(1.0, 3)
    assert not machine.meter.load.is_busy
    machine.run(1.0, RECENT_TRIALS)
    assert machine.meter.load == Load(1.0, 0.0, 2)
    machine.run(0.0, RECENT_TRIALS)
    assert not machine.meter.load.is_busy
    machine.run(1.0, RECENT_TRIALS)
    assert len(told) == 1


def test_nobody_is_asked_without_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert not can_ask()
