"""Nor does what readers bring about keep anyone out: menus and folds open, tables filtered."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import find_faults, unfold
from tests.browser.visitor import Visitor

TELEPHONE = {"width": 360, "height": 740}


@pytest.mark.parametrize(
    ("path", "done"),
    [
        pytest.param("matrix/?cores=1&order=time#answer", "", id="filtered table"),
        pytest.param("claims/?status=refuted#all", "", id="filtered claims"),
        pytest.param("choose/?work=cpu", "", id="answer"),
        pytest.param("matrix/", ".overview .verdict", id="sign"),
        pytest.param("matrix/p12/", ".md-header [for=__drawer]", id="menu"),
    ],
)
def test_axe_finds_nothing_on_a_phone(visitor: Visitor, path: str, done: str) -> None:
    with visitor.open(f"ru/{path}", viewport=TELEPHONE) as page:
        unfold(page)
        if done:
            page.locator(done).first.click()
        assert find_faults(page) == []


def test_the_meaning_of_signs_is_told_to_keys(visitor: Visitor) -> None:
    with visitor.open("en/matrix/") as page:
        fold = page.locator(".evidence-results details.signs").first
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(fold.get_by_text("few trials: fewer than")).to_be_visible()


def test_a_filtered_list_of_claims_has_those_alone(visitor: Visitor) -> None:
    with visitor.open("en/claims/") as page:
        every = page.locator(".claims-list > .claim")
        shown = page.locator(".claims-list > .claim:visible")
        assert every.count() > 100
        expect(shown).to_have_count(every.count())
        undecided = page.locator(""".claims-list > .claim[data-checks*='["undecided",']""")
        assert 0 < undecided.count() < every.count()
        form = page.locator(".claims-filter")
        form.locator("[name=status]").select_option("undecided")
        expect(page).to_have_url(re.compile("status=undecided"))
        expect(shown).to_have_count(undecided.count())
        expect(undecided.locator("visible=true")).to_have_count(undecided.count())
        expect(form.locator("output")).to_contain_text(str(undecided.count()))
