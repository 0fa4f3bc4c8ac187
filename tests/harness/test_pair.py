"""One program is measured as two, on either side as often."""

import pytest

from scripts.harness import run as pairs
from scripts.harness.process import Launcher
from scripts.harness.run import ROUNDS, measure_pair


def test_both_sides_have_a_time_of_each_round_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "WORK", "pass")
    with Launcher() as launcher:
        pair = measure_pair(launcher)
    assert pair
    assert len(pair.first_s) == len(pair.second_s) == ROUNDS
    assert min(*pair.first_s, *pair.second_s) > 0


def test_a_program_that_does_not_run_gives_no_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "WORK", "raise SystemExit(1)")
    with Launcher() as launcher:
        assert measure_pair(launcher) is None
