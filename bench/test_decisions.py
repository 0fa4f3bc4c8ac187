"""The bench holds what is decided against its budgets, and says so in words."""

import random
from typing import Self

import pytest

from bench import decisions
from scripts.harness.process import Command, Outcome
from scripts.site.declare.declarations import Declarations
from tests.factories import make_record
from tests.site.render.markup import make_evidence

USAGE = ("ru_utime", "ru_stime", "ru_maxrss")


class FakeLauncher:
    """Runs nothing: the times that it tells differ by a tenth."""

    def __init__(self) -> None:
        self._chance = random.Random(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to end."""

    def run(self, command: Command) -> Outcome:
        wall_s = self._chance.lognormvariate(0.0, 0.1)
        return Outcome(exit_code=0, wall_s=wall_s, usage=dict.fromkeys(USAGE, 0.0))


def test_pairs_of_the_same_program_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "Launcher", FakeLauncher)
    monkeypatch.setattr(decisions, "PAIRS", 3)
    finding, *_ = decisions.try_pairs()
    assert finding.kept
    assert finding.value == "0.0%"


def test_coverage_is_told_for_each_size_and_held_where_there_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = {2: (0.5, 0.6), 3: (0.97, 1.0), 11: (0.99, 0.99)}
    monkeypatch.setattr(decisions, "try_intervals", lambda _shape, _noise, size, _draws: held[size])
    monkeypatch.setattr(decisions, "SIZES", tuple(held))
    medians, ratios, *_ = decisions.try_coverage()
    assert medians.value == "2: 50.0%, 3: 97.0%, 11: 99.0%"
    assert medians.kept
    assert ratios.kept
    held[3] = (0.97, 0.9)
    medians, ratios, *_ = decisions.try_coverage()
    assert medians.kept
    assert not ratios.kept


@pytest.mark.parametrize(
    ("shares", "kept"),
    [
        ({"decided": 0.95, "open": 0.05}, [True]),
        ({"decided": 0.9, "open": 0.1}, [False]),
        ({}, []),
    ],
)
def test_the_share_of_checks_that_are_decided_is_told_if_there_are_any(
    shares: dict[str, float], kept: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Recorded:
        experiments = ("lab",)
        declared = Declarations(experiments={})

        def __init__(self, settings: object) -> None:
            """Whatever is asked for, the records are there."""

        def gather(self, name: str) -> object:
            return make_evidence([make_record()])

    class Look:
        def count_shares(self) -> dict[str, float]:
            return shares

    monkeypatch.setattr(decisions, "Pipeline", Recorded)
    monkeypatch.setattr(decisions, "take_look", lambda *_: Look())
    assert [finding.kept for finding in decisions.count_decided()] == kept
