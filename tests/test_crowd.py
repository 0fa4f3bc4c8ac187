"""A crowd is as large as it is asked to be, and looks like what is measured."""

from scripts.crowd import Crowd, gather_crowd
from tests.factories import make_experiment


def test_a_crowd_has_a_row_for_each_machine_python_and_program() -> None:
    lab = make_experiment()
    (machines,) = gather_crowd({"lab": lab}, Crowd(machines=3, pythons=2, programs=4))
    rows = [one for evidence in machines for one in evidence.judgements]
    cells = {one.record.variant for one in rows}
    assert len(machines) == 3
    assert len(rows) == len(cells) == 3 * 2 * 4
    assert all(one.speedup and one.speedup.low <= one.speedup.high for one in rows)


def test_it_takes_no_more_programs_than_it_is_asked_to() -> None:
    (machines,) = gather_crowd({"lab": make_experiment()}, Crowd(machines=1, pythons=1, programs=1))
    assert [one.record.variant.program for one in machines[0].judgements] == ["01-io-sequential"]


def test_it_is_the_same_each_time() -> None:
    crowd = Crowd(machines=2, pythons=1, programs=2)
    assert gather_crowd({"lab": make_experiment()}, crowd) == gather_crowd(
        {"lab": make_experiment()}, crowd
    )
