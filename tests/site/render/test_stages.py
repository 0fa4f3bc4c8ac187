"""Stages, as a reader sees them."""

import re

import pytest

from scripts.harness.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render.readings import show_stages
from scripts.site.render.words import MIB, load_words
from tests.factories import IO, make_experiment, make_record, make_variant, replace
from tests.site.render.markup import make_evidence

EN = load_words("en")
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
STAGES = ("io", "cpu")
"""Any two families do; the factory's have these names."""


def make_stages(*cells: tuple[str, str, int, float], tasks: int = 30) -> Evidence:
    """Evidence of cells: program, family, workers, and the peak in mebibytes."""
    return make_evidence(
        make_record(
            make_variant(program=program, family=family, workers=workers, tasks=tasks),
            peak_pss_bytes=round(mebibytes * MIB),
        )
        for program, family, workers, mebibytes in cells
    )


def read_rows(markup: str) -> list[list[str]]:
    """The texts of each row of the body, its header first."""
    body = markup.partition("<tbody>")[2]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [
        [re.sub(r"<[^>]+>", " ", cell).replace("\N{NO-BREAK SPACE}", " ").strip() for cell in row]
        for row in cells
    ]


@pytest.mark.parametrize("language", list_languages())
def test_a_cell_has_the_peak_and_what_the_stage_added(language: str) -> None:
    evidence = make_stages((POOL, "io", 4, 20), (POOL, "cpu", 4, 31))
    (row,) = read_rows(show_stages(evidence, load_words(language), STAGES))
    expected = {
        "en": [f"{POOL} 4 workers", "20 MiB", "31 MiB +11 MiB"],
        "ru": [f"{POOL} 4 воркера", "20 МиБ", "31 МиБ +11 МиБ"],
    }
    assert [re.sub(r" +", " ", cell) for cell in row] == expected[language]


def test_columns_are_the_families_in_the_order_asked_for() -> None:
    evidence = make_stages((POOL, "io", 4, 20), (POOL, "cpu", 4, 31))
    markup = show_stages(evidence, EN, ("cpu", "io"))
    assert markup.index("Computing (CPU)") < markup.index(IO["en"])
    ((_, first, second),) = read_rows(markup)
    assert first == "31 MiB"
    assert second.endswith("\N{MINUS SIGN}11 MiB")


def test_a_stage_that_was_not_traced_is_a_dash_and_the_next_has_no_step() -> None:
    evidence = make_stages((POOL, "io", 4, 20), (SEQUENTIAL, "cpu", 1, 31))
    assert read_rows(show_stages(evidence, EN, STAGES)) == [
        [f"{SEQUENTIAL}  1 worker", "—", "31 MiB"],
        [f"{POOL}  4 workers", "20 MiB", "—"],
    ]


def test_each_number_of_workers_is_a_row() -> None:
    evidence = make_stages(
        (POOL, "io", 100, 30),
        (POOL, "io", 20, 20),
        (POOL, "cpu", 100, 40),
        (SEQUENTIAL, "io", 1, 9),
    )
    assert read_rows(show_stages(evidence, EN, STAGES)) == [
        [f"{SEQUENTIAL}  1 worker", "9.0 MiB", "—"],
        [f"{POOL}  20 workers", "20 MiB", "—"],
        [f"{POOL}  100 workers", "30 MiB", "40 MiB  +10 MiB"],
    ]


def test_of_several_numbers_of_tasks_the_largest_counts() -> None:
    variants = [make_variant(program=POOL, workers=4, tasks=tasks) for tasks in (10, 30)]
    evidence = make_evidence(
        make_record(variant, peak_pss_bytes=variant.tasks * MIB) for variant in variants
    )
    ((_, peak, _),) = read_rows(show_stages(evidence, EN, STAGES))
    assert peak == "30 MiB"


def test_without_memory_there_is_no_table() -> None:
    untraced = replace(make_record(make_variant(program=POOL)), traced=())
    markup = show_stages(make_evidence([untraced]), EN, STAGES)
    assert "<table" not in markup
    assert EN.text("chart_nothing") in markup


def test_programs_lead_to_where_they_are_shown() -> None:
    assert 'href="#p04"' in show_stages(make_stages((POOL, "io", 4, 20)), EN, STAGES)


def test_a_family_that_the_experiment_lacks_is_an_error() -> None:
    assert "moon" not in [family.name for family in make_experiment().families]
    with pytest.raises(KeyError):
        show_stages(make_stages((POOL, "io", 4, 20)), EN, ("io", "moon"))
