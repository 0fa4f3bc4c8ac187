"""The home of a site: whose numbers are shown, whatever processors its jobs got, and what it must not lack."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from making import make_build, make_machine, make_record, make_variant, replace
from poolwise.pythons import Interpreter
from poolwise.record import Results
from poolwise.store import locate, write_results
from scripts.site.declare.claims import Side, Where
from scripts.site.declare.declarations import Declarations
from scripts.site.home import list_home, list_lacking, tell_home
from scripts.site.study.machines import open_recorded
from tests.factories import make_claim, make_comparison, make_experiment

COLUMN = "ubuntu-24.04-3.14"
MAIN = make_build("3.14.7")
FREE = make_build("3.14.7", "t")


def hand_on(folder: Path, column: str, machine: str, interpreter: str) -> None:
    path = locate(folder / f"records-{column}-rest", machine, interpreter)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_the_home_is_every_machine_of_the_runner_that_the_python_ran_on(tmp_path: Path) -> None:
    for column, machine, interpreter in (
        ("ubuntu-24.04-3.14", "amd", "cpython-3.14.7"),
        ("ubuntu-24.04-3.14+3.13+3.14t", "intel", "cpython-3.14.7"),
        ("ubuntu-24.04-3.14+3.13+3.14t", "intel", "cpython-3.14.7t"),
        ("ubuntu-24.04-3.13", "old", "cpython-3.13.9"),
        ("ubuntu-24.04-3.14t", "free", "cpython-3.14.7t"),
        ("ubuntu-24.04-arm-3.14", "arm", "cpython-3.14.7"),
        ("ubuntu-slim-3.14", "slim", "cpython-3.14.7"),
    ):
        hand_on(tmp_path, column, machine, interpreter)
    expected = [("amd", "cpython-3.14.7"), ("intel", "cpython-3.14.7")]
    assert list_home([tmp_path], COLUMN) == expected
    assert list_home([tmp_path], "ubuntu-24.04-arm-3.14") == [("arm", "cpython-3.14.7")]
    free = [("free", "cpython-3.14.7t"), ("intel", "cpython-3.14.7t")]
    assert list_home([tmp_path], "ubuntu-24.04-3.14t") == free


def put(folder: Path, machine: str, families: Sequence[str], python: Interpreter = MAIN) -> Results:
    """Records of both programs of some families."""
    records = []
    for family in families:
        for program in ("one", "two"):
            variant = make_variant(
                machine=machine,
                interpreter=python.id,
                gil=python.gil,
                family=family,
                program=program,
            )
            records.append(make_record(variant))
    found = Results(machine=make_machine(id=machine), interpreter=python, records=tuple(records))
    write_results(locate(folder, machine, found.interpreter.id), found)
    return found


@pytest.mark.parametrize(
    ("scope", "lacking"), [(Where(), ["lab/one", "lab/two"]), (Where(gil="off"), [])]
)
def test_what_every_reader_meets_first_must_have_been_measured_by_the_main_python(
    scope: Where, lacking: list[str], tmp_path: Path
) -> None:
    sides = {name: Side(program=name, family="cpu") for name in ("one", "two")}
    comparison = make_comparison(left=sides["one"], right=sides["two"])
    claim = make_claim(comparison, where=scope)
    declared = Declarations(experiments={}, claims={"lab": (claim,)}, first={claim.id})
    put(tmp_path, "amd", ["io"])
    put(tmp_path, "amd", ["cpu"], FREE)
    home = [("amd", MAIN.id)]
    assert list_lacking(home, tmp_path, declared) == lacking
    assert list_lacking(home, tmp_path, replace(declared, first=())) == []
    told = " ".join(tell_home(COLUMN, home, lacking))
    assert ("Nothing is published" in told) == bool(lacking)
    put(tmp_path, "intel", ["cpu"])
    assert list_lacking([*home, ("intel", MAIN.id)], tmp_path, declared) == []


def test_each_family_is_of_the_machine_with_most_of_it_by_the_main_python(tmp_path: Path) -> None:
    found = [
        put(tmp_path, "amd", ["io"]),
        put(tmp_path, "intel", ["cpu"]),
        put(tmp_path, "amd", ["io", "cpu"], FREE),
    ]
    experiments = {"lab": make_experiment()}
    cells = open_recorded(found, experiments, "quick", pythons=[MAIN.id])
    places = {
        (record.family, record.interpreter, record.machine) for record in cells.elsewhere or ()
    }
    assert places == {("io", MAIN.id, "amd"), ("io", FREE.id, "amd"), ("cpu", MAIN.id, "intel")}
    assert set(cells.machines) == {"amd", "intel"}
    assert cells.machine.id == "amd"
    assert cells.interpreters[0].id == MAIN.id
