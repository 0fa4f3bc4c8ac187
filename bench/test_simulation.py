"""What is decided by looking again and again is seldom wrong, and intervals keep their word."""

from dataclasses import replace

import numpy as np
import pytest

from bench import simulation
from bench.simulation import (
    MARGIN,
    RELATIONS,
    SHAPES,
    SPREADS,
    Shape,
    Usual,
    draw_trials,
    draw_usual,
    tell_apart,
    try_intervals,
    try_looking,
    try_sessions,
)
from poolwise import statistics
from scripts.site.declare.claims import Relation
from scripts.site.judge import samples

UNKNOWN = Usual(values=None, ratios=None)
DRAWS = 400
MANY = 1000
"""As many as tell three or four of a hundred, which unlike programs come to, from more than five."""


@pytest.fixture(autouse=True)
def _forget() -> None:
    """Ratios are kept, also those of quantiles that a test puts in place."""
    samples._estimate_ratio.cache_clear()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("relation", RELATIONS)
def test_at_the_margin_one_of_twenty_is_decided_wrongly_at_most(
    relation: Relation, shape: Shape
) -> None:
    shares = try_looking(relation, shape, 0.10, MANY).shares
    assert shares.get("confirmed", 0) <= 0.05
    assert shares.get("refuted", 0) <= 0.05


@pytest.mark.parametrize("sessions", SPREADS)
def test_sessions_that_differ_seldom_decide_wrongly_together(sessions: tuple[float, float]) -> None:
    for count in (1, 3):
        shares = try_sessions("more", "log-normal", 0.10, sessions, count, DRAWS)
        assert shares.get("confirmed", 0) <= 0.05
        assert shares.get("refuted", 0) <= 0.05


def test_what_is_far_from_the_margin_is_decided_by_few_sessions() -> None:
    shares = try_sessions("more", "bursts", 0.10, (0.03, float("inf")), 2, DRAWS, truth=2 * MARGIN)
    assert shares.get("confirmed", 0) > 0.98


def test_looking_again_and_again_at_intervals_of_90_errs_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "find_student", lambda _: 1.645)
    shares = try_looking("less", "log-normal", 0.10, DRAWS).shares
    assert max(shares.get("confirmed", 0), shares.get("refuted", 0)) > 0.05


def test_what_is_twice_the_margin_is_decided_soon() -> None:
    looking = try_looking("more", "bursts", 0.10, DRAWS, truth=2 * MARGIN)
    assert looking.shares == {"confirmed": 1.0}
    assert looking.trials < 7


@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_of_a_ratio_hold_the_truth_from_five_trials_on(shape: Shape) -> None:
    for size in (5, 11):
        _, ratios = try_intervals(shape, 0.30, size, DRAWS)
        assert ratios >= 0.97


def test_of_one_program_against_itself_few_pairs_are_told_apart() -> None:
    generator = np.random.default_rng(simulation.SEED)
    same = [draw_trials(generator, "bursts", 0.10, 5) for _ in range(DRAWS)]
    other = [draw_trials(generator, "bursts", 0.10, 5, ratio=4.0) for _ in range(10)]
    assert tell_apart(same, UNKNOWN) <= 0.05
    assert tell_apart(other, UNKNOWN) == 1.0


def test_a_pair_that_one_look_tells_apart_is_told_apart_whatever_the_others_say() -> None:
    left = [1.0, 1.01, 1.02, *([1.0, 2.0] * 11)]
    right = [2.0, 2.01, 2.02, *([2.0, 1.0] * 11)]
    assert tell_apart([(left, right)], UNKNOWN) == 1.0
    assert tell_apart([(left[3:], right[3:])], UNKNOWN) == 0.0


def test_what_others_tell_of_the_spread_decides_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ratio of 1.6, at a noise of a tenth, against a margin of 1.25."""
    known = try_looking("more", "log-normal", 0.10, DRAWS, truth=1.6)
    monkeypatch.setattr(simulation, "draw_usual", lambda *_: UNKNOWN)
    unknown = try_looking("more", "log-normal", 0.10, DRAWS, truth=1.6)
    assert known.trials < 0.9 * unknown.trials


def test_pairs_decide_sooner_what_shares_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    paired = try_looking("more", "rounds", 0.10, DRAWS, truth=1.6)
    draw = draw_usual
    monkeypatch.setattr(simulation, "draw_usual", lambda *given: replace(draw(*given), ratios=None))
    unpaired = try_looking("more", "rounds", 0.10, DRAWS, truth=1.6)
    assert paired.trials < 0.9 * unpaired.trials
