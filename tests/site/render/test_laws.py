"""Laws, as a reader sees and hears them."""

from collections.abc import Sequence

import pytest

from scripts.site.judge.judge import Evidence
from scripts.site.judge.laws import Scaling
from scripts.site.render import laws
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence, read, remember

EN = load_words("en")
LAWS = ("amdahl", "little", "usl", "latency")
draw_law = remember(laws.draw_law)
PROGRAM = "04-io-thread_pool"
TASKS = 30


def measure(cores: int, workers: int, inside_s: float):
    variant = make_variant(program=PROGRAM, tasks=TASKS, workers=workers, cores=cores)
    return make_record(variant, [inside_s + 0.1] * 3)


def make_scaling(sizes: Sequence[int]) -> Evidence:
    """A program whose throughput follows a law that has its peak at ten workers, and one core."""
    law = Scaling(10, 0, 0.01)
    records = [measure(2, size, TASKS / law.find_throughput(size)) for size in sizes]
    return make_evidence([*records, measure(1, sizes[-1], 9.0)])


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    return make_scaling((1, 2, 4, 8))


def test_a_line_that_is_nearly_flat_is_not_said_to_rise():
    law = Scaling(10, 0.9, 0)
    sizes = (1, 4, 16, 64)
    records = [measure(2, size, TASKS / law.find_throughput(size)) for size in sizes]
    drawn = read(draw_law(make_evidence(records), EN, "usl", "io", [PROGRAM]))
    assert "128 workers should hardly do more" in drawn
    assert "still" not in drawn


def test_amdahl_compares_cores_of_the_same_number_of_tasks():
    evidence = make_evidence([measure(1, 4, 2.0), measure(2, 4, 1.5)])
    drawn = read(draw_law(evidence, EN, "amdahl", "io", [PROGRAM]))
    assert f"{PROGRAM}: 50% of the work stays sequential" in drawn
    assert "more than 2.0 times as fast" in drawn


def test_what_gains_nothing_from_cores_is_said_to():
    evidence = make_evidence([measure(1, 4, 2.0), measure(2, 4, 2.5)])
    drawn = read(draw_law(evidence, EN, "amdahl", "io", [PROGRAM]))
    assert f"{PROGRAM}: more cores don't make it faster" in drawn


@pytest.mark.parametrize("law", LAWS)
def test_of_too_few_points_there_is_no_law(law: str):
    evidence = make_evidence([measure(2, 4, 1.0)])
    assert "Nothing has been measured yet" in read(draw_law(evidence, EN, law, "io", [PROGRAM]))
