"""Readings: what programs counted of themselves, for every Python that has it."""

from collections.abc import Sequence

import pytest

from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record
from scripts.harness.texts import list_languages
from scripts.site.render.readings import show_readings, show_several
from scripts.site.render.words import load_words
from tests.factories import make_interpreter, make_record, make_variant
from tests.site.render.markup import make_evidence, read_rows

SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"
NEW, OLD = (
    make_interpreter(id=f"cpython-{version}", version=version) for version in ("3.13.0", "3.9.18")
)
FREE = make_interpreter(id="cpython-3.14.1t", version="3.14.1", free_threaded=True, gil="off")


def count(
    program: str,
    python: Interpreter,
    wrong: Sequence[int],
    reading: str = "wrong",
    **changes: object,
) -> Record:
    variant = make_variant(program=program, interpreter=python.id, gil=python.gil, **changes)
    return make_record(variant, [1.0] * len(wrong), readings={reading: wrong})


def show(*records: Record, language: str = "en") -> list[list[str]]:
    evidence = make_evidence(records, (NEW, OLD, FREE))
    return read_rows(show_readings(evidence, load_words(language), "io", "wrong"))


@pytest.mark.parametrize("language", list_languages())
def test_every_python_has_a_row_the_oldest_first_and_tells_its_gil(language: str) -> None:
    rows = show(*(count(POOL, one, [7] * 7) for one in (NEW, FREE, OLD)), language=language)
    gil = {"en": ("with the GIL", "without the GIL"), "ru": ("с GIL", "без GIL")}[language]
    assert [row[0] for row in rows] == [f"3.9 {gil[0]}", f"3.13 {gil[0]}", f"3.14t {gil[1]}"]
    assert [row[1] for row in rows] == ["7", "7", "7"]


def test_a_python_or_program_without_the_reading_is_left_out() -> None:
    records = [count(SEQUENTIAL, NEW, [5] * 7, reading="made"), count(POOL, OLD, [0] * 7)]
    assert show(*records) == [["3.9 with the GIL", "0"]]


def test_what_a_python_has_not_run_is_a_dash_and_trials_that_differ_have_their_ends() -> None:
    records = [
        count(SEQUENTIAL, NEW, [0] * 7),
        count(POOL, NEW, [100, 110, 120, 130, 140, 150, 160]),
    ]
    assert show(*records, count(POOL, OLD, [3] * 7)) == [
        ["3.9 with the GIL", "—", "3"],
        ["3.13 with the GIL", "0", "130 100–160"],
    ]


def test_the_ends_are_those_of_the_trials_and_so_never_more_than_was_asked_for() -> None:
    assert show(count(POOL, NEW, [300_000, 500_000, 999_000])) == [
        ["3.13 with the GIL", "500,000 300,000–1,000,000"]
    ]


def test_of_several_sizes_the_largest_counts() -> None:
    records = [count(POOL, NEW, [tasks] * 7, tasks=tasks) for tasks in (10, 1000, 100)]
    assert show(*records) == [["3.13 with the GIL", "1,000"]]


def test_without_any_reading_there_is_an_empty_table() -> None:
    assert show(count(POOL, NEW, [1], reading="made")) == []


def test_several_readings_have_a_row_for_each_program_and_number_of_workers() -> None:
    percentiles = {"p50": [2.0] * 5, "p99": [80.0] * 5}
    records = [
        make_record(
            make_variant(program=program, workers=workers), [1.0] * 5, readings=dict(percentiles)
        )
        for program, workers in ((SEQUENTIAL, 1), (POOL, 4), (POOL, 16))
    ]
    records.append(count(POOL, NEW, [1] * 5, reading="made", workers=40))
    evidence = make_evidence(records, (NEW,))
    rows = read_rows(show_several(evidence, load_words("en"), "io", ["p50", "p99"]))
    assert rows == [
        [f"{SEQUENTIAL} 1 worker", "2", "80"],
        [f"{POOL} 4 workers", "2", "80"],
        [f"{POOL} 16 workers", "2", "80"],
    ]
