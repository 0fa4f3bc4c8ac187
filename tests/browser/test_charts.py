"""Charts can be seen and read in both themes; a point tells its value to pointer, touch and keys."""

import re
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LANGUAGES, Site, Visit, lay_out

FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[^"]+)"(?P<drawn>.*?)</figure>', re.DOTALL
)
MOST_LINES = 5
CHART = "figure.chart:has(> svg.wide):visible"
PICTURE = "figure.chart svg:visible:has(.point)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_is_a_picture_beside_its_page(site: Site, language: str) -> None:
    pictures = (site.folder / language).rglob("*.svg")
    others = {"assets", "img"}
    charts = [path for path in pictures if not others.intersection(path.parts)]
    assert charts
    for path in charts:
        assert float(ET.parse(path).getroot().attrib["width"]) > 0
        assert "--chart-ink" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_chart_has_more_lines_than_an_eye_can_follow(site: Site, language: str) -> None:
    lines = {}
    for page in (site.folder / language).rglob("index.html"):
        for figure in FIGURE.finditer(page.read_text(encoding="utf-8")):
            legend = figure["drawn"].partition('<ul class="chart-legend">')[2].partition("</ul>")[0]
            lines[figure["id"]] = legend.count('"key-line')
    assert max(lines.values()) > 1
    assert {id_ for id_, count in lines.items() if count > MOST_LINES} == set()


@pytest.mark.parametrize("width", [360, 1280])
def test_of_the_two_widths_of_a_chart_one_is_seen(visit: Visit, width: int) -> None:
    charts = visit("en/matrix/", viewport={"width": width, "height": 900}).locator(CHART)
    assert {chart.locator("svg:visible").count() for chart in charts.all()} == {1}


def reach(page: Page, how: str) -> None:
    """Reach the second point of the first picture."""
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
def test_a_point_tells_its_value_and_escape_hides_it(visit: Visit, how: str) -> None:
    page = visit("en/sleep/", has_touch=how == "touch")
    tip = page.get_by_role("status").and_(page.locator(".chart-tip"))
    lay_out(page)
    height = page.evaluate("document.documentElement.scrollHeight")
    reach(page, how)
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("task")
    assert page.evaluate("document.documentElement.scrollHeight") == height
    page.locator(PICTURE).first.press("Escape")
    expect(tip).to_be_hidden()
