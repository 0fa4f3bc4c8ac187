"""A claim can be quoted: what it says here, on which machine, when, and where it stands."""

import pytest

from scripts.site.page import claims, context
from scripts.site.page.claims import cite_claim
from scripts.site.page.context import Place
from scripts.site.render.words import load_words
from tests.factories import TERMS
from tests.site.render.markup import make_evidence, read
from tests.site.render.test_claims import check, make_records

EN = load_words("en").add(TERMS)


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "_place", Place(source="matrix.md", url="matrix/"))
    monkeypatch.setattr(claims, "gather", lambda _: make_evidence(make_records()))


@pytest.mark.parametrize("root", ["", "https://fork.example/fork/"])
def test_it_has_sentence_status_machine_python_day_and_a_link(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITE_URL", root)
    told = read(cite_claim(check(), EN))
    assert told.startswith("“A pool takes 0.50 s instead of 1.0 s")
    assert "Here: confirmed. Example, 2 cores, cpython-3.13.0, 2 January 2026." in told
    assert told.endswith(f"{root}en/matrix/#claim-pool-is-faster")


def test_what_was_not_tried_here_is_not_quoted() -> None:
    assert cite_claim(check(records=[]), EN) == ""
