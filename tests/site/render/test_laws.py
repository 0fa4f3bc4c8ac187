"""Laws of scaling: made-up measurements give back the law that made them, which is drawn and told."""

import math

import numpy as np
import pytest

from making import make_record, make_variant
from scripts.site.render.laws import Law, Scaling, draw_law, fit_amdahl, fit_scaling
from scripts.site.render.words import load_words
from tests.factories import POOL
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
TASKS = 30
WORKERS = (1, 2, 5, 10, 20, 40, 80)


FLAT = Scaling(10, 0.9, 0)


@pytest.mark.parametrize(
    ("law", "times_s", "told"),
    [
        (
            "usl",
            {(2, size): TASKS / FLAT.find_throughput(size) for size in (1, 4, 16, 64)},
            "128 workers should hardly do more",
        ),
        ("usl", {(2, 4): 1.0}, "Not measured here yet"),
        ("amdahl", {(2, 4): 1.0}, "Not measured here yet"),
        ("amdahl", {(1, 4): 2.0, (2, 4): 1.5}, f"{POOL}: 50% of the work stays sequential"),
        ("amdahl", {(1, 4): 2.0, (2, 4): 1.5}, "more than 2.0 times as fast"),
        ("amdahl", {(1, 4): 2.0, (2, 4): 1.5}, "Predicted, not measured"),
        ("amdahl", {(1, 4): 2.0, (2, 4): 2.5}, f"{POOL}: more cores don't make it faster"),
    ],
)
def test_what_a_law_predicts_is_told(law: Law, times_s: dict[tuple[int, int], float], told: str):
    records = []
    for (cores, workers), time_s in times_s.items():
        variant = make_variant(program=POOL, tasks=TASKS, workers=workers, cores=cores)
        records.append(make_record(variant, [time_s + 0.1] * 3))
    assert told in read(draw_law(make_evidence(records), EN, law, "io", [POOL]))


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
