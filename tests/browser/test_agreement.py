"""No page contradicts another: an answer and a claim are told alike wherever they stand.

Read from the built site as a reader has it: the rows of Home and Choose, the answers among the
Questions, and how every claim came out. What verdicts, answers and titles rest on is tested in
``tests/site/test_voice.py``.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from scripts.site.declare.declarations import load_declarations
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, Site
from tests.site.render.markup import read

DECLARED = load_declarations()
CHOICES = {choice.id: choice for choice in DECLARED.choices}


class Answer(NamedTuple):
    """What a page shows of a choice: its program, its claim, and what came of that."""

    take: str
    claim: str
    status: str


@pytest.fixture(scope="module", params=LANGUAGES)
def pages(site: Site, request: pytest.FixtureRequest) -> Mapping[str, str]:
    """The HTML of every page of a language by its name; of Home, ``index``."""
    names = site.list_pages(request.param)
    read_pages = {name.rstrip("/"): site.read(f"{request.param}/{name}") for name in names}
    return {**read_pages, "index": read_pages[""], "language": request.param}


def read_evidence(page: str) -> dict[str, Answer]:
    """What a page shows of each choice that it shows."""
    found = re.findall(
        r'#choice-([a-z-]+)"(?:(?!choice-evidence|#choice-).)*?<div class="choice-evidence" '
        r'data-take="([^"]*)" data-claim="([^"]*)" data-status="([^"]*)"',
        page,
        re.DOTALL,
    )
    return {id_: Answer(*told) for id_, *told in found}


def read_claims(page: str) -> dict[str, str]:
    """The status of each claim in the list of all."""
    found = re.findall(r'<li class="claim claim-([a-z-]+)" id="claim-([a-z0-9-]+)"', page)
    return {id_: status for status, id_ in found}


def read_shown(page: str) -> set[tuple[str, str]]:
    """Each claim that a page shows whole or opens with, and its status."""
    whole = re.findall(
        r'evidence-claim" id="claim-([a-z0-9-]+)"><p class="claim claim-text claim-([a-z-]+)"', page
    )
    opening = re.findall(
        r'<li><span class="claim-status claim-([a-z-]+)"(?:(?!</li>).)*?#claim-([a-z0-9-]+)"',
        page,
        re.DOTALL,
    )
    return {*whole, *((id_, status) for status, id_ in opening)}


def find_contradictions(pages: Mapping[str, str]) -> Iterator[str]:
    """A line for each thing of which two pages tell different things.

    Args:
        pages: the HTML of each by its name, and their language.
    """
    yield from _compare_answers(pages)
    yield from _compare_claims(pages)


def _compare_answers(pages: Mapping[str, str]) -> Iterator[str]:
    choose = read_evidence(pages["choose"])
    for id_, told in read_evidence(pages["questions/middle"]).items():
        if told != choose.get(id_):
            yield f"questions and choose: {id_}: {told}, {choose.get(id_)}"


def _compare_claims(pages: Mapping[str, str]) -> Iterator[str]:
    """How a claim came out is told alike wherever it stands."""
    statuses = read_claims(pages["claims"])
    for name, page in pages.items():
        for id_, status in sorted(read_shown(page)):
            if statuses[id_] != status:
                yield f"{name} and claims: {id_} is {status}, {statuses[id_]}"


def test_choose_questions_matrix_and_claims_recommend_the_same(
    pages: Mapping[str, str],
) -> None:
    assert list(find_contradictions(pages)) == []


def test_every_page_was_read(pages: Mapping[str, str]) -> None:
    shown = {name: set(read_evidence(page)) for name, page in pages.items()}
    assert shown["choose"] == CHOICES.keys()
    assert len(shown["questions/middle"]) >= 4
    claims = [one for several in DECLARED.claims.values() for one in several]
    assert set(read_claims(pages["claims"])) == {one.id for one in claims}


def test_the_advice_of_a_choice_is_in_the_same_words_wherever_it_stands(
    pages: Mapping[str, str],
) -> None:
    words = load_words(pages["language"])
    for name in ("choose", "questions/middle"):
        text = read(pages[name]).casefold()
        for id_ in read_evidence(pages[name]):
            assert read(words.choose(CHOICES[id_].advice)).casefold() in text


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (
            "native",
            r'(evidence-claim" id="[^"]*"><p class="claim claim-text claim-)[a-z-]+',
            r"\1other",
        ),
    ],
)
def test_a_page_that_says_otherwise_is_found(
    pages: Mapping[str, str], name: str, old: str, new: str
) -> None:
    changed = re.sub(old, new, pages[name], count=1)
    assert changed != pages[name]
    poisoned = {**pages, name: changed}
    found = list(find_contradictions(poisoned))
    assert any(name in line for line in found)
