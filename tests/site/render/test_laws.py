"""Laws of scaling: made-up measurements give back the law that made them, which is drawn and told."""

import math

import numpy as np
import pytest

from scripts.harness.record import Record
from scripts.site.render.laws import Scaling, draw_law, fit_amdahl, fit_scaling
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
POOL = "04-io-thread_pool"
TASKS = 30
WORKERS = (1, 2, 5, 10, 20, 40, 80)


def scale(cores: int, workers: int, inside_s: float) -> Record:
    variant = make_variant(program=POOL, tasks=TASKS, workers=workers, cores=cores)
    return make_record(variant, [inside_s + 0.1] * 3)


def test_a_line_that_is_nearly_flat_is_not_said_to_rise():
    law = Scaling(10, 0.9, 0)
    records = [scale(2, size, TASKS / law.find_throughput(size)) for size in (1, 4, 16, 64)]
    drawn = read(draw_law(make_evidence(records), EN, "usl", "io", [POOL]))
    assert "128 workers should hardly do more" in drawn
    assert "still" not in drawn


def test_amdahl_predicts_what_was_not_measured_and_says_so():
    evidence = make_evidence([scale(1, 4, 2.0), scale(2, 4, 1.5)])
    drawn = read(draw_law(evidence, EN, "amdahl", "io", [POOL]))
    assert f"{POOL}: 50% of the work stays sequential" in drawn
    assert "more than 2.0 times as fast" in drawn
    assert "Predicted, not measured" in drawn


def test_what_gains_nothing_from_cores_is_said_to():
    evidence = make_evidence([scale(1, 4, 2.0), scale(2, 4, 2.5)])
    drawn = read(draw_law(evidence, EN, "amdahl", "io", [POOL]))
    assert f"{POOL}: more cores don't make it faster" in drawn


@pytest.mark.parametrize("law", ["amdahl", "usl"])
def test_of_too_few_points_there_is_no_law(law: str):
    evidence = make_evidence([scale(2, 4, 1.0)])
    assert "Nothing has been measured yet" in read(draw_law(evidence, EN, law, "io", [POOL]))


def follow(law: Scaling) -> list[tuple[float, float]]:
    return [(workers, law.find_throughput(workers)) for workers in WORKERS]


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_the_share_that_made_times_is_found_in_them(share: float):
    times_s = [(cores, 3 * (share + (1 - share) / cores)) for cores in (1, 2, 4, 8)]

    assert fit_amdahl(times_s) == pytest.approx(share)


@pytest.mark.parametrize(("time_s", "share"), [(1.3, 1.0), (0.4, 0.0)])
def test_a_share_is_never_less_than_nothing_or_more_than_all(time_s: float, share: float):
    assert fit_amdahl([(1, 1.0), (2, time_s)]) == share


@pytest.mark.parametrize(
    "law",
    [Scaling(100, 0.02, 0.0003), Scaling(100, 0.02, 0), Scaling(100, 0, 0.001), Scaling(7, 0, 0)],
)
def test_the_law_that_made_throughputs_is_found_in_them(law: Scaling):
    found = fit_scaling(follow(law))

    assert found.rate == pytest.approx(law.rate)
    assert found.contention == pytest.approx(law.contention, abs=1e-9)
    assert found.coherency == pytest.approx(law.coherency, abs=1e-9)


def test_no_parameter_is_below_nought_where_more_workers_do_better_than_each_alone():
    found = fit_scaling([(workers, workers**1.1) for workers in WORKERS])

    assert (found.contention, found.coherency) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_no_law_comes_nearer_to_what_was_measured_not_even_the_one_that_made_it(seed: int):
    def deviate(law: Scaling) -> float:
        return sum((done / law.find_throughput(workers) - 1) ** 2 for workers, done in measured)

    chance = np.random.default_rng(seed)
    law = Scaling(100, 0.02 * (seed % 2), 0.0003 * (seed % 3))
    measured = [(workers, done * chance.lognormal(0, 0.2)) for workers, done in follow(law)]
    assert deviate(fit_scaling(measured)) <= deviate(law)


def test_most_is_done_at_the_peak():
    law = Scaling(100, 0.02, 0.0004)

    assert law.peak == pytest.approx(math.sqrt(0.98 / 0.0004))
    assert law.find_throughput(law.peak) > law.find_throughput(law.peak - 5)
    assert law.find_throughput(law.peak) > law.find_throughput(law.peak + 5)
