"""Noise flags are raised by what they name, and by nothing else."""

from datetime import UTC, datetime

import pytest

from scripts.judge.noise import find_noise
from scripts.records.record import Record
from scripts.records.variant import Trial
from tests.factories import make_values, make_variant


def noise(
    walls: list[float], *, cpu_share: float = 0.5, server: float | None = None
) -> tuple[str, ...]:
    timed = tuple(
        Trial(status="ok", values=make_values(wall, wall * cpu_share, server_share=server))
        for wall in walls
    )
    record = Record(
        variant=make_variant(),
        profile="quick",
        fingerprint="f",
        seed=1,
        timed=timed,
        measured_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return find_noise(record)


QUIET = [2.0, 2.01, 1.99, 2.0, 2.02]


def test_quiet_trials_raise_nothing() -> None:
    assert noise(QUIET) == ()


@pytest.mark.parametrize(
    ("walls", "flag"),
    [
        ([2.0, 2.0, 2.0, 2.0], "few"),
        ([1.0, 1.5, 2.0, 2.5, 3.0], "spread"),
        ([2.0, 2.0, 2.0, 2.0, 3.2], "maximum"),
        ([2.4, 2.0, 2.01, 1.99, 2.0], "slow-first"),
        ([2.0, 2.01, 1.99, 2.02, 2.3], "outliers"),
    ],
)
def test_a_flag_names_what_is_odd(walls: list[float], flag: str) -> None:
    assert flag in noise(walls)


def test_computing_for_under_a_second_is_short() -> None:
    assert "short" in noise([0.5] * 5, cpu_share=0.95)
    assert "short" not in noise([2.5] * 5, cpu_share=0.95)


def test_waiting_for_under_a_second_is_not_short() -> None:
    assert "short" not in noise([0.5] * 5, cpu_share=0.2)


def test_a_busy_server_is_told() -> None:
    assert "server" in noise(QUIET, server=0.9)
    assert "server" not in noise(QUIET, server=0.1)


def test_nothing_measured_raises_nothing() -> None:
    assert noise([]) == ()
