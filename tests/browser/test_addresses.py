"""Links that were given to others go on working: on scrolling, in either language, after a move."""

from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from scripts.site.declare.addresses import read_addresses
from tests.browser.markup import read_markup
from tests.browser.visitor import LANGUAGES, Site, Visitor, lay_out, switch_to

QUESTION = "questions/#q-threads-compute"
CLAIM = "claims/#claim-cpu-processes-beat-sequential"
CHART = "sleep/#lines-sleep-io-inside-s-p02p04"
CHOICE = "choose/#choice-images"


@pytest.fixture(scope="module")
def built(site: Site) -> "_Built":
    return _Built(site)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_permanent_address_is_there_or_leads_on(built: "_Built", language: str) -> None:
    known = read_addresses()
    listed = known.kept | known.charts | known.moved.keys()
    assert [one for one in sorted(listed) if not built.has(language, known.follow(one))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_has_moved_is_told_by_the_page_where_it_was(built: "_Built", language: str) -> None:
    moved = {old.partition("#")[0] for old in read_addresses().moved}
    assert [page for page in moved if not built.tells_moves(language, page)] == []


@pytest.mark.parametrize("address", [QUESTION, CLAIM, CHART, CHOICE])
def test_an_address_stays_as_it_was_while_one_scrolls(visitor: Visitor, address: str) -> None:
    with visitor.open(f"en/{address}") as page:
        for _ in range(5):
            page.mouse.wheel(0, 60)
            page.wait_for_timeout(100)
        expect(page).to_have_url(f"{visitor.site.url}en/{address}")


def test_a_linked_question_is_open_and_the_others_are_not(visitor: Visitor) -> None:
    with visitor.open(f"en/{QUESTION}") as page:
        expect(page.locator("details.question[open]")).to_have_count(1)
        expect(page.locator("#q-threads-compute + details")).to_have_attribute("open", "")


@pytest.mark.parametrize(("address", "anchor"), [(CLAIM, "claim"), (CHART, "chart")])
def test_a_sign_is_a_link_to_its_place_and_copies_it(
    visitor: Visitor, address: str, anchor: str
) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with visitor.open(f"en/{address.partition('#')[0]}", permissions=allowed) as page:
        sign = page.locator(f"a.claim-anchor[href='#{address.partition('#')[2]}']")
        assert anchor in (sign.get_attribute("aria-label") or "")
        sign.click()
        whole = f"{visitor.site.url}en/{address}"
        expect(page).to_have_url(whole)
        expect(page.locator(".copied")).not_to_be_empty()
        assert page.evaluate("navigator.clipboard.readText()") == whole


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("claims/?status=refuted#all", "claims/?status=refuted#all"),
        ("choose/?work=cpu#answers", "choose/?work=cpu#answers"),
        ("matrix/?python=a#p12", "matrix/p12/?python=a"),
    ],
)
def test_the_switch_keeps_what_was_asked_for(visitor: Visitor, address: str, leads_to: str) -> None:
    with visitor.open(f"en/{address}") as page:
        expect(page).to_have_url(f"{visitor.site.url}en/{leads_to}")
        switch_to(page, "ru")
        expect(page).to_have_url(f"{visitor.site.url}ru/{leads_to}")


def test_the_switch_keeps_the_section_that_one_has_scrolled_to(visitor: Visitor) -> None:
    with visitor.open("en/theory/gil/") as page:
        lay_out(page)
        page.locator("#unsafe").evaluate("one => one.scrollIntoView()")
        switch_to(page, "ru")
        page.wait_for_url("**/ru/theory/gil/#unsafe")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_is_a_picture_beside_its_page(site: Site, language: str) -> None:
    pictures = list((site.folder / language).rglob("*.svg"))
    others = {"assets", "img", "timelines"}
    charts = [path for path in pictures if not others.intersection(path.parts)]
    assert charts
    for path in charts:
        root = ET.parse(path).getroot()
        assert float(root.attrib["width"]) > 0
        assert "--chart-ink" in path.read_text(encoding="utf-8")


def test_a_page_whose_anchors_have_moved_leads_on_with_the_question(visitor: Visitor) -> None:
    """As many as are listed; where none are there is nothing to follow."""
    for old, new in list(_list_anchors())[:2]:
        page_, _, anchor = old.partition("#")
        with visitor.open(f"en/{page_}?a=b#{anchor}") as page:
            page_, _, anchor = new.partition("#")
            page.wait_for_url(f"**/en/{page_}?a=b{'#' if anchor else ''}{anchor}")


def _list_anchors() -> Iterator[tuple[str, str]]:
    known = read_addresses()
    return ((old, known.follow(old)) for old in sorted(known.moved) if "#" in old)


class _Built:
    """The ids of the built pages, each read once."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.read = cache(read_markup)

    def has(self, language: str, address: str) -> bool:
        page, _, anchor = address.partition("#")
        file = self.site.folder / language / page / "index.html"
        return file.is_file() and (not anchor or anchor in self.read(file).ids)

    def tells_moves(self, language: str, page: str) -> bool:
        file = self.site.folder / language / page / "index.html"
        known = read_addresses().list_moved(page)
        text = file.read_text(encoding="utf-8")
        return all(
            f'"{anchor}": "{"../" * page.count("/")}{now}"' in text for anchor, now in known.items()
        )
