"""On paper a page is light, whole and not long, whichever theme was chosen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor

A4_PX = 794
MOST_PAGES = {"en/": 4, "en/matrix/": 12, "ru/questions/": 24, "en/theory/gil/": 8}

FIND_WIDE = """most => [...document.querySelectorAll("article table, article svg, article pre")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > most)
  .map(one => one.tagName + " " + (one.className.baseVal ?? one.className))"""
"""What reaches beyond the paper, which a printer cuts off."""


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        *(("en/", "light"), ("ru/matrix/", "dark"), ("en/claims/", "dark")),
        *(("ru/theory/gil/", "light"), ("en/tickets/", "dark")),
    ],
)
def test_paper_is_light_and_nothing_on_it_is_cut_off(
    visitor: Visitor, path: str, scheme: str
) -> None:
    margins = 2 * 53
    size = {"width": A4_PX - margins, "height": 1000}
    with visitor.open(path, color_scheme=scheme, viewport=size) as page:
        page.emulate_media(media="print", color_scheme=scheme)
        assert page.evaluate(FIND_WIDE, size["width"] + 1) == []
        assert _read_colour(page, "--md-default-bg-color") == "#fdfcf9"
        assert _read_colour(page, "--chart-ink") == "#1d2327"


@pytest.mark.parametrize("path", list(MOST_PAGES))
def test_a_page_takes_few_sheets(visitor: Visitor, path: str) -> None:
    with visitor.open(path) as page:
        printed = page.pdf(format="A4", prefer_css_page_size=True)
    sheets = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    assert sheets <= MOST_PAGES[path]


def test_a_page_printed_twice_takes_as_many_sheets(visitor: Visitor) -> None:
    with visitor.open("en/matrix/") as page:
        folds = page.locator("details > noscript")
        waiting = folds.count()
        page.pdf(format="A4")
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        assert waiting
        expect(folds).to_have_count(waiting)


def test_answers_are_printed_without_being_opened(visitor: Visitor) -> None:
    with visitor.open("en/questions/") as page:
        page.emulate_media(media="print")
        answer = page.locator("#q-threads-compute + details.question p").first
        assert (answer.bounding_box() or {"height": 0})["height"] > 0


def _read_colour(page: Page, name: str) -> str:
    told = "name => getComputedStyle(document.body).getPropertyValue(name)"
    return str(page.evaluate(told, name)).strip()
