"""Memory and cores over time are those of the last traced trial, in steps that ticks allow."""

import pytest

from scripts.harness.record import Record, TracePoint, Trial
from scripts.site.render.traces import Usage, read_usage
from tests.factories import make_record, replace

Trace = tuple[TracePoint, ...]


def trace(*traces: Trace) -> Record:
    traced = tuple(Trial(status="ok", trace=points) for points in traces)
    return replace(make_record(), traced=traced)


def count_cores(points: Trace) -> Usage:
    usage = read_usage(trace(points), "cpu")
    assert usage
    return usage


def test_memory_is_that_of_the_last_traced_trial() -> None:
    usage = read_usage(
        trace(((0.0, 1, None), (1.0, 9, None)), ((0.0, 5, 0.0), (2.0, 7, 1.0))), "memory"
    )
    assert usage
    assert usage.times_s.tolist() == [0.0, 2.0]
    assert usage.values.tolist() == [5.0, 7.0]


def test_one_point_or_none_is_too_few() -> None:
    for record in (trace(), trace(()), trace(((0.0, 5, 0.0),))):
        assert read_usage(record, "memory") is None
        assert read_usage(record, "cpu") is None
    assert read_usage(trace(((0.0, 5, 0.0), (1.0, 5, None))), "cpu") is None


def test_two_cores_at_work_are_two_whenever_they_are() -> None:
    usage = count_cores(((0.0, 5, 0.0), (0.5, 5, 0.0), (1.0, 5, 1.0)))
    assert usage.times_s[-1] == 1.0
    assert usage.values.tolist() == pytest.approx([0.0] * 10 + [2.0] * 10)


@pytest.mark.parametrize(("end_s", "spans"), [(0.04, 1), (0.11, 2), (1.0, 20), (10.0, 40)])
def test_cores_are_counted_over_a_twentieth_of_a_second_or_a_fortieth_of_all(
    end_s: float, spans: int
) -> None:
    usage = count_cores(((0.0, 5, 0.0), (end_s, 5, end_s)))
    assert len(usage.values) == spans == len(usage.times_s) - 1
    assert usage.values == pytest.approx(1.0)


def test_points_without_cpu_time_are_passed_over() -> None:
    usage = count_cores(((0.0, 5, 0.0), (0.02, 5, None), (0.04, 5, 0.02)))
    assert usage.values.tolist() == pytest.approx([0.5])
