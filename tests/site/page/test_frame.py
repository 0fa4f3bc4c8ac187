"""The frame of a block: it says where the numbers come from, and when there are none."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from scripts.harness.declaration import Code, Reason
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.page import context, frame
from scripts.site.page.context import Place
from scripts.site.page.frame import show_measured
from scripts.site.render.words import Words, load_words
from tests.factories import EXITED, make_record, make_variant, replace
from tests.site.render.markup import make_evidence, read

EN = load_words("en")


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = SimpleNamespace(declared=SimpleNamespace(terms={}))
    monkeypatch.setattr(frame, "open_pipeline", lambda: pipeline)
    monkeypatch.setattr(context, "_place", Place(source="theory/gil.md", url="theory/gil/"))


def draw(evidence: Evidence, words: Words) -> str:
    del evidence, words
    return '<a href="#p01">01</a><a href="#picture">picture</a>'


def fail(record: Record) -> Record:
    return replace(record, status="failed", reason=EXITED, timed=(), traced=())


def test_links_to_programs_lead_to_their_page_and_others_stay() -> None:
    shown = show_measured(make_evidence([make_record()]), draw)
    assert 'href="../../../en/lab/#p01"' in shown
    assert 'href="#picture"' in shown


def read_provenance(evidence: Evidence, families: Sequence[str] = (), **chosen: Any) -> str:
    return read(show_measured(evidence, draw, families, **chosen)).partition("Measured on ")[2]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("left-out", True),
        ("measuring-off", True),
        ("another-machine", False),
    ],
)
def test_what_was_never_run_says_why_instead_of_being_drawn(
    monkeypatch: pytest.MonkeyPatch, language: str, code: Code, hint: bool
) -> None:
    monkeypatch.setattr(context, "_place", Place(language=language, url="theory/gil/"))
    words, reason = load_words(language), Reason(code)
    absent = replace(fail(make_record()), status="unavailable", reason=reason)
    evidence = replace(make_evidence([absent]), absence=reason)
    shown = read(show_measured(evidence, draw))
    assert f"{words.text('not_measured')}: {words.reason(reason)}." in shown
    assert ("make site" in shown) is hint
    assert "picture" not in shown


def test_of_records_that_are_no_longer_valid_it_says_so() -> None:
    old = make_record()
    evidence = make_evidence([old])
    assert EN.text("outdated") not in read_provenance(evidence)
    assert EN.text("outdated") in read_provenance(
        replace(evidence, outdated=frozenset([old.variant]))
    )
    fresh = replace(evidence, outdated=frozenset([make_variant(program="another")]))
    assert EN.text("outdated") not in read_provenance(fresh)
