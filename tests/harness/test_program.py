"""A program knows how it spreads its work, and where it shows nothing."""

import pytest

from scripts.harness.declaration import Reason
from scripts.harness.experiment import find_program_problems
from tests.factories import make_program as declare


def test_a_program_for_one_system_names_it_elsewhere() -> None:
    program = declare(system="Linux")
    assert program.find_obstacle("Linux", "off", 2, (3, 13)) is None
    assert program.find_obstacle("Darwin", "on", 2, (3, 13)) == Reason(
        "wrong-system", {"system": "Linux"}
    )


def test_a_program_that_shows_what_the_gil_does_needs_it() -> None:
    program = declare(gil="on")
    assert program.find_obstacle("Darwin", "on", 2, (3, 13)) is None
    assert program.find_obstacle("Linux", "off", 2, (3, 13)) == Reason("needs-gil")


def test_a_program_about_several_cores_needs_a_machine_that_has_them() -> None:
    program = declare(cores="several")
    assert program.find_obstacle("Linux", "on", 2, (3, 13)) is None
    assert program.find_obstacle("Linux", "on", 1, (3, 13)) == Reason("needs-cores")


def test_a_program_for_a_newer_python_names_it_to_older_ones() -> None:
    program = declare(python="3.7")
    assert program.find_obstacle("Linux", "on", 2, (3, 7)) is None
    assert program.find_obstacle("Linux", "on", 2, (3, 10)) is None
    reason = Reason("needs-python", {"since": "3.7"})
    assert program.find_obstacle("Linux", "on", 2, (3, 6)) == reason


@pytest.mark.parametrize(
    ("kind", "carrier", "processes"),
    [
        ("sequential", "sequential", False),
        ("greenlets", "greenlets", False),
        ("interpreters", "interpreters", False),
        ("processes", "processes", True),
        ("coroutines + threads", "threads", False),
        ("coroutines + processes", "processes", True),
        ("processes + threads", "threads", True),
    ],
)
def test_the_last_of_a_mix_carries_the_work_out_and_any_may_start_processes(
    kind: str, carrier: str, processes: bool
) -> None:
    program = declare(kind=kind)
    assert program.ways[-1] == carrier
    assert program.processes is processes
    assert list(find_program_problems(program, ["spawn"])) == []
