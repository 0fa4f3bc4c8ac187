"""A program knows where it shows nothing, and says why."""

from typing import Any

import pytest

from scripts.declare.experiment import Program


def declare(**changes: Any) -> Program:
    return Program(file="one.py", families=["io"], tasks=1, workers=1, **changes)


@pytest.mark.parametrize("system", ["Linux", "Darwin"])
@pytest.mark.parametrize("gil", ["on", "off"])
def test_most_programs_run_everywhere(system: str, gil: str) -> None:
    assert declare().find_obstacle(system, gil) == ""


def test_a_program_for_one_system_names_it_elsewhere() -> None:
    program = declare(system="Linux")
    assert program.find_obstacle("Linux", "off") == ""
    assert program.find_obstacle("Darwin", "on") == "only for Linux"


def test_a_program_that_shows_what_the_gil_does_needs_it() -> None:
    program = declare(gil="on")
    assert program.find_obstacle("Darwin", "on") == ""
    assert program.find_obstacle("Linux", "off") == "only for Python with the GIL"
