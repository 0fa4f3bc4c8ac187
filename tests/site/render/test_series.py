"""Series: each keeps its pen from chart to chart."""

from scripts.site.render.pen import Pen
from scripts.site.render.series import choose_pens, list_series
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import make_evidence

EN = load_words("en")
SEQUENTIAL, POOL, PROCESSES = "01-io-sequential", "04-io-thread_pool", "12-cpu-process_pool"
EVIDENCE = make_evidence([make_record()])


def test_a_program_has_the_pen_of_its_place_in_the_experiment() -> None:
    variants = [make_variant(program=program) for program in (PROCESSES, SEQUENTIAL)]
    assert choose_pens(EVIDENCE, variants) == [Pen(3), Pen(0)]


def test_further_variants_of_a_program_have_pens_of_no_program() -> None:
    variants = [make_variant(program=POOL, workers=workers) for workers in (1, 2, 3)]
    variants.append(make_variant(program=SEQUENTIAL))
    assert choose_pens(EVIDENCE, variants) == [Pen(1), Pen(4), Pen(5), Pen(0)]


def test_series_of_one_program_differ_in_their_pens() -> None:
    variants = [
        make_variant(program=POOL, tasks=tasks, workers=workers)
        for tasks in (1, 2)
        for workers in (1, 20)
    ]
    evidence = make_evidence(map(make_record, variants))
    found = list_series(evidence, EN, "io", [POOL])
    assert [series.pen for series in found] == [Pen(1), Pen(4)]
