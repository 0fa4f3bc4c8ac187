"""Of many cells the one that is meant is chosen in the same way everywhere."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scripts.harness.pythons import rank_interpreter
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import (
    choose_end,
    choose_interpreter,
    choose_largest,
    find_cell,
    list_sizes,
    select_cells,
    select_family,
    select_measured,
)
from tests.factories import make_interpreter, make_record, make_side, make_variant
from tests.site.judge.test_places import gather, make_pair
from tests.site.render.markup import make_evidence

OLD, NEW = "cpython-3.13.0", "cpython-3.14.0t"


def make_build(*names: str) -> Evidence:
    return make_evidence([], [make_interpreter(id=name) for name in names])


BUILD = make_build(OLD, NEW)
SIZES = [(3, 2), *((tasks, workers) for tasks in (4, 5, 10) for workers in (2, 4, 8))]
"""Tasks and workers that were measured, on four cores: the fewest tasks with two workers only."""


def make_cell(**changes: object) -> Judgement:
    return Judgement(record=make_record(make_variant(**changes)))


def fail(cell: Judgement) -> Judgement:
    """The cell as a program leaves it that did its work a few times and then broke."""
    return replace(cell, record=replace(cell.record, status="failed"))


def list_records(cells: Sequence[Judgement]) -> list[Record]:
    return [cell.record for cell in cells]


def test_only_what_ended_well_and_has_times_is_measured() -> None:
    good = make_cell()
    unmeasured = replace(good, record=replace(good.record, timed=()))
    assert good.record.is_measured
    assert not fail(good).record.is_measured
    assert not unmeasured.record.is_measured
    assert select_measured([fail(good), good, unmeasured]) == [good]


def test_cells_are_told_by_everything_that_is_asked() -> None:
    cells = [make_cell(cores=cores, tasks=tasks) for cores in (1, 2) for tasks in (10, 30)]
    assert select_cells(cells, cores=2, tasks=10) == [cells[2]]
    assert select_cells(cells, cores=2) == cells[2:]
    assert select_cells(cells, start_method="fork") == []


def test_an_end_is_the_most_or_the_least_that_there_is() -> None:
    cells = [make_cell(workers=workers) for workers in (4, 16, 2, 16)]
    assert choose_end(cells, "workers") == [cells[1], cells[3]]
    assert choose_end(cells, "workers", "least") == [cells[2]]
    assert choose_end([], "workers") == []
    assert list_sizes(cells, "workers") == [2, 4, 16]


def test_the_interpreter_is_the_first_in_the_order_of_the_build() -> None:
    cells = [make_cell(interpreter=name, cores=cores) for name in (NEW, OLD) for cores in (1, 2)]
    assert choose_interpreter(BUILD, cells) == cells[2:]
    assert choose_interpreter(make_build(NEW, OLD), cells) == cells[:2]


def test_an_interpreter_that_ran_nothing_is_passed_over() -> None:
    cells = [fail(make_cell(interpreter=OLD)), make_cell(interpreter=NEW)]
    assert choose_interpreter(BUILD, cells) == cells[1:]
    assert choose_interpreter(BUILD, cells[:1]) == []


def test_what_failed_on_the_chosen_interpreter_stays_among_its_cells() -> None:
    cells = [fail(make_cell(interpreter=OLD)), make_cell(interpreter=OLD, cores=2)]
    assert choose_interpreter(BUILD, cells) == cells


def test_the_largest_is_that_of_each_program_family_interpreter_and_core_count() -> None:
    cells = [
        make_cell(tasks=10),
        make_cell(tasks=30),
        make_cell(tasks=20, cores=2),
        make_cell(tasks=50, cores=2, family="cpu"),
        make_cell(tasks=5, interpreter=NEW),
        make_cell(tasks=7, program="04-io-thread_pool"),
        make_cell(tasks=30, workers=9),
    ]
    assert list_records(choose_largest(cells)) == list_records(cells[1:])


def test_interpreters_are_ranked_by_version_and_not_as_text() -> None:
    names = [
        "pypy-3.11.9",
        "cpython-3.10.13",
        "cpython-3.14.0t",
        "cpython-3.6.15",
        "cpython-3.14.0",
        "cpython-3.14.0rc2",
        "python",
    ]
    assert sorted(names, key=rank_interpreter) == [
        "cpython-3.6.15",
        "cpython-3.10.13",
        "cpython-3.14.0rc2",
        "cpython-3.14.0",
        "cpython-3.14.0t",
        "pypy-3.11.9",
        "python",
    ]


@pytest.mark.parametrize(
    ("named", "size"),
    [
        ({}, (10, 8)),
        ({"tasks": "most"}, (10, 8)),
        ({"tasks": "least"}, (3, 2)),
        ({"tasks": "cores"}, (4, 8)),
        ({"tasks": "above cores"}, (5, 8)),
        ({"tasks": 5}, (5, 8)),
        ({"workers": "least"}, (10, 2)),
        ({"workers": 4}, (10, 4)),
        ({"tasks": 4, "workers": "least"}, (4, 2)),
        ({"tasks": 3, "workers": 2}, (3, 2)),
    ],
)
def test_a_side_names_its_size(named: dict[str, object], size: tuple[int, int]) -> None:
    cell = [make_cell(tasks=tasks, workers=workers, cores=4) for tasks, workers in SIZES]
    found = find_cell(make_side(make_variant().program, **named), cell)
    assert found
    assert (found.record.variant.tasks, found.record.variant.workers) == size


def test_of_several_start_methods_the_first_that_was_measured_is_meant() -> None:
    broken, spawned = (make_cell(start_method=method) for method in ("fork", "spawn"))
    broken = replace(broken, record=replace(broken.record, status="failed", timed=()))
    assert find_cell(make_side(make_variant().program), [broken, spawned]) is spawned


def test_a_program_of_a_family_that_older_records_lack_is_none_and_no_mistake() -> None:
    evidence = gather("box", *make_pair("box"))
    assert select_family(evidence, "cpu", ["08-cpu-sequential"]) == []
