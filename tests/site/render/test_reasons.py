"""Every reason and every metric has words in each language."""

import re
from typing import get_args

import pytest

from scripts.harness.declaration import PLACES, Code, Reason
from scripts.harness.metrics import METRICS
from scripts.site.declare.texts import list_languages
from scripts.site.render.words import load_words

CODES = get_args(Code)


def make(code: Code) -> Reason:
    return Reason(code, dict.fromkeys(PLACES.get(code, ()), "x"))


@pytest.mark.parametrize("language", list_languages())
def test_every_reason_has_words_with_exactly_its_places(language: str) -> None:
    phrases = load_words(language).catalogue["reason"]
    places = {code: frozenset(re.findall(r"{(\w+)}", phrase)) for code, phrase in phrases.items()}
    assert places == {code: PLACES.get(code, frozenset()) for code in CODES}


def test_no_reason_is_told_in_another_language() -> None:
    told = [load_words("ru").reason(make(code)) for code in CODES]
    names = re.compile(r"GIL|ONLY|Python|wheel|\bx\b")
    assert [one for one in told if re.search("[A-Za-z]", names.sub("", one))] == []


def test_a_number_is_written_as_the_language_does() -> None:
    reason = Reason("timed-out", {"after_s": 60.5})
    assert "60.5" in load_words("en").reason(reason)
    assert "60,5" in load_words("ru").reason(reason)


@pytest.mark.parametrize("language", list_languages())
def test_every_metric_has_a_name_of_its_own_in_every_language(language: str) -> None:
    names = {load_words(language).metric(name) for name in METRICS}
    assert len(names) == len(METRICS)
