"""Every sentence of this project reads as one, whatever numbers come into its places."""

import re
from itertools import product

import pytest

from scripts.harness.margins import ClaimStatus
from scripts.harness.statistics import Estimate
from scripts.site.declare.claims import Claim
from scripts.site.judge.claims import Check, Finding
from scripts.site.render.claims import fill_sentence
from scripts.site.render.words import NBSP, load_words
from tests.declared import DECLARED

WORDS = {name: load_words(name).add(DECLARED.terms) for name in ("en", "ru")}
CLAIMS = [claim for claims in DECLARED.claims.values() for claim in claims]
NUMBERS = (0.5, 1, 2, 5, 21)
FORMS = {
    "en": {1: ("core", "worker", "time"), 0: ("cores", "workers", "times")},
    "ru": {
        1: ("ядро", "ядра", "ядре", "воркер", "раз"),
        2: ("ядра", "ядер", "ядрах", "воркера", "раза"),
        5: ("ядер", "ядрах", "воркеров", "раз"),
    },
}
"""Nouns of counted things by the kind of number that they follow; 0 is every other."""
COUNTED = re.compile(r"(\d+(?:[.,]\d+)?)\s(cores?|workers?|times?|ядр\w+|ядер|воркер\w*|раза?)\b")


def measure(claim: Claim, status: ClaimStatus, number: float) -> Check:
    """A check of the claim in which everything came to such numbers."""
    point = Estimate(median=number, low=number, high=number)
    return Check(
        claim=claim,
        machine="box",
        interpreter="cpython-3.13.0",
        cores=max(1, int(number)),
        workers=max(1, int(number)),
        status=status,
        findings=tuple(
            Finding(comparison=one, status=status, ratio=point, left=point, right=point)
            for one in claim.all
        ),
    )


def classify(number: str, language: str) -> int:
    if language == "en":
        return int(number == "1")
    if "," in number:
        return 2
    tens, units = int(number) % 100, int(number) % 10
    if 11 <= tens <= 14 or units in (0, 5, 6, 7, 8, 9):
        return 5
    return 1 if units == 1 else 2


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_counted_stands_in_the_form_that_its_number_wants(
    language: str, number: float
) -> None:
    counted = []
    for claim, status in product(CLAIMS, ("confirmed", "refuted", "open")):
        sentence = fill_sentence(measure(claim, status, number), WORDS[language]).striptags()
        assert "{" not in sentence
        counted += COUNTED.findall(sentence.replace(NBSP, " "))
    assert counted
    wrong = [
        (count, noun)
        for count, noun in counted
        if noun not in FORMS[language][classify(count, language)]
    ]
    assert wrong == []
