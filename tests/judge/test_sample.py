"""What is compared is compared at one pace: the best of the cores, or else as it was measured."""

from dataclasses import replace

import pytest

from scripts.judge.judge import judge_records, take_sample
from scripts.judge.sample import Sample, level
from scripts.judge.spreads import ENOUGH, Spreads
from scripts.judge.statistics import estimate_median, estimate_ratio
from scripts.records.record import Record, Trial
from tests.factories import make_experiment, make_record, make_values, make_variant

SLOWED = Sample([2.0, 4.0, 3.0], None, Sample([1.0, 1.0, 1.0]))
PLAIN = Sample([1.0, 1.0, 1.0])
PROGRAMS = ("01-io-sequential", "02-io-threads", "04-io-thread_pool")


def make_paced(program: str, walls: list[float], slowed: list[float | None]) -> Record:
    """A record of a program that computes all the time."""
    timed = tuple(
        Trial(status="ok", values=make_values(wall, wall, inside_s=None, slowed_share=one))
        for wall, one in zip(walls, slowed, strict=True)
    )
    record = make_record(make_variant(program=program))
    return replace(record, timed=timed)


def test_samples_are_levelled_all_or_none() -> None:
    assert level([SLOWED, SLOWED]) == [(1.0, 1.0, 1.0)] * 2
    assert level([SLOWED, PLAIN]) == [SLOWED, PLAIN]
    assert level([PLAIN]) == [PLAIN]


def test_a_ratio_is_of_times_at_the_best_pace_where_that_of_both_is_known() -> None:
    assert estimate_ratio(SLOWED, SLOWED).high == 1
    assert estimate_ratio(SLOWED, PLAIN).median == 3
    assert estimate_median(SLOWED).median == 3


def test_a_record_has_paced_times_if_all_its_trials_tell_the_pace() -> None:
    whole = make_paced(PROGRAMS[0], [2.0, 1.0], [0.5, 0.0])
    assert take_sample(whole, "wall_s", Spreads()).paced == (1.0, 1.0)
    assert take_sample(whole, "cpu_s", Spreads()).paced == (1.0, 1.0)
    for name in ("cpu_share", "max_rss_bytes", "peak_pss_bytes", "inside_s", "unheard-of"):
        assert take_sample(whole, name, Spreads()).paced is None
    part = make_paced(PROGRAMS[0], [2.0, 1.0], [0.5, None])
    assert take_sample(part, "wall_s", Spreads()).paced is None


def test_times_at_the_best_pace_spread_in_a_way_of_their_own() -> None:
    walls, slowed = [1.0, 2.0, 1.5], [0.01, 0.5, 0.33]
    records = [make_paced(f"{place}-cpu", walls, slowed) for place in range(ENOUGH)]
    sample = take_sample(records[0], "wall_s", Spreads(records))
    assert sample.usual
    assert sample.paced
    assert sample.paced.usual
    assert sample.paced.usual.variance < sample.usual.variance / 100


def test_verdicts_and_gains_are_of_times_at_the_best_pace() -> None:
    """The pool is twice as fast in truth, and was measured while its cores were slow."""
    records = [
        make_paced(PROGRAMS[0], [2.0, 2.0, 2.02], [0.0, 0.0, 0.0]),
        make_paced(PROGRAMS[2], [2.0, 2.01, 2.0], [0.5, 0.5, 0.5]),
    ]
    plain, pool = judge_records(make_experiment(), records)
    assert pool.speedup
    assert pool.speedup.low > 1.5
    assert (plain.verdict, pool.verdict) == ("no gain", "recommended")
    assert pool.wall
    assert pool.wall.median == 2.0
    _, unknown = judge_records(
        make_experiment(), [records[0], make_paced(PROGRAMS[2], [2.0, 2.01, 2.0], [None] * 3)]
    )
    assert unknown.speedup
    assert unknown.speedup.high < 1.5


@pytest.mark.parametrize(
    ("computing_s", "slowed", "paced_s"),
    [(1.0, 0.25, 0.75), (0.4, 0.25, 0.9), (2.0, 0.25, 0.75), (0.0, 0.9, 1.0)],
)
def test_only_computing_shrinks_and_what_cores_compute_at_once_counts_once(
    computing_s: float, slowed: float, paced_s: float
) -> None:
    values = make_values(1.0, computing_s, slowed_share=slowed)
    record = replace(make_record(), timed=(Trial(status="ok", values=values),))
    assert record.list_paced("wall_s") == [pytest.approx(paced_s)]
