"""Medians and ratios come with intervals that tell how much is known."""

import math
from statistics import NormalDist, fmean, stdev

import pytest

from poolwise import statistics
from poolwise.statistics import (
    CONFIDENCE,
    FEWEST,
    NORMAL,
    estimate_median,
    estimate_pairs,
    find_student,
)


@pytest.fixture
def one_percent(monkeypatch):
    """What published tables are for."""
    monkeypatch.setattr(statistics, "CONFIDENCE", 0.99)
    statistics.find_order.cache_clear()
    yield
    statistics.find_order.cache_clear()


@pytest.mark.usefixtures("one_percent")
@pytest.mark.parametrize(
    ("count", "left_out"), [(8, 0), (11, 0), (12, 1), (15, 2), (20, 3), (30, 7), (50, 15)]
)
def test_the_interval_of_a_median_leaves_out_what_tables_of_the_sign_test_say(count, left_out):
    """Critical values of the two-sided sign test at 1 %."""
    estimate = estimate_median([float(value) for value in range(count)])
    assert (estimate.low, estimate.high) == (left_out, count - 1 - left_out)
    assert estimate.is_sure


def test_quantiles_are_those_of_tables_and_never_too_small_between():
    p = (1 + CONFIDENCE) / 2
    two = (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    assert find_student(1) == pytest.approx(math.tan(math.pi * (p - 0.5)), rel=1e-3)
    assert find_student(2) == pytest.approx(two, rel=1e-3)
    assert pytest.approx(NormalDist().inv_cdf(p), rel=1e-3) == NORMAL
    # By integrating the density, and of tables.
    known = {1.5: 14.226, 2.5: 6.225, 3.5: 4.566, 5.5: 3.548, 8: 3.131, 12: 2.873, 30: 2.610}
    for freedom, quantile in known.items():
        assert quantile <= find_student(freedom) <= 1.04 * quantile
    assert find_student(math.inf) == NORMAL


def test_a_median_has_an_interval_of_its_own_values_from_eight_on():
    error = 1 - CONFIDENCE
    assert 2 * 0.5**8 <= error < 2 * 0.5**7
    values = [1 + place / 10 for place in range(20)]
    middle = estimate_median(values[:8])
    assert (middle.low, middle.high) == (values[0], values[7])


def test_a_ratio_of_pairs_has_the_interval_of_student():
    left, right = [1.0, 1.2, 1.1], [2.0, 2.1, 2.3]
    logs = [math.log(above / below) for above, below in zip(left, right, strict=True)]
    ratio = estimate_pairs(left, right)
    assert ratio.median == pytest.approx(math.exp(fmean(logs)))
    reach = find_student(2) * stdev(logs) / math.sqrt(3)
    assert math.log(ratio.high / ratio.low) / 2 == pytest.approx(reach)


@pytest.mark.parametrize("size", [1, 2])
def test_one_and_two_values_decide_nothing_and_three_do(size):
    assert not estimate_median([1.0] * size).is_sure
    assert estimate_median([1.0] * FEWEST).is_sure
