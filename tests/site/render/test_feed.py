"""The feed has what is decided, and an entry anew only when the answer has become another."""

from xml.etree import ElementTree as ET

import pytest

from scripts.harness.texts import list_languages
from scripts.site.judge.verification import CheckedClaim
from scripts.site.render.claim_list import make_feed
from scripts.site.render.words import load_words
from tests.factories import NOW, TERMS
from tests.site.render.test_claims import change, check, make_records

ATOM = "{http://www.w3.org/2005/Atom}"
HOME = "https://a.example/fork/en/"


def read_feed(*claims: CheckedClaim, language: str = "en") -> ET.Element:
    words = load_words(language).add(TERMS)
    return ET.fromstring(make_feed(claims, {"lab": NOW}, HOME, words))


def list_ids(feed: ET.Element) -> list[str | None]:
    return [one.findtext(f"{ATOM}id") for one in feed.iter(f"{ATOM}entry")]


@pytest.mark.parametrize("language", list_languages())
def test_it_has_what_a_feed_must_have(language: str) -> None:
    feed = read_feed(check(), language=language)
    for element in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert element.findtext(f"{ATOM}{name}")
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    assert feed.findtext(f"{ATOM}entry/{ATOM}updated") == "2026-01-02T03:04:05+00:00"
    link = feed.find(f"{ATOM}entry/{ATOM}link")
    assert link is not None
    assert link.get("href") == f"{HOME}claims/#claim-pool-is-faster"


def test_measured_anew_an_entry_stays_and_refuted_it_is_another() -> None:
    before, again = read_feed(check()), read_feed(check(records=make_records((0.4,) * 5)))
    refuted = read_feed(check(records=make_records((2.0,) * 5)))
    assert list_ids(before) == list_ids(again)
    assert list_ids(refuted) != list_ids(before)
    title = refuted.findtext(f"{ATOM}entry/{ATOM}title")
    assert title is not None
    assert title.startswith("Refuted: A pool takes 2.0")


def test_what_is_not_decided_is_not_in_it() -> None:
    assert list_ids(read_feed(check(records=()))) == []


def test_text_of_a_claim_stays_text() -> None:
    feed = read_feed(check(change(text={"en": "a < b & {left}", "ru": ""})))
    assert "a < b & 0.50" in str(feed.findtext(f"{ATOM}entry/{ATOM}title"))
