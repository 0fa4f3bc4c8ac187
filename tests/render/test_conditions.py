"""A condition is said in words that leave no doubt what is compared, where, and who said it."""

import pytest

from scripts.declare.claim import Claim, Comparison, Where
from scripts.declare.languages import list_languages
from scripts.render.conditions import format_condition, format_origin, format_scope
from scripts.render.words import load_words
from tests.factories import TERMS, make_side
from tests.render.markup import read

EN = load_words("en").add(TERMS)
SEQUENTIAL, POOL = "01-io-sequential", "04-io-thread_pool"


def make_claim(**changes: object) -> Claim:
    fields = {"id": "it", "topic": "io", "source": "an-article", "text": {}}
    return Claim(**fields | changes)  # type: ignore[arg-type]


def write(comparison: Comparison) -> str:
    return read(format_condition(comparison, EN))


def test_a_condition_names_the_size_and_the_start_method_that_are_meant() -> None:
    left = make_side(POOL, tasks="least", workers=4)
    right = make_side(SEQUENTIAL, start_method="spawn")
    shown = write(Comparison(metric="wall_s", left=left, right=right, relation="less"))
    assert f"{POOL} (fewest tasks, 4 workers)" in shown
    assert f"{SEQUENTIAL} (spawn)" in shown


def test_a_program_held_against_itself_says_on_either_side_what_differs() -> None:
    def name(**changes: object) -> str:
        left, right = make_side(POOL, **changes), make_side(POOL)
        return write(Comparison(metric="wall_s", left=left, right=right, relation="less"))

    assert f"{POOL} (fewest workers) is at most that of {POOL} (most workers) " in name(
        workers="least"
    )
    assert f"{POOL} (10 tasks) is at most that of {POOL} (most tasks) " in name(tasks=10)


def test_of_two_programs_only_what_is_not_ordinary_is_said() -> None:
    left, right = make_side(POOL, workers="least"), make_side(SEQUENTIAL)
    shown = write(Comparison(metric="wall_s", left=left, right=right, relation="less"))
    assert f"{POOL} (fewest workers) is at most that of {SEQUENTIAL} divided by" in shown


def test_a_condition_across_families_names_both() -> None:
    left, right = make_side(POOL), make_side(POOL, family="cpu")
    shown = write(Comparison(metric="wall_s", left=left, right=right, relation="equal"))
    assert f"{POOL} (io)" in shown
    assert f"{POOL} (cpu)" in shown


def test_a_condition_says_which_side_ran_on_one_core() -> None:
    side = make_side(POOL)
    comparison = Comparison(
        metric="wall_s", left=side, right=side, relation="less", margin=1.5, right_cores="one"
    )
    assert write(comparison) == (
        f"wall time of {POOL} is at most that of {POOL} on one core divided by 1.5"
    )


def test_a_condition_against_a_number_gives_it_in_the_unit_of_the_metric() -> None:
    comparison = Comparison(
        metric="cpu_share", left=make_side(POOL), right=1.0, relation="more", margin=1.5
    )
    assert write(comparison) == f"CPU time divided by wall time of {POOL} is at least 150%"


@pytest.mark.parametrize("language", list_languages())
def test_where_a_claim_applies_is_said_and_everywhere_is_not(language: str) -> None:
    words = load_words(language).add(TERMS)
    assert format_scope(make_claim(), words) == ""
    where = Where(cores="one", gil="off", python="3.7")
    parts = [words.term("where", "cores one"), words.term("where", "gil off")]
    parts.append(words.text("on_python", version="3.7"))
    assert format_scope(make_claim(where=where), words) == ", ".join(parts)


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ("", ""),
        ("06b", ", row 06b"),
        ("2/5", ", conclusion 2 of 5"),
        ("the-end", ", at the end"),
    ],
)
def test_the_place_in_the_source_is_named(origin: str, said: str) -> None:
    source = EN.term("source", "an-article")
    assert format_origin(make_claim(origin=origin), EN) == source + said


def test_a_reading_is_a_number_without_a_unit() -> None:
    assert EN.value("made", 1234.0) == "1,234"
