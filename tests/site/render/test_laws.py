"""Laws of scaling, drawn and told as predictions."""

import pytest

from scripts.harness.record import Record
from scripts.site.judge.laws import Scaling
from scripts.site.render.laws import draw_law
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence, read

EN = load_words("en")
POOL = "04-io-thread_pool"
TASKS = 30


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
