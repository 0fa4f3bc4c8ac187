"""What leaves a verdict open is named: which quantity, of which two programs."""

import pytest

from scripts.site.judge.verdicts import COST_BYTES, list_doubts
from tests.site.judge.test_verdicts import GB, contender


def name(*arguments: object, **options: object) -> list[tuple[str, tuple[str, str]]]:
    return [(one.quantity, one.names) for one in list_doubts(*arguments, **options)]  # type: ignore[arg-type]


def test_a_verdict_by_clear_times_leaves_no_doubt() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "slow": contender(14)}
    assert [name(one, contenders, "plain") for one in contenders] == [[], [], []]


def test_a_time_that_straddles_the_gain_is_held_against_the_baseline() -> None:
    contenders = {"plain": contender(10), "pool": contender(2), "it": contender(9, spread=0.2)}
    assert name("it", contenders, "plain") == [("time_s", ("plain", "it"))]


def test_a_baseline_that_may_tie_leaves_all_in_doubt() -> None:
    contenders = {"plain": contender(1.25, spread=0.2), "pool": contender(1.0, spread=0.2)}
    assert name("plain", contenders, "plain") == [("time_s", ("plain", "pool"))]
    assert ("time_s", ("plain", "pool")) in name("pool", contenders, "plain")


def test_too_few_trials_are_a_doubt() -> None:
    contenders = {"plain": contender(10), "pool": contender(2, trials=1)}
    assert set(name("pool", contenders, "plain")) == {("time_s", ("plain", "pool"))}


def test_memory_that_may_cost_more_needs_memory_trials_of_both() -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0, peak=GB, memory_trials=1),
        "async": contender(2.0, peak=GB + COST_BYTES, memory_trials=1),
    }
    assert name("async", contenders, "plain") == [("peak_pss_bytes", ("async", "threads"))]


def test_memory_far_from_costing_more_needs_none() -> None:
    contenders = {
        "plain": contender(10),
        "threads": contender(2.0, peak=20e6, memory_trials=1),
        "async": contender(2.0, peak=30e6, memory_trials=1),
    }
    assert name("async", contenders, "plain") == []


@pytest.mark.parametrize("serves", [True, False])
def test_what_leaves_the_loop_free_is_held_against_others_that_do(*, serves: bool) -> None:
    contenders = {
        "in the loop": contender(2.0, lag_s=1.5),
        "in threads": contender(2.6),
        "in processes": contender(3.3, spread=0.2),
    }
    expected = ("time_s", ("in processes", "in threads"))
    assert (expected in name("in processes", contenders, "in the loop", serves=serves)) == serves
