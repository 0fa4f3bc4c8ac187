"""A sample is what trials gave, as it was measured, with what may rest on it."""

import math

from scripts.harness.record import Trial
from scripts.harness.statistics import Sample, can_decide
from scripts.site.judge.judge import take_sample
from scripts.site.judge.spreads import Spreads
from tests.factories import make_record, make_values, make_variant, replace


def test_a_reading_that_counts_tasks_is_no_larger_than_they_are() -> None:
    readings = {"counted": [28.0, 30.0], "timed": [0.5, 3.0], "beyond": [30.0, 31.0]}
    record = make_record(make_variant(tasks=30), [1.0, 1.0], readings=readings)
    found = {name: take_sample(record, name, Spreads()).most for name in (*readings, "wall_s")}
    assert found == {"counted": 30, "timed": math.inf, "beyond": math.inf, "wall_s": math.inf}


def test_only_undisturbed_values_of_one_session_decide_anything() -> None:
    first, second = (Sample([1.0], session=name) for name in ("first", "second"))
    unknown, disturbed = Sample([1.0]), Sample([1.0], session="first", is_disturbed=True)
    assert can_decide(first, first, unknown, [1.0])
    assert not can_decide(first, second)
    assert not can_decide(first, disturbed)


def test_others_disturb_time_and_not_memory() -> None:
    busy = Trial(status="ok", values=make_values(2.0, others_share=0.9))
    record = replace(make_record(), timed=(busy,))
    disturbed = {
        name: take_sample(record, name, Spreads()).is_disturbed
        for name in ("wall_s", "peak_pss_bytes")
    }
    assert disturbed == {"wall_s": True, "peak_pss_bytes": False}
