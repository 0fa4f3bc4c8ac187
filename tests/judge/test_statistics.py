"""Medians and ratios come with intervals that tell how much is known."""

import math
from collections.abc import Iterator
from itertools import permutations
from math import comb, inf
from statistics import NormalDist

import numpy as np
import pytest

from scripts.judge import statistics
from scripts.judge.statistics import (
    CONFIDENCE,
    FEWEST,
    NORMAL,
    count_orders,
    estimate_median,
    estimate_ratio,
    find_student,
)


def test_the_interval_of_equal_values_is_that_value() -> None:
    estimate = estimate_median([2.0, 2.0, 2.0])
    assert (estimate.median, estimate.low, estimate.high) == (2.0, 2.0, 2.0)


def test_few_values_give_the_least_and_the_greatest_and_are_not_sure() -> None:
    estimate = estimate_median([1.0, 5.0])
    assert (estimate.median, estimate.low, estimate.high) == (3.0, 1.0, 5.0)
    assert not estimate.is_sure


@pytest.fixture
def one_percent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What published tables are for."""
    caches = (statistics._find_order, statistics._find_rank, statistics._estimate_ratio)
    monkeypatch.setattr(statistics, "CONFIDENCE", 0.99)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("one_percent")
@pytest.mark.parametrize(
    ("count", "left_out"), [(8, 0), (11, 0), (12, 1), (15, 2), (20, 3), (30, 7), (50, 15)]
)
def test_the_interval_of_a_median_leaves_out_what_tables_of_the_sign_test_say(
    count: int, left_out: int
) -> None:
    """Critical values of the two-sided sign test at 1 %."""
    estimate = estimate_median([float(value) for value in range(count)])
    assert (estimate.low, estimate.high) == (left_out, count - 1 - left_out)
    assert estimate.is_sure


@pytest.mark.usefixtures("one_percent")
@pytest.mark.parametrize(
    ("first", "second", "critical"),
    [
        *((5, 5, 0), (6, 6, 2), (7, 7, 4), (8, 8, 7), (10, 10, 16), (20, 20, 105)),
        *((5, 10, 4), (3, 9, 0), (6, 15, 12), (19, 20, 99)),
    ],
)
def test_the_interval_of_a_ratio_leaves_out_what_tables_of_mann_and_whitney_say(
    first: int, second: int, critical: int
) -> None:
    """Critical values of the two-sided Mann-Whitney test at 1 %, as statistics textbooks print them.

    Of values that are apart, every ratio is told from every other.
    """
    ones, others = [2.0 ** (8 * n) for n in range(first)], [1 + n / 64 for n in range(second)]
    ratios = sorted(one / other for one in ones for other in others)
    for few, many in ((ones, others), (others, ones)):
        estimate = estimate_ratio(few, many)
        turned = estimate if few is ones else estimate.invert()
        assert turned.is_sure
        assert turned.low == pytest.approx(ratios[critical])
        assert turned.high == pytest.approx(ratios[-1 - critical])


@pytest.mark.parametrize(("first", "second"), [(1, 3), (2, 2), (3, 4), (4, 3)])
def test_orders_of_two_samples_are_counted_as_they_are(first: int, second: int) -> None:
    ranks = range(first + second)
    found = {frozenset(order[:first]) for order in permutations(ranks)}
    sums = [sum(chosen) - first * (first - 1) // 2 for chosen in found]
    expected = [sums.count(statistic) for statistic in range(first * second // 2 + 1)]
    assert count_orders(first, second) == expected


def test_the_same_values_always_give_the_same_interval() -> None:
    values = [1.0, 1.4, 1.2, 1.9, 1.1]
    assert estimate_ratio(values, [2.0] * 5) == estimate_ratio(values, [2.0] * 5)


def test_a_ratio_is_the_middle_of_all_ratios_and_inverts_to_its_inverse() -> None:
    one, other = [2.0, 4.0, 3.0, 8.0], [1.0, 1.5, 2.0]
    ratio = estimate_ratio(one, other)
    assert ratio.median == pytest.approx((8 / 3 * 2) ** 0.5)
    turned, inverted = estimate_ratio(other, one), ratio.invert()
    for end in ("median", "low", "high"):
        assert getattr(turned, end) == pytest.approx(getattr(inverted, end))


def test_a_ratio_to_nothing_is_infinite_and_inverts_to_nothing() -> None:
    ratio = estimate_ratio([1.0] * 5, [0.0] * 5)
    assert (ratio.low, ratio.high) == (inf, inf)
    assert ratio.invert().high == 0
    assert ratio.invert().invert() == ratio


def test_a_sample_against_itself_is_not_certain_to_be_equal() -> None:
    values = [1.0, 1.2, 1.4, 1.6, 1.8]
    ratio = estimate_ratio(values, values)
    assert ratio.low < 1.0 < ratio.high


def test_the_fewest_values_are_the_least_that_can_be_so_sure() -> None:
    few, enough = ([1.0] * count for count in (FEWEST - 1, FEWEST))
    assert (estimate_ratio(few, few).is_sure, estimate_ratio(enough, enough).is_sure) == (
        False,
        True,
    )
    assert (estimate_median(few).is_sure, estimate_median(enough).is_sure) == (False, True)


def test_ranks_decide_from_five_on_both_sides_and_seven_against_a_number() -> None:
    error = 1 - CONFIDENCE
    assert 2 / comb(10, 5) <= error < 2 / comb(8, 4)
    assert 2 * 0.5**7 <= error < 2 * 0.5**6
    values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    ratio, middle = estimate_ratio(values[:5], values[:5]), estimate_median(values)
    assert (ratio.low, ratio.high) == (1.0 / 1.4, 1.4)
    assert (middle.low, middle.high) == (1.0, 1.6)


def test_of_three_or_four_student_s_interval_is_many_times_their_spread() -> None:
    # Between one degree of freedom less than the smaller sample has and those of both, by Welch.
    left, right = [1.0, 1.01, 1.02], [2.0, 2.02, 2.04, 2.06]
    parts = [float(np.log(sample).var(ddof=1)) / len(sample) for sample in (left, right)]
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 3)
    assert 2 < freedom < 5
    ratio = estimate_ratio(left, right)
    reach = find_student(freedom) * math.sqrt(sum(parts))
    assert math.log(ratio.high / ratio.median) == pytest.approx(reach)
    assert math.log(ratio.median / ratio.low) == pytest.approx(reach)


def test_one_sample_that_spreads_far_more_than_the_other_has_its_degrees_of_freedom() -> None:
    steady, wild = [2.0, 2.0, 2.0], [1.0, 1.1, 1.3]
    ratio = estimate_ratio(wild, steady)
    error = math.sqrt(float(np.log(wild).var(ddof=1)) / 3)
    assert math.log(ratio.high / ratio.median) == pytest.approx(find_student(2) * error)


def test_five_or_six_values_against_a_number_have_the_degrees_of_freedom_of_four() -> None:
    values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]
    middle = estimate_median(values)
    error = math.sqrt(float(np.log(values).var(ddof=1)) / 6)
    assert math.log(middle.high / middle.median) == pytest.approx(find_student(3) * error)


def test_quantiles_are_those_of_tables_and_never_too_small_between() -> None:
    p = (1 + CONFIDENCE) / 2
    two = (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    assert find_student(1) == pytest.approx(math.tan(math.pi * (p - 0.5)), rel=1e-3)
    assert find_student(2) == pytest.approx(two, rel=1e-3)
    assert pytest.approx(NormalDist().inv_cdf(p), rel=1e-3) == NORMAL
    known = {1.5: 13.118, 2.5: 5.916, 3.5: 4.390, 5.5: 3.442}  # by integrating the density
    for freedom, quantile in known.items():
        assert quantile <= find_student(freedom) <= 1.04 * quantile
    assert find_student(40) == find_student(6)


def test_nothing_at_all_has_no_logarithm_and_few_of_it_decide_nothing() -> None:
    assert not estimate_median([0.0, 0.0, 0.0]).is_sure
    assert not estimate_median([math.inf] * 4).is_sure
    assert not estimate_ratio([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]).is_sure


@pytest.mark.parametrize(
    ("first", "second", "shape"),
    [
        *((3, second, shape) for second in (3, 4) for shape in ("normal", "skewed")),
        # From here on the interval is one of ranks, to which every shape is the same.
        *((first, second, "skewed") for first, second in ((5, 5), (5, 9), (12, 12), (60, 60))),
    ],
)
def test_intervals_of_ratios_hold_the_truth_98_times_of_100(
    first: int, second: int, shape: str
) -> None:
    generator = np.random.default_rng([first, second])
    draw = generator.standard_normal if shape == "normal" else generator.standard_exponential
    draws = 2000
    samples = [[1.5 * np.exp(0.3 * draw((draws, first)))], [np.exp(0.3 * draw((draws, second)))]]
    missed = 0
    for one, other in zip(samples[0][0], samples[1][0], strict=True):
        ratio = estimate_ratio(one.tolist(), other.tolist())
        missed += not ratio.low <= 1.5 <= ratio.high
    assert missed / draws <= 0.02


@pytest.mark.parametrize("count", [8, 15, 40])
def test_intervals_of_medians_hold_the_truth_98_times_of_100(count: int) -> None:
    generator = np.random.default_rng(count)
    truth, draws = np.log(2), 2000
    estimates = [
        estimate_median(draw.tolist()) for draw in generator.standard_exponential((draws, count))
    ]
    missed = sum(not estimate.low <= truth <= estimate.high for estimate in estimates)
    assert missed / draws <= 0.02
