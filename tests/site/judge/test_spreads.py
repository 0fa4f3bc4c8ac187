"""How trials of a kind spread is told by all variants together, and is worth what they agree on."""

import math

import numpy as np
import pytest

from making import make_record, make_variant, replace
from poolwise.record import Record
from scripts.site.judge.spreads import (
    ENOUGH_SAMPLES,
    MOST_FREEDOM,
    Spreads,
    divide_pairs,
    fit_spread,
    name_block,
    take_sample,
)


def draw(
    deviations: float | list[float], count: int, trials: int = 3, seed: int = 1
) -> list[list[float]]:
    """Trials of as many programs, of which the logarithms spread so."""
    generator = np.random.default_rng(seed)
    spread = np.broadcast_to(np.array(deviations), count)[:, None]
    values: list[list[float]] = np.exp(spread * generator.standard_normal((count, trials))).tolist()
    return values


@pytest.mark.parametrize("trials", [3, 7])
def test_programs_that_spread_alike_tell_their_variance_and_it_is_worth_most(trials: int) -> None:
    usual = fit_spread(draw(0.1, 400, trials))
    assert usual
    assert usual.variance == pytest.approx(0.01, rel=0.15)
    assert usual.freedom == MOST_FREEDOM


@pytest.mark.parametrize("freedom", [2.0, 4.0])
def test_the_less_programs_spread_alike_the_less_is_the_usual_variance_worth(
    freedom: float,
) -> None:
    generator = np.random.default_rng(2)
    variances = 0.01 * freedom / generator.chisquare(freedom, 3000)
    usual = fit_spread(draw(np.sqrt(variances).tolist(), 3000))
    assert usual
    assert usual.freedom == pytest.approx(freedom, rel=0.2)
    assert usual.variance == pytest.approx(0.01, rel=0.15)


def test_nothing_is_told_by_few_programs_or_of_what_is_counted() -> None:
    assert fit_spread(draw(0.1, ENOUGH_SAMPLES))
    assert fit_spread(draw(0.1, ENOUGH_SAMPLES - 1)) is None
    for same in ([8.0, 8.0, 8.0], [0.0, 1.0, 2.0], [math.inf, 1.0, 2.0]):
        assert fit_spread([same] * 20) is None


def make_program(name: str, walls: list[float], cpu_share: float) -> Record:
    """One that prints no time of its own, and computes for a share of the whole."""
    return make_record(make_variant(program=name), walls, cpu_s=cpu_share * walls[0])


COMPUTING = [make_program(f"c{n}", walls, 0.9) for n, walls in enumerate(draw(0.1, 20))]


def test_what_computes_and_what_waits_are_kinds_of_their_own() -> None:
    waiting = [make_program(f"w{n}", walls, 0.1) for n, walls in enumerate(draw(0.01, 20))]
    both = Spreads([*COMPUTING, *waiting])
    wide, narrow = (both.find(group[0], "wall_s") for group in (COMPUTING, waiting))
    assert wide
    assert narrow
    assert wide.variance > 30 * narrow.variance
    assert Spreads(COMPUTING).find(waiting[0], "wall_s") is None


def test_what_only_one_program_prints_has_no_kind() -> None:
    first, *others = COMPUTING
    trials = [replace(trial, readings={"own": trial.wall_s}) for trial in first.timed]
    first = replace(first, timed=tuple(trials))
    sample = take_sample(first, "own", Spreads([first, *others]))
    assert sample.usual is None
    assert (*sample,) == tuple(first.wall_s)


def test_too_few_trials_and_what_failed_tell_nothing_of_others() -> None:
    few = Spreads(replace(record, timed=record.timed[:1]) for record in COMPUTING)
    failed = Spreads(replace(record, status="failed") for record in COMPUTING)
    assert few.find(COMPUTING[0], "wall_s") is failed.find(COMPUTING[0], "wall_s") is None


def test_each_sample_is_divided_by_its_neighbour_once_and_round_by_round() -> None:
    assert list(divide_pairs([[4, 9], [2, 3], [6, 8], [3, 2], [1, 1]])) == [[2, 3], [2, 4]]
    with pytest.raises(ValueError, match="shorter"):
        list(divide_pairs([[4, 9], [2]]))


def test_a_block_is_of_one_family_python_core_count_and_session() -> None:
    record = make_record()
    alike = make_record(make_variant(program="another", tasks=7))
    assert name_block(record) == name_block(alike) != ""
    changes = ({"experiment": "x"}, {"family": "x"}, {"interpreter": "x"}, {"cores": 9})
    apart = [make_record(make_variant(**change)) for change in changes]
    later = [replace(trial, session="later") for trial in record.timed]
    apart.append(replace(record, timed=later, traced=()))
    assert len({*map(name_block, (record, *apart))}) == 6
    assert name_block(replace(record, timed=(*record.timed, *later))) == ""
    assert name_block(replace(record, timed=(), traced=())) == ""


def test_ratios_within_rounds_spread_less_where_programs_share_what_slows_them() -> None:
    generator = np.random.default_rng(3)
    records = []
    for place in range(40):
        shared = np.exp(0.3 * generator.standard_normal(3))
        for name in ("one", "other"):
            walls = shared * np.exp(0.02 * generator.standard_normal(3))
            variant = make_variant(program=name, cores=place + 1, workers=place + 1)
            records.append(make_record(variant, walls.tolist()))
    spreads = Spreads(records)
    usual, paired = (spreads.find(records[0], "wall_s", paired=paired) for paired in (False, True))
    assert usual
    assert paired
    assert paired.variance < usual.variance / 50
    assert spreads.find(records[0], "a reading", paired=True) is None
