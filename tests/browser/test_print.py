"""On paper a page is light, whole and not long, whichever theme was chosen."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pages import Visit

A4_WITHIN_MARGINS_PX = 794 - 2 * 53
FIND_WIDE = """most => [...document.querySelectorAll("article table, article svg, article pre")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > most)
  .map(one => one.tagName + " " + (one.className.baseVal ?? one.className))"""
"""What reaches beyond the paper, which a printer cuts off."""
READ_COLOUR = "name => getComputedStyle(document.body).getPropertyValue(name).trim()"


@pytest.mark.parametrize(
    ("path", "scheme", "most_sheets"),
    [
        ("en/", "light", 4),
        ("ru/matrix/", "dark", 12),
        ("ru/questions/", "light", 24),
        ("en/theory/gil/", "dark", 8),
        ("en/claims/", "dark", None),
        ("en/tickets/", "light", None),
    ],
)
def test_paper_is_light_few_and_whole_and_the_page_is_as_it_was_after_printing(
    visit: Visit, path: str, scheme: str, most_sheets: int | None
) -> None:
    size = {"width": A4_WITHIN_MARGINS_PX, "height": 1000}
    page = visit(path, color_scheme=scheme, viewport=size)
    if most_sheets:
        folds = page.locator("details > noscript")
        waiting = folds.count()
        printed = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= most_sheets
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        expect(folds).to_have_count(waiting)
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate(FIND_WIDE, size["width"] + 1) == []
    assert page.evaluate(READ_COLOUR, "--md-default-bg-color") == "#fdfcf9"
    assert page.evaluate(READ_COLOUR, "--chart-ink") == "#1d2327"
