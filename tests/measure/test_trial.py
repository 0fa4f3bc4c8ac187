"""A trial knows whether a program did its work."""

from pathlib import Path
from typing import cast

import pytest

from scripts.measure.interpreters import Installation
from scripts.measure.process import Launcher, Outcome
from scripts.measure.trial import Bench, check_outcome, set_environment
from tests.factories import make_experiment, make_interpreter, make_variant

EXPECTED = "30 pages"


@pytest.mark.parametrize("stdout", ["30 pages\ntime 1.5 s\n", "30 pages\n"])
def test_a_program_that_prints_the_result_and_ends_well_is_ok(stdout: str) -> None:
    assert check_outcome(Outcome(exit_code=0, stdout=stdout), EXPECTED) == ("ok", "")


def test_any_result_will_do_where_none_is_declared() -> None:
    assert check_outcome(Outcome(exit_code=0, stdout="7"), None) == ("ok", "")


def test_another_result_is_a_failure_that_shows_both() -> None:
    status, reason = check_outcome(Outcome(exit_code=0, stdout="29 pages\ntime 1.5 s"), EXPECTED)
    assert status == "failed"
    assert "29 pages" in reason
    assert "30 pages" in reason


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome(exit_code=1, stdout=EXPECTED), "failed"),
        (Outcome(signal="SIGKILL", stdout=EXPECTED), "failed"),
        (Outcome(error="no such file"), "failed"),
        (Outcome(signal="SIGTERM", timed_out=True), "timeout"),
    ],
)
def test_a_program_that_did_not_end_well_says_why(outcome: Outcome, status: str) -> None:
    told, reason = check_outcome(outcome, EXPECTED)
    assert told == status
    assert reason


def bench(env: dict[str, str] | None = None) -> Bench:
    return Bench(
        experiment=make_experiment(),
        profile=make_experiment().profiles["quick"],
        installation=Installation(
            interpreter=make_interpreter(), path=Path("python"), env=env or {}
        ),
        launcher=cast("Launcher", None),
        server=None,
    )


def test_a_program_gets_its_parameters_its_start_method_and_its_interpreters_variables() -> None:
    variant = make_variant(params={"SIZE": "3"}, start_method="spawn")
    assert set_environment({"PATH": "/bin"}, bench({"PYTHON_GIL": "1"}), variant) == {
        "PATH": "/bin",
        "PYTHON_GIL": "1",
        "SIZE": "3",
        "START_METHOD": "spawn",
    }


def test_a_program_that_needs_nothing_is_told_nothing() -> None:
    assert set_environment({}, bench(), make_variant(params={})) == {}


def test_nobodys_personal_python_variables_get_through() -> None:
    base = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": "/somewhere"}
    assert set_environment(base, bench(), make_variant(params={})) == {}
