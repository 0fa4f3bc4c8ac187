"""What strangers sent is held against what was measured, by gains of the same cell; it is compared with nothing else."""

from pathlib import Path

import pytest

from making import make_build, make_interpreter, make_machine, make_record, make_variant, replace
from poolwise.record import Record, Results
from poolwise.store import locate, locate_contributed, write_results
from scripts.site.study.contributed import Contribution, open_contributed
from tests.factories import PLAIN, POOL, hide_time, make_experiment

EXPERIMENTS = {"lab": make_experiment()}


def make_pair(machine: str, pool_s: float, **changes: object) -> list[Record]:
    """The plain program, which takes twenty seconds, and the pool."""
    return [
        make_record(make_variant(machine=machine, program=program, **changes), [seconds] * 3)
        for program, seconds in ((PLAIN, 20.1), (POOL, 10 * pool_s + 0.1))
    ]


def put(folder: Path, machine: str, *records: Record, gil: str = "on") -> None:
    build = make_build("3.14.7", "t") if gil == "off" else make_interpreter()
    records = tuple(
        replace(record, variant=replace(record.variant, interpreter=build.id, gil=gil))
        for record in records
    )
    results = Results(machine=make_machine(id=machine), interpreter=build, records=records)
    write_results(locate(folder, machine, build.id), results)


def open_sent(folder: Path, *sent: Record, **python: str) -> Contribution:
    put(locate_contributed(folder), "sent", *sent, **python)
    (found,) = open_contributed(folder, EXPERIMENTS, pytest.fail)
    return found


def test_without_anything_sent_nothing_is_read(tmp_path: Path) -> None:
    put(tmp_path, "ours", *make_pair("ours", 1.0))
    assert open_contributed(tmp_path, EXPERIMENTS, pytest.fail) == []


@pytest.mark.parametrize(
    ("pool_s", "differs"), [(1.0, False), (0.35, False), (0.32, True), (5.9, False), (6.1, True)]
)
def test_a_gain_differs_that_is_thrice_the_largest_or_a_third_of_the_least_measured(
    pool_s: float, differs: bool, tmp_path: Path
) -> None:
    put(tmp_path, "ours", *make_pair("ours", 1.0))
    put(tmp_path, "theirs", *make_pair("theirs", 2.0))
    found = open_sent(tmp_path, *make_pair("sent", pool_s))
    (gain,) = found.gains
    assert found.differences == [gain] * differs
    assert (gain.record.program, len(found.records)) == (POOL, 2)
    assert (gain.least, gain.largest) == pytest.approx((1.0, 2.0))


@pytest.mark.parametrize("changes", [{"cores": 2}, {"tasks": 31}, {"params": {"SCALE": "2"}}])
def test_cells_of_other_sizes_are_not_compared(changes: dict[str, object], tmp_path: Path) -> None:
    put(tmp_path, "ours", *make_pair("ours", 1.0))
    found = open_sent(tmp_path, *make_pair("sent", 0.05, **changes))
    assert (found.gains, found.differences) == ((), [])


def test_what_runs_without_the_gil_is_not_compared_with_what_runs_with_it(tmp_path: Path) -> None:
    put(tmp_path, "ours", *make_pair("ours", 1.0))
    assert open_sent(tmp_path, *make_pair("sent", 0.1), gil="off").gains == ()


def test_the_farthest_comes_first_and_the_time_of_the_process_counts_where_work_prints_none(
    tmp_path: Path,
) -> None:
    sizes = (30, 40)
    near, far = (make_pair("ours", 1.0, tasks=tasks) for tasks in sizes)
    put(tmp_path, "ours", *near, *far)
    near, far = make_pair("sent", 0.3, tasks=30), make_pair("sent", 0.1, tasks=40)
    found = open_sent(tmp_path, *near, *map(hide_time, far))
    assert [gain.record.tasks for gain in found.differences] == [40, 30]
    assert [gain.value for gain in found.differences] == pytest.approx([20.1 / 1.1, 2.0 / 0.3])
