"""A side of a comparison names a program and a size, and one row is meant by it."""

import pytest

from scripts.site.judge.claims import find_cell
from scripts.site.judge.rows import Rows
from tests.factories import make_side, make_variant
from tests.site.judge.test_rows import make_cell

SIZES = [(3, 2), *((tasks, workers) for tasks in (4, 5, 10) for workers in (2, 4, 8))]
"""Tasks and workers that were measured, on four cores: the fewest tasks with two workers only."""


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
    rows = Rows(make_cell(tasks=tasks, workers=workers, cores=4) for tasks, workers in SIZES)
    found = find_cell(make_side(make_variant().program, **named), rows)
    assert found
    assert (found.tasks, found.workers) == size
