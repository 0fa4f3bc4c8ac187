"""Gains by Python, as a reader sees and hears them, and the sentence on the verdicts that differ."""

import pytest

from scripts.site.declare.texts import list_languages
from scripts.site.judge.judge import Evidence
from scripts.site.render.releases import draw_releases, tell_releases
from scripts.site.render.words import load_words
from tests.factories import make_interpreter
from tests.site.judge.test_rows import FAST, FREE, NEW, OLD, POOL, SLOW, find, measure
from tests.site.render.markup import (
    make_evidence,
    read,
    read_texts,
    read_tooltips,
)

EN = load_words("en")
MIDDLE = find("3.10.1")
EXACT = [1.0, 1.0, 1.0, 1.0, 1.0]


def gather(**pools: list[float]) -> Evidence:
    pythons = {"old": OLD, "middle": MIDDLE, "new": NEW, "free": FREE}
    records = [one for name, pool in pools.items() for one in measure(pythons[name], pool)]
    return make_evidence(records, [pythons[name] for name in reversed(pools)])


def test_each_point_tells_its_program_its_python_and_its_gain_the_oldest_first() -> None:
    shown = draw_releases(gather(old=SLOW, middle=FAST, new=FAST), EN, "io")
    heads = [tip.partition(" (")[0] for tip in read_tooltips(shown)]
    assert heads == [f"{POOL}, 3.9: ×1.00", f"{POOL}, 3.10: ×2.11", f"{POOL}, 3.13: ×2.11"]
    assert [text for text in read_texts(shown) if text.startswith("3.")] == ["3.9", "3.10", "3.13"]


@pytest.mark.parametrize("language", list_languages())
def test_with_one_python_it_says_that_there_is_nothing(language: str) -> None:
    words, evidence = load_words(language), gather(new=FAST)
    assert words.text("chart_nothing") in draw_releases(evidence, words, "io")
    assert tell_releases(evidence, words) == ""


def test_the_sentence_names_the_verdicts_and_the_pythons_that_have_them() -> None:
    evidence = gather(old=SLOW, middle=SLOW, new=FAST, free=FAST)
    told = read(tell_releases(evidence, EN, "#elsewhere"))
    assert told.startswith("On 4 Python versions, 3.9 to 3.13t, the version changes")
    assert "recommended 3.13, 3.13t" in told
    assert "gains nothing 3.9, 3.10" in told
    assert told.endswith("All versions side by side .")
    assert told.count("(1 core)") == 1


def test_three_neighbours_are_a_range() -> None:
    evidence = gather(old=FAST, middle=FAST, new=FAST, free=SLOW)
    assert "recommended 3.9–3.13" in read(tell_releases(evidence, EN))


def test_where_nothing_differs_the_sentence_says_so() -> None:
    told = read(tell_releases(gather(old=FAST, new=FAST), EN))
    assert told == "On 2 Python versions, 3.9 to 3.13, the version changes none of 1 clear verdict."


def test_a_hostile_name_of_a_python_stays_text() -> None:
    evil = make_interpreter(id="cpython-3.13.0<script>", version="3.13.0")
    records = [*measure(OLD, SLOW), *measure(evil, FAST)]
    evidence = make_evidence(records, (evil, OLD))
    assert "<script>" not in tell_releases(evidence, EN) + draw_releases(evidence, EN, "io")


@pytest.mark.parametrize("language", list_languages())
def test_what_another_machine_found_is_said_to_be_of_that_machine(language: str) -> None:
    words, evidence = load_words(language), gather(old=SLOW, new=FAST)
    for shown in (
        tell_releases(evidence, words, is_elsewhere=True),
        draw_releases(evidence, words, "io", is_elsewhere=True),
    ):
        assert f"({evidence.machine.model})" in shown


def test_of_one_build_it_is_the_gil_that_decides() -> None:
    locked = find("3.13.0", "t-gil", free_threaded=True)
    for pool, told in ((SLOW, "1 of 1"), (FAST, "none of 1")):
        records = [*measure(FREE, FAST), *measure(locked, pool)]
        evidence = make_evidence(records, [FREE, locked])
        said = read(tell_releases(evidence, EN))
        assert f"On one build, 3.13t and 3.13t-gil, the GIL changes {told} clear verdict" in said
        assert "version" not in said
