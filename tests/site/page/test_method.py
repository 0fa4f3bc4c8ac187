"""The Method page tells what each version of the protocol changed."""

import re

import pytest

from scripts.harness.dependencies import PROTOCOL
from scripts.harness.experiment import BUDGETS_S
from scripts.harness.paths import DOCS
from scripts.harness.rounds import LEVELS
from scripts.site.declare.texts import list_languages

SPELT_S = {
    "eleven minutes": 660,
    "three hours": 10_800,
    "одиннадцать минут": 660,
    "три часа": 10_800,
}
VERSION = re.compile(r"^\| (\d+) \| (\d{4}-\d{2}-\d{2}) \| \S", re.MULTILINE)


def read_versions(language: str) -> list[tuple[str, str]]:
    """The versions and their dates as the page's section has them."""
    page = (DOCS / language / "method.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("{#protocol}")
    return VERSION.findall(rest.partition("\n## ")[0])


@pytest.mark.parametrize("language", list_languages())
def test_each_version_up_to_the_present_one_is_explained_newest_first(language: str) -> None:
    numbers = [int(number) for number, _ in read_versions(language)]
    assert numbers == list(range(PROTOCOL, 0, -1))


def test_all_languages_date_the_versions_alike() -> None:
    english, *others = map(read_versions, list_languages())
    assert all(other == english for other in others)
    dates = [date for _, date in english]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("language", list_languages())
def test_the_steps_of_further_rounds_are_those_there_are(language: str) -> None:
    page = (DOCS / language / "method.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("{#rounds}")
    steps = re.search(rf"\b{LEVELS[0]}, {LEVELS[1]}\b[^.;]*\b{LEVELS[-1]}\b", rest)
    assert steps
    assert tuple(map(int, re.findall(r"\d+", steps[0]))) == LEVELS


@pytest.mark.parametrize("language", list_languages())
def test_the_budgets_of_further_rounds_are_those_there_are(language: str) -> None:
    page = (DOCS / language / "method.md").read_text(encoding="utf-8")
    told = re.search(r"`quick` \D{,80}?,\D*`full` \D*`smoke`", page)
    assert told
    times_s = [SPELT_S[found] for found in re.findall("|".join(SPELT_S), told[0])]
    assert times_s == [BUDGETS_S["quick"], BUDGETS_S["full"]]
    assert not BUDGETS_S["smoke"]
