"""The article next to this machine: figures as it prints them, and whether they agree."""

from collections.abc import Sequence

import pytest
from msgspec import structs

from making import alter, make_record, make_variant
from poolwise.record import Record
from poolwise.statistics import Estimate
from scripts.site.render.originals import (
    classify,
    find_closest,
    read_figure,
    show_agreement,
    show_originals,
)
from scripts.site.render.words import load_words
from tests.factories import PLAIN, POOL, make_experiment
from tests.site.render.markup import make_evidence, read_rows
from tests.site.render.test_charts import measure

EN = load_words("en")


def list_agreement(
    records: Sequence[Record], *families: str, time: str = "wall_s"
) -> list[list[str]]:
    """The rows of the table; in the article, which gives that time, the pool is twice as fast."""
    originals = tuple(
        {"program": f"{program}.py", "machine": "theirs", "cores": "1", time: figure}
        for program, figure in ((PLAIN, "2"), (POOL, "1"))
    )
    experiment = structs.replace(make_experiment(), originals=originals)
    for program in (PLAIN, POOL):
        experiment = alter(experiment, "programs", program, families=families)
    return read_rows(show_agreement(make_evidence(records, experiment=experiment), EN))


def test_the_article_is_compared_with_a_program_s_first_family_alone() -> None:
    records = [*measure((1.0, 0.5), (1,)), *measure((1.0, 5.0), (1,), family="cpu")]
    plain, pool = list_agreement(records, "io", "cpu")
    assert plain[0] == PLAIN
    assert pool == [POOL, "×2.0 gain", "×2.0 gain", "= agrees"]


@pytest.mark.parametrize(("time", "ours"), [("wall_s", "×1.8 gain"), ("inside_s", "×2.0 gain")])
def test_the_article_is_compared_by_the_time_that_it_gives(time: str, ours: str) -> None:
    walls = ((PLAIN, 1.1), (POOL, 0.6))
    records = [make_record(make_variant(program=name), [wall_s] * 5) for name, wall_s in walls]
    assert list_agreement(records, "io", time=time)[1][1:3] == ["×2.0 gain", ours]


@pytest.mark.parametrize(("language", "remark"), [("en", "“too slow”"), ("ru", "«очень долго»")])
def test_what_the_author_says_of_a_program_is_quoted_in_the_language_of_the_page(
    language: str, remark: str
) -> None:
    said = {"remark_en": "too slow", "remark_ru": "очень долго"}
    theirs = {"program": PLAIN, "machine": "theirs", "cores": "1", "wall_s": "2"} | said
    experiment = structs.replace(make_experiment(), originals=(theirs,), source="us")
    shown = show_originals(
        make_evidence(measure((1.0, 0.5), (1,)), experiment=experiment), load_words(language)
    )
    assert remark in shown
    assert sum(text in shown for text in said.values()) == 1


def test_a_speedup_counts_only_beyond_the_margin() -> None:
    told = [
        classify(Estimate(median=1.0, low=low, high=high))
        for low, high in ((1.2, 1.3), (0.95, 1.05), (1.05, 1.3), (0.5, 0.8))
    ]
    assert told == ["gain", "tie", "open", "loss"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("29 456", 29456),
        ("8%", 8),
        ("1,75", 1.75),
        ("-", None),
        ("nan", None),
        ("1e5", None),
        ("1_0", None),
        ("\u0661\u0662", None),  # 12 in Arabic digits
    ],
)
def test_figures_are_read_as_articles_print_them(printed: str, value: float | None) -> None:
    assert read_figure(printed) == value


def test_the_article_s_machine_with_the_closest_core_count_is_compared() -> None:
    rows = [{"machine": name, "cores": cores} for name, cores in (("a", "10"), ("b", "1"))]
    assert find_closest(rows, 8)[0]["machine"] == "a"
    assert find_closest(rows, 2)[0]["machine"] == "b"
