"""A build adds one median of each program to the history, beside its baseline."""

from dataclasses import replace

import pytest

from scripts.site.judge.judge import Evidence
from scripts.site.judge.medians import list_medians
from tests.factories import NOW, make_record, make_variant
from tests.site.render.markup import make_evidence

POOL = "04-io-thread_pool"


def measure(program: str = POOL, **changes: object) -> Evidence:
    """A program that takes half as long as its baseline inside."""
    plain, own = (make_variant(program=one, **changes) for one in ("01-io-sequential", program))
    return make_evidence([make_record(plain, [4.1] * 5), make_record(own, [2.1] * 5)])


def test_a_build_gives_the_largest_cell_of_each_program_beside_its_baseline() -> None:
    baseline = [make_variant(tasks=tasks) for tasks in (10, 30)]
    pools = [make_variant(program="04-io-thread_pool", tasks=tasks) for tasks in (10, 30)]
    records = [make_record(one, [4.0] * 5) for one in baseline]
    records += [make_record(one, [2.1] * 5) for one in pools]
    found = {one.program: one for one in list_medians([make_evidence(records)])}
    assert found["04-io-thread_pool"].tasks == 30
    assert found["04-io-thread_pool"].speedup == pytest.approx(3.9 / 2.0, abs=0.01)
    assert found["04-io-thread_pool"].python == "3.13"


def test_everything_that_says_of_what_it_is_stands_beside_the_number() -> None:
    (found,) = (one for one in list_medians([measure(cores=2)]) if one.program == POOL)
    assert (found.date, found.machine, found.cpu_model) == (NOW.date(), "box", "Example CPU")
    assert (found.interpreter, found.profile) == ("cpython-3.13.0", "quick")
    assert (found.experiment, found.family, found.cores, found.tasks) == ("lab", "io", 2, 30)
    assert (found.speedup, found.time_s) == (pytest.approx(2.0), 2.0)
    assert found.low <= found.speedup <= found.high


def test_a_speedup_is_told_with_four_digits_and_a_time_in_microseconds() -> None:
    walls = ((4.1, 4.15, 4.07), (2.12345678, 2.1, 2.15))
    programs = ("01-io-sequential", POOL)
    records = [
        make_record(make_variant(program=program), times)
        for program, times in zip(programs, walls, strict=True)
    ]
    evidence = make_evidence(records)
    (judged,) = (one for one in evidence.judgements if one.record.variant.program == POOL)
    (found,) = (one for one in list_medians([evidence]) if one.program == POOL)
    exact = judged.speedup
    assert exact
    for told, known in (
        (found.speedup, exact.median),
        (found.low, exact.low),
        (found.high, exact.high),
    ):
        assert told == round(known, 4) != round(known, 5)
    assert found.time_s == 2.023457


def test_a_model_that_a_spreadsheet_would_take_for_a_formula_is_put_in_as_text() -> None:
    evidence = measure()
    for model, told in (("=1+1", "1+1"), (None, ""), ("x" * 300, "x" * 200)):
        machine = replace(evidence.machine, cpu_model=model)
        assert {one.cpu_model for one in list_medians([replace(evidence, machine=machine)])} == {
            told
        }


def test_an_interpreter_that_is_gone_is_told_by_its_id() -> None:
    found = list_medians([measure(interpreter="cpython-3.12.1")])
    assert {one.python for one in found} == {"cpython-3.12.1"}
