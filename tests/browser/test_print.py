"""On paper a page is light, whole and not long, whichever theme was chosen."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pages import Visit

A4_WITHIN_MARGINS_PX = 794 - 2 * 53
MOST_SHEETS = {"en/": 4, "en/matrix/": 12, "ru/questions/": 24, "en/theory/gil/": 8}
FIND_WIDE = """most => [...document.querySelectorAll("article table, article svg, article pre")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > most)
  .map(one => one.tagName + " " + (one.className.baseVal ?? one.className))"""
"""What reaches beyond the paper, which a printer cuts off."""
READ_COLOUR = "name => getComputedStyle(document.body).getPropertyValue(name).trim()"


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        *(("en/", "light"), ("ru/matrix/", "dark"), ("en/claims/", "dark")),
        *(("ru/theory/gil/", "light"), ("en/tickets/", "dark")),
    ],
)
def test_paper_is_light_and_nothing_on_it_is_cut_off(visit: Visit, path: str, scheme: str) -> None:
    size = {"width": A4_WITHIN_MARGINS_PX, "height": 1000}
    page = visit(path, color_scheme=scheme, viewport=size)
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate(FIND_WIDE, size["width"] + 1) == []
    assert page.evaluate(READ_COLOUR, "--md-default-bg-color") == "#fdfcf9"
    assert page.evaluate(READ_COLOUR, "--chart-ink") == "#1d2327"


@pytest.mark.parametrize("path", list(MOST_SHEETS))
def test_a_page_takes_few_sheets_and_is_as_it_was_after_printing(visit: Visit, path: str) -> None:
    page = visit(path)
    folds = page.locator("details > noscript")
    waiting = folds.count()
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= MOST_SHEETS[path]
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    expect(folds).to_have_count(waiting)
