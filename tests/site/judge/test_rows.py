"""Of many cells the one that is meant is chosen in the same way everywhere."""

from itertools import chain, product

import pytest

from making import make_build, make_machine, make_record, make_variant, replace
from poolwise.pythons import Interpreter
from poolwise.record import Record
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.rows import list_places, select_family
from tests.factories import PLAIN, POOL
from tests.site.render.markup import make_evidence

SLOW, FAST = [2.0, 2.01, 1.99, 2.0, 2.005], [1.0, 1.01, 0.99, 1.0, 1.005]
OLD, NEW = make_build("3.9.2"), make_build("3.13.0")


def make_cell(**changes: object) -> Judgement:
    return Judgement(record=make_record(make_variant(**changes)))


def fail(cell: Judgement) -> Judgement:
    """The cell as a program leaves it that did its work a few times and then broke."""
    return replace(cell, record=replace(cell.record, status="failed"))


def measure(python: Interpreter, pool: list[float], cores: int = 1) -> list[Record]:
    place = {"interpreter": python.id, "gil": python.gil, "cores": cores}
    return [
        make_record(make_variant(**place), SLOW),
        make_record(make_variant(program=POOL, workers=30, **place), pool),
    ]


def gather(machine: str, *records: Record, pythons: int = 1) -> Evidence:
    builds = [make_build(f"3.{13 + place}.0") for place in range(pythons)]
    return replace(make_evidence(records, builds), machine=make_machine(id=machine))


def make_pair(machine: str, cores: int = 1, interpreter: str = "cpython-3.13.0") -> list[Record]:
    pair = measure(make_build(interpreter.removeprefix("cpython-")), FAST, cores)
    return [replace(record, variant=replace(record.variant, machine=machine)) for record in pair]


def test_the_largest_has_most_cores_before_most_tasks_before_most_workers() -> None:
    sizes = [(1, 90, 9), (2, 10, 9), (2, 30, 2), (2, 30, 4)]
    rows = Rows(
        make_cell(cores=cores, tasks=tasks, workers=workers) for cores, tasks, workers in sizes
    )
    assert rows.find_largest() is rows[3]
    assert Rows().find_largest() is None


def test_the_python_is_the_first_in_the_order_of_the_build_that_ran_anything() -> None:
    names = [NEW.id, OLD.id]
    rows = Rows(make_cell(interpreter=name, cores=cores) for name in names for cores in (1, 2))
    assert rows.first_python([OLD, NEW]) == rows[2:]
    assert rows.first_python([NEW, OLD]) == rows[:2]
    broken, other = fail(make_cell(interpreter=OLD.id)), make_cell(interpreter=NEW.id)
    assert Rows([broken, other]).first_python([OLD, NEW]) == (other,)
    assert Rows([broken]).first_python([OLD, NEW]) == ()
    assert Rows([broken, rows[3]]).first_python([OLD, NEW]) == (broken, rows[3])


def test_most_tasks_are_of_each_program_family_python_and_core_count() -> None:
    changes: list[dict[str, object]] = [
        {"tasks": 10},
        {"tasks": 30},
        {"tasks": 20, "cores": 2},
        {"tasks": 50, "cores": 2, "family": "cpu"},
        {"tasks": 5, "interpreter": OLD.id},
        {"tasks": 7, "program": POOL},
        {"tasks": 30, "workers": 9},
    ]
    rows = Rows(make_cell(**change) for change in changes)
    assert rows.largest() == rows[1:]


def test_a_pivot_has_the_fastest_of_what_was_measured_in_each_place() -> None:
    walls = {2: 3.0, 4: 1.0, 8: 2.0}
    records = [
        make_record(make_variant(workers=workers), [wall]) for workers, wall in walls.items()
    ]
    rows = Rows(Judgement(record=record) for record in records)
    broken = fail(make_cell(workers=16))
    assert Rows([broken, *rows]).pivot(["program"], ["cores"]) == {PLAIN: {1: rows[1]}}
    most = Rows([broken, *rows]).pivot(["program"], ["cores"], Rows.find_largest)
    assert most == {PLAIN: {1: broken}}


def test_the_most_cores_and_of_these_the_oldest_python_come_first() -> None:
    ordered = ["cpython-3.6.15", "cpython-3.10.13", "cpython-3.14.0rc2", "cpython-3.14.0"]
    ordered += ["cpython-3.14.0t", "pypy-3.11.9", "python"]
    rows = Rows(
        make_cell(interpreter=name, cores=cores) for cores in (1, 2) for name in ordered[::-1]
    )
    expected = [(cores, name) for cores in (2, 1) for name in ordered]
    assert [(arena[0].cores, arena[0].interpreter) for arena in rows.arenas()] == expected


def test_a_program_of_a_family_that_older_records_lack_is_none_and_no_mistake() -> None:
    evidence = gather("box", *make_pair("box"))
    assert select_family(evidence, "cpu", ["08-cpu-sequential"]) == ()
    with pytest.raises(ValueError, match="no nothing in io; there are 01-io-sequential"):
        select_family(evidence, "io", ["nothing"])


def test_of_several_numbers_of_workers_a_place_has_the_fastest() -> None:
    slow, fast = make_pair("box")
    few = make_record(replace(fast.variant, workers=2), SLOW)
    ((place,), _) = list_places([gather("box", slow, few, fast)], "io")
    assert place.cells[POOL].workers == 30


def test_the_first_pythons_of_all_machines_come_before_others_where_room_is_short() -> None:
    newer = "cpython-3.14.0"
    here = gather("box", *make_pair("box"), *make_pair("box", interpreter=newer), pythons=2)
    there = gather("far", *make_pair("far"))
    places, left = list_places([here, there], "io", limit=2)
    names = [(place.evidence.machine.id, place.interpreter.id) for place in places]
    assert (names, left) == ([("box", "cpython-3.13.0"), ("far", "cpython-3.13.0")], 1)
    places, left = list_places([here, there], "io")
    assert [place.interpreter.id for place in places] == [newer, "cpython-3.13.0", "cpython-3.13.0"]


def test_every_python_on_all_cores_of_every_machine_comes_before_fewer_cores() -> None:
    names = [f"cpython-3.{13 + minor}.0" for minor in range(3)]
    evidences = []
    for machine, most in (("box", 2), ("limited", 1)):
        pairs = [make_pair(machine, cores + 1, name) for name, cores in product(names, range(most))]
        evidences.append(gather(machine, *chain.from_iterable(pairs), pythons=3))
    places, left = list_places(evidences, "io", limit=6)
    order = [(place.evidence.machine.id, place.cores, place.interpreter.id) for place in places]
    expected = [("box", 2, name) for name in names[::-1]]
    assert order == [*expected, *(("limited", 1, name) for name in names[::-1])]
    assert left == 3
