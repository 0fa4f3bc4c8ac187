"""Medians and ratios of samples come with intervals that say how much is known of their kind."""

import math

import numpy as np
import pytest

from poolwise.statistics import FEWEST, find_student
from scripts.site.judge.samples import ODD, Sample, Span, Spread, estimate_ratio, estimate_sample


@pytest.mark.parametrize("sizes", [(1, 2), (3, 3), (3, 16), (5, 4), (16, 16)])
def test_a_ratio_is_that_of_the_two_medians_lies_in_its_interval_and_inverts(
    sizes: tuple[int, int],
) -> None:
    generator = np.random.default_rng(sizes)
    for _ in range(50):
        left, right = (np.exp(generator.standard_exponential(size)).tolist() for size in sizes)
        ratio = estimate_ratio(left, right)
        medians = estimate_sample(left).median / estimate_sample(right).median
        assert ratio.median == pytest.approx(medians)
        assert ratio.low <= ratio.median <= ratio.high
        turned, inverted = estimate_ratio(right, left), ratio.invert()
        for end in ("median", "low", "high"):
            assert getattr(turned, end) == pytest.approx(getattr(inverted, end))


def test_the_interval_holds_the_ratio_of_medians_though_it_lies_about_that_of_the_means() -> None:
    steady, two_speeds = [1.0] * 16, [1.0] * 9 + [1.6] * 7
    ratio = estimate_ratio(two_speeds, steady)
    assert (ratio.low, ratio.median) == (1, 1)  # the interval of the means begins above it
    assert ratio.high > 1.3


@pytest.mark.parametrize("others", [1, 2, 16, 200])
@pytest.mark.parametrize("few", [1, 2])
def test_one_and_two_values_decide_nothing_however_many_the_others_are_and_three_do(
    few: int, others: int
) -> None:
    usual = Spread(1e-6, 8.0)
    short, many = (Sample([value] * size, usual) for value, size in ((1.0, few), (9.0, others)))
    assert not estimate_sample(short).is_sure
    assert not estimate_ratio(short, many).is_sure
    assert not estimate_ratio(many, short).is_sure
    three = [1.0] * FEWEST
    assert estimate_sample(three).is_sure
    assert estimate_ratio(three, three).is_sure


def test_values_without_logarithms_differ_as_far_as_their_extremes_do() -> None:
    none, some = [0.0, 0.0, 0.0, 0.0, 1.0], [2.0, 2.0, 3.0, 4.0, 4.0]
    ratio = estimate_ratio(none, some)
    assert (ratio.low, ratio.median, ratio.high) == (0.0, 0.0, 0.5)
    assert ratio.is_sure  # in two of 252 orders all of one side come first
    assert not estimate_ratio(none[1:], some).is_sure


def test_a_count_has_no_interval_beyond_what_can_be_counted() -> None:
    counted = Sample([28.0, 30.0, 30.0], most=30)
    assert estimate_sample(counted).high == 30
    assert estimate_sample(Sample([*counted])).high > 30


@pytest.mark.parametrize(
    ("spans", "low", "high"),
    [
        (((0.5, 1.1), (1.0, 1.0)), 0.5, 1.1),
        (((1.0, 1.0), (0.5, 1.1)), 1 / 1.1, 2.0),
        (((0.5, 1.0), (0.5, 1.0)), 0.5, 2.0),
    ],
)
def test_an_interval_reaches_as_much_farther_as_others_may_have_moved_its_values(
    spans: tuple[Span, Span], low: float, high: float
) -> None:
    values = ([4.0, 4.1, 3.9], [2.0, 2.1, 1.9])
    sides = [Sample(value, span=span) for value, span in zip(values, spans, strict=True)]
    alone, ratio = estimate_ratio(*values), estimate_ratio(*sides)
    assert (ratio.median, ratio.is_sure) == (alone.median, True)
    assert (ratio.low, ratio.high) == pytest.approx((low * alone.low, high * alone.high))
    assert ratio.allowance == pytest.approx(max(1 / low, high))
    assert not estimate_ratio(sides[0], Sample(values[1], span=None)).is_sure


def test_a_single_trial_stays_a_point_whatever_others_did() -> None:
    single = estimate_sample(Sample([2.0], span=(0.5, 1.25)))
    assert single.is_point
    assert single.allowance == 2.0


def test_what_is_turned_round_may_have_been_moved_the_other_way() -> None:
    sample = Sample([2.0, 4.0], span=(0.5, 1.25))
    assert sample.turn([1.0, 2.0]).span == (0.5, 1.25)
    assert sample.turn([0.5, 0.25], inverted=True).span == (0.8, 2.0)


@pytest.mark.parametrize("usual", [None, Spread(variance=0.01, freedom=8.0)])
def test_few_values_have_the_interval_of_welch_with_what_others_of_the_kind_tell(
    usual: Spread | None,
) -> None:
    left, right = [1.0, 1.2, 1.1], [2.0, 2.1, 2.2, 2.15]
    worth, typical = (usual.freedom, usual.variance) if usual else (0.0, 0.0)
    freedoms = [worth + len(side) - 1 for side in (left, right)]
    variances = [float(np.log(side).var(ddof=1)) for side in (left, right)]
    above, below = (
        typical + (variance - typical) * (freedom - worth) / freedom
        for variance, freedom in zip(variances, freedoms, strict=True)
    )
    error, parts = above / 3 + below / 4, ((above / 3) ** 2, (below / 4) ** 2)
    freedom = error**2 / (parts[0] / freedoms[0] + parts[1] / freedoms[1])
    ratio = estimate_ratio(Sample(left, usual), Sample(right, usual))
    reach = find_student(freedom) * math.sqrt(error)
    centre = math.exp(np.log(left).mean() - np.log(right).mean())
    assert math.log(ratio.high / centre) == pytest.approx(reach)
    assert math.log(centre / ratio.low) == pytest.approx(reach)
    assert ratio.deviation == pytest.approx(math.sqrt(above + below))
    assert ratio.is_sure


def test_what_spreads_far_more_than_others_of_its_kind_is_judged_by_its_own_trials() -> None:
    usual = Spread(variance=0.001, freedom=8.0)
    wild, steady = [1.0, 1.2, 1.4], [2.0, 2.0, 2.05]
    assert estimate_sample(Sample(wild, usual)) == estimate_sample(wild)
    assert estimate_sample(Sample(steady, usual)) != estimate_sample(steady)


def test_a_variance_beyond_the_limit_is_one_in_five_by_chance() -> None:
    generator = np.random.default_rng(5)
    for freedom in (2.0, 8.0):
        truth = 3.0 * freedom / generator.chisquare(freedom, 20_000)  # as the usual one is worth
        variances = truth * generator.chisquare(2, 20_000) / 2
        assert (variances > Spread(3.0, freedom).limit).mean() == pytest.approx(ODD, abs=0.01)


def test_a_single_trial_tells_how_far_others_would_differ_but_decides_nothing() -> None:
    usual = Spread(0.01, 8.0)
    ratio = estimate_ratio(Sample([1.0], usual), Sample([2.0], usual))
    assert not ratio.is_sure
    assert ratio.is_point
    assert ratio.deviation == pytest.approx(math.sqrt(0.02))
    assert ratio.invert().deviation == ratio.deviation
    assert estimate_ratio([1.0], [2.0]).deviation == 0


def test_values_of_one_block_are_compared_round_by_round() -> None:
    slow = (1.0, 2.0, 1.5, 3.0, 2.5)
    usual, ratios = Spread(0.2, 8.0), Spread(0.0001, 8.0)

    def sample(factor: float, block: str = "here") -> Sample:
        return Sample((factor * value for value in slow), usual, paired=ratios, block=block)

    paired = estimate_ratio(sample(1.3), sample(1.0))
    assert paired.low == pytest.approx(1.3, rel=0.02)
    assert paired.high == pytest.approx(1.3, rel=0.02)
    for other in (sample(1.0, "elsewhere"), Sample(sample(1.0)[:4], usual, paired=ratios)):
        assert estimate_ratio(sample(1.3), other).low < 1 / 1.3


def test_ratios_within_rounds_that_spread_as_no_others_do_are_not_trusted() -> None:
    usual, ratios = Spread(0.01, 8.0), Spread(0.0001, 8.0)
    above = Sample((1.0, 1.2, 0.9), usual, paired=ratios, block="here")
    below = Sample((1.1, 0.9, 1.2), usual, paired=ratios, block="here")
    apart = estimate_ratio(Sample(above, usual), Sample(below, usual))
    assert estimate_ratio(above, below) == apart


def test_a_ratio_has_no_interval_of_its_own_values_however_many() -> None:
    values = [1 + place / 10 for place in range(20)]
    ratio = estimate_ratio(values, values)
    error = math.sqrt(2 * float(np.log(values).var(ddof=1)) / 20)
    assert math.log(ratio.high / ratio.low) / 2 == pytest.approx(find_student(38) * error)
