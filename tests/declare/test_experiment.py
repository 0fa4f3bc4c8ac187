"""A program knows where it shows nothing, and says why."""

from typing import Any

import pytest

from scripts.declare.experiment import Program


def declare(**changes: Any) -> Program:
    return Program(file="one.py", families=["io"], tasks=1, workers=1, **changes)


@pytest.mark.parametrize("system", ["Linux", "Darwin"])
@pytest.mark.parametrize("gil", ["on", "off"])
def test_most_programs_run_everywhere(system: str, gil: str) -> None:
    assert declare().find_obstacle(system, gil, 1) == ""


def test_a_program_for_one_system_names_it_elsewhere() -> None:
    program = declare(system="Linux")
    assert program.find_obstacle("Linux", "off", 2) == ""
    assert program.find_obstacle("Darwin", "on", 2) == "only for Linux"


def test_a_program_that_shows_what_the_gil_does_needs_it() -> None:
    program = declare(gil="on")
    assert program.find_obstacle("Darwin", "on", 2) == ""
    assert program.find_obstacle("Linux", "off", 2) == "only for Python with the GIL"


def test_a_program_about_several_cores_needs_a_machine_that_has_them() -> None:
    program = declare(cores="several")
    assert program.find_obstacle("Linux", "on", 2) == ""
    assert program.find_obstacle("Linux", "on", 1) == "only for several cores"
