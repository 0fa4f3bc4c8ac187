"""Which cells of an experiment were recorded, and which are to be measured in a session."""

from datetime import timedelta
from typing import Any

import pytest

from making import NOW, make_record, make_variant, replace
from poolwise.plan import Done
from poolwise.record import Record, name_session
from scripts.site.study.cells import list_recorded_cells, list_unmeasured
from tests.factories import make_experiment

EXPERIMENT = make_experiment()


def measure(session: str) -> Record:
    record = make_record()
    trials = [replace(trial, session=session) for trial in record.timed]
    return replace(record, timed=trials, traced=())


def test_recorded_cells_are_those_of_the_profile_whose_program_is_still_declared() -> None:
    kept = make_record()
    gone = make_record(replace(kept.variant, program="gone"))
    moved = make_record(replace(kept.variant, family="cpu"))
    foreign = make_record(replace(kept.variant, experiment="other"))
    records = [kept, gone, moved, foreign, replace(kept, profile="full")]
    assert list_recorded_cells(EXPERIMENT, "quick", records) == (kept.variant,)


@pytest.mark.parametrize("old_size", [{"params": {"SIZE": "1"}}, {"tasks": 7}])
def test_a_recorded_cell_of_an_old_size_counts_until_its_program_has_another(
    old_size: dict[str, Any],
) -> None:
    old, new = make_record(make_variant(**old_size)), make_record(make_variant())
    other = make_record(make_variant(program="04-io-thread_pool", **old_size))
    assert list_recorded_cells(EXPERIMENT, "quick", [old, other]) == (old.variant, other.variant)
    assert list_recorded_cells(EXPERIMENT, "quick", [old, new, other]) == (
        new.variant,
        other.variant,
    )


def test_all_of_a_question_is_measured_where_no_session_has_all_of_it() -> None:
    variants = make_variant(), make_variant(program="other")
    begun, later = (name_session(NOW + timedelta(hours=hours), "b007ed") for hours in (0, 2))
    planned = dict.fromkeys(variants, Done(timed=5))
    unmeasured = {}
    for session in (begun, later):
        records = dict(zip(variants, (measure(begun), measure(session)), strict=True))
        unmeasured[session] = list_unmeasured(records, planned, [variants], "now")
    assert unmeasured == {begun: set(), later: set(variants)}
