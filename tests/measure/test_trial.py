"""A trial knows whether a program did its work."""

import pytest

from scripts.measure.process import Outcome
from scripts.measure.trial import check_outcome, set_environment
from tests.factories import make_variant

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


def test_a_program_gets_its_parameters_its_start_method_and_the_server() -> None:
    variant = make_variant(params={"SIZE": "3"}, start_method="spawn")
    env = set_environment({"PATH": "/bin"}, variant, "http://127.0.0.1:1")
    assert env == {
        "PATH": "/bin",
        "SIZE": "3",
        "START_METHOD": "spawn",
        "SERVER_URL": "http://127.0.0.1:1",
    }


def test_what_a_program_does_not_need_it_is_not_told() -> None:
    assert set_environment({}, make_variant(params={}), None) == {}
