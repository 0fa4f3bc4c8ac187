"""A condition is said in words that leave no doubt what is compared, where, and who said it."""

from itertools import product
from typing import get_args

import pytest
from msgspec import structs

from scripts.harness.texts import list_languages
from scripts.site.declare.claims import SWEPT, Claim, Comparison, Relation, Size, Where
from scripts.site.render.claims import format_condition, format_origin, format_scope
from scripts.site.render.words import load_words
from tests.factories import TERMS, make_side
from tests.site.render.markup import read

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

    assert name(workers="least") == (
        f"wall time: {POOL} (fewest workers) is faster than {POOL} (most workers)"
    )
    assert f"{POOL} (10 tasks) is faster than {POOL} (most tasks)" in name(tasks=10)


def test_of_two_programs_only_what_is_not_ordinary_is_said() -> None:
    left, right = make_side(POOL, workers="least"), make_side(SEQUENTIAL)
    shown = write(Comparison(metric="wall_s", left=left, right=right, relation="less"))
    assert f"{POOL} (fewest workers) is faster than {SEQUENTIAL}" in shown


def test_a_condition_across_families_names_both() -> None:
    left, right = make_side(POOL), make_side(POOL, family="cpu")
    shown = write(Comparison(metric="wall_s", left=left, right=right, relation="more"))
    assert f"{POOL} (io)" in shown
    assert f"{POOL} (cpu)" in shown


def test_a_condition_says_which_side_ran_on_the_ordinary_build() -> None:
    side = make_side(POOL)
    comparison = Comparison(
        metric="wall_s", left=side, right=side, relation="less", right_python="ordinary"
    )
    assert write(comparison).endswith(f"than {POOL} on the ordinary build of the same version")


def test_a_condition_against_a_number_gives_it_in_the_unit_of_the_metric() -> None:
    comparison = Comparison(metric="cpu_share", left=make_side(POOL), right=1.5, relation="more")
    assert write(comparison) == f"CPU time divided by wall time: more than 150% for {POOL}"
    each = write(structs.replace(comparison, every=True))
    assert each.endswith(f"in every trial more than 150% for {POOL}")
    comparison = structs.replace(comparison, right=None, of_cores=0.9)
    assert write(comparison).endswith(f"more than 90% of the cores for {POOL}")


@pytest.mark.parametrize(
    ("margin", "en", "ru"),
    [
        (2.0, "twice as fast as", "вдвое быстрее"),
        (1.3, "1.3 times as fast as", "в 1,3 раза быстрее"),
        (5.0, "5 times as fast as", "в 5 раз быстрее"),
        (21.0, "21 times as fast as", "в 21 раз быстрее"),
        (1.0, "is faster than", "быстрее"),
    ],
)
def test_how_many_times_is_said_as_people_say_it(margin: float, en: str, ru: str) -> None:
    comparison = Comparison(
        metric="inside_s",
        left=make_side(POOL),
        right=make_side(SEQUENTIAL),
        relation="less",
        margin=margin,
    )
    assert f"{en} {SEQUENTIAL}" in write(comparison)
    russian = read(format_condition(comparison, load_words("ru"))).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert russian.endswith(f"{ru} {SEQUENTIAL}")


def test_a_loop_that_runs_later_is_not_called_slower() -> None:
    comparison = Comparison(
        metric="lag_max_s",
        left=make_side(POOL),
        right=make_side(SEQUENTIAL),
        relation="more",
        margin=2.0,
    )
    assert write(comparison) == (
        f"longest lag of the event loop: at least twice as much for {POOL} as for {SEQUENTIAL}"
    )


@pytest.mark.parametrize("language", list_languages())
def test_every_relation_has_its_words(language: str) -> None:
    words = load_words(language).add(TERMS)
    metrics = ("wall_s", "peak_pss_bytes")
    for relation, margin, metric in product(get_args(Relation), (1.0, 1.25), metrics):
        if relation in ("equal", "stays") and margin == 1:
            continue  # no declaration has it
        if relation in SWEPT:
            against = [{"over": over} for over in get_args(Size)]
        else:
            against = [{"right": make_side(SEQUENTIAL)}, {"right": 2.0}]
        fields = {"metric": metric, "left": make_side(POOL), "relation": relation, "margin": margin}
        for right in against:
            comparison = Comparison(**fields | right)  # type: ignore[arg-type]
            assert POOL in format_condition(comparison, words), comparison


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
