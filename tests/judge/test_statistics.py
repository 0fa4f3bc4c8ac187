"""Medians and ratios come with intervals that tell how much is known."""

from math import factorial

import numpy as np
import pytest

from scripts.judge.statistics import (
    CONFIDENCE,
    FEWEST,
    FEWEST_AGAINST_A_NUMBER,
    RESAMPLES,
    SEED,
    estimate_median,
    estimate_ratio,
)


def test_the_interval_of_equal_values_is_that_value() -> None:
    estimate = estimate_median([2.0, 2.0, 2.0])
    assert (estimate.median, estimate.low, estimate.high) == (2.0, 2.0, 2.0)


def test_the_interval_contains_the_median_and_lies_within_the_values() -> None:
    estimate = estimate_median([1.0, 1.1, 1.2, 1.3, 5.0])
    assert estimate.median == 1.2
    assert 1.0 <= estimate.low < 1.2 < estimate.high <= 5.0


def test_the_same_values_always_give_the_same_interval() -> None:
    values = [1.0, 1.4, 1.2, 1.9, 1.1]
    assert estimate_median(values) == estimate_median(values)


def test_a_ratio_is_that_of_the_medians() -> None:
    assert estimate_ratio([2.0, 4.0, 3.0], [1.0, 1.5, 2.0]).median == pytest.approx(2.0)


def test_a_sample_against_itself_is_not_certain_to_be_equal() -> None:
    values = [1.0, 1.2, 1.4, 1.6, 1.8]
    ratio = estimate_ratio(values, values)
    assert ratio.low < 1.0 < ratio.high


def test_intervals_of_five_trials_miss_the_truth_in_few_cases() -> None:
    generator = np.random.default_rng(7)
    draws = generator.lognormal(mean=0.0, sigma=0.1, size=(1000, 5))
    estimates = [estimate_median(list(draw)) for draw in draws]
    missed = sum(not estimate.low <= 1.0 <= estimate.high for estimate in estimates)
    assert missed / len(estimates) < 0.10


def test_the_fewest_trials_are_the_least_that_seldom_lie_wholly_on_the_wrong_side() -> None:
    def apart(trials: int) -> float:
        return factorial(trials) ** 2 / factorial(2 * trials)

    error = 1 - CONFIDENCE
    assert apart(FEWEST) <= error < apart(FEWEST - 1)
    assert 0.5**FEWEST_AGAINST_A_NUMBER <= error < 0.5 ** (FEWEST_AGAINST_A_NUMBER - 1)


def test_intervals_are_of_ten_thousand_resamples_and_hold_the_middle_95_per_cent() -> None:
    assert (RESAMPLES, CONFIDENCE, SEED) == (10_000, 0.95, 20_260_101)
    estimate = estimate_median([float(value) for value in range(1, 102)])
    assert (estimate.low, estimate.high) == (41.0, 61.0)
