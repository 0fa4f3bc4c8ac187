"""The explorer gets all its words from the page, in the page's language, and nothing else of it."""

import json
import re

import pytest
from msgspec import structs

from scripts.harness.experiment import Navigation
from scripts.site.declare.texts import list_languages
from scripts.site.render.parts import DIMENSIONS, RATIOS, SHOWN, show_explorer
from scripts.site.render.words import load_words
from tests.factories import make_experiment

WORDS = re.compile(r'<script type="application/json" id="explore-words">(.*?)</script>', re.DOTALL)


@pytest.mark.parametrize("language", list_languages())
def test_every_column_has_a_name(language: str) -> None:
    (told,) = WORDS.findall(show_explorer([], load_words(language), "../../"))
    found = json.loads(told)
    assert set(found["dimensions"]) == {"experiment", *DIMENSIONS, "source"}
    assert set(found["measures"]) == {*RATIOS, *SHOWN}
    assert all(found["dimensions"].values())
    assert all(name for name, _ in found["measures"].values())


def test_a_title_cannot_end_the_element_that_it_stands_in() -> None:
    bad = "</script><script>alert(1)</script>"
    lab = structs.replace(
        make_experiment(), navigation=Navigation(title={"en": bad, "ru": bad}, place=1)
    )
    shown = show_explorer([lab], load_words("en"), "../../")
    assert bad not in shown
    (told,) = WORDS.findall(shown)
    assert json.loads(told)["values"]["experiment"] == {"lab": bad}


@pytest.mark.parametrize("language", list_languages())
def test_without_script_there_are_a_sentence_and_the_data(language: str) -> None:
    words = load_words(language)
    shown = show_explorer([], words, "../../")
    assert words.term("explore", "without") in shown
    assert re.findall(r'<a href="([^"]+)"', shown) == [
        "../../data/results.json",
        "../../data/results.csv",
        "../../data/explore/index.json",
    ]
    assert re.search(r'<section id="explorer"[^>]* hidden>', shown)
