"""A point of a chart tells its value to pointer, touch and keys, and moves nothing on the page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor, lay_out

PICTURE = "figure.chart svg:visible:has(.point)"
LEAST_PX = 11
MEASURE_TEXTS = """svg => Math.min(...[...svg.querySelectorAll("text")].map(text =>
    parseFloat(getComputedStyle(text).fontSize)
    * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))"""


def reach(page: Page, how: str) -> None:
    """The second point of the first picture."""
    picture = page.locator(PICTURE).first
    picture.scroll_into_view_if_needed()
    if how == "keys":
        picture.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        return
    box = picture.locator(".point").nth(1).bounding_box()
    assert box
    at = box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2 + 2
    if how == "touch":
        page.touchscreen.tap(*at)
    else:
        page.mouse.move(*at)


@pytest.mark.parametrize("how", ["pointer", "touch", "keys"])
def test_a_point_tells_its_value_and_escape_hides_it(visitor: Visitor, how: str) -> None:
    with visitor.open("en/sleep/", has_touch=how == "touch") as page:
        tip = page.get_by_role("status").and_(page.locator(".chart-tip"))
        lay_out(page)
        height = page.evaluate("document.documentElement.scrollHeight")
        reach(page, how)
        expect(tip).to_be_visible()
        expect(tip).to_contain_text("task")
        assert page.evaluate("document.documentElement.scrollHeight") == height
        page.locator(PICTURE).first.press("Escape")
        expect(tip).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1280])
def test_text_in_a_picture_can_be_read(visitor: Visitor, width: int) -> None:
    with visitor.open("ru/sleep/", viewport={"width": width, "height": 800}) as page:
        for picture in page.locator(PICTURE).all():
            assert picture.evaluate(MEASURE_TEXTS) >= LEAST_PX
