"""What is in the way of a program is asked of the interpreter that is meant."""

from dataclasses import replace

from scripts.harness.declaration import Reason
from tests.factories import alter, make_experiment, make_interpreter, make_machine
from tests.site.render.markup import make_evidence

SEQUENTIAL, OLD, NEW = "01-io-sequential", "cpython-3.13.0", "cpython-3.14.0"
NEEDS = Reason("needs-python", {"since": "3.14"})
PYTHONS = [make_interpreter(id=name, version=name.partition("-")[2]) for name in (OLD, NEW)]


def test_a_program_that_needs_a_newer_python_has_it_in_its_way_on_the_older_alone() -> None:
    experiment = alter(make_experiment(), "programs", SEQUENTIAL, python="3.14")
    for pythons in (PYTHONS, PYTHONS[::-1]):
        evidence = make_evidence([], pythons, experiment)
        assert evidence.find_obstacle(SEQUENTIAL, OLD) == NEEDS
        assert evidence.find_obstacle(SEQUENTIAL, NEW) is None
        assert evidence.find_obstacle(SEQUENTIAL, "cpython-3.9.0") is None


def test_what_is_in_the_way_of_a_family_is_told_where_that_family_is_asked_for() -> None:
    experiment = alter(make_experiment(), "families", "io", python="3.14")
    evidence = make_evidence([], PYTHONS, experiment)
    assert evidence.find_obstacle(SEQUENTIAL, OLD) is None
    assert evidence.find_obstacle(SEQUENTIAL, OLD, "io") == NEEDS
    assert evidence.find_obstacle(SEQUENTIAL, NEW, "io") is None


def test_the_system_and_the_cores_are_those_of_the_machine() -> None:
    elsewhere = alter(make_experiment(), "programs", SEQUENTIAL, system="Plan 9")
    found = make_evidence([], PYTHONS, elsewhere).find_obstacle(SEQUENTIAL, OLD)
    assert found == Reason("wrong-system", {"system": "Plan 9"})
    several = alter(make_experiment(), "programs", SEQUENTIAL, cores="several")
    evidence = make_evidence([], PYTHONS, several)
    assert evidence.find_obstacle(SEQUENTIAL, OLD) is None
    alone = replace(evidence, machine=make_machine(logical_cores=1))
    assert alone.find_obstacle(SEQUENTIAL, OLD) == Reason("needs-cores")
