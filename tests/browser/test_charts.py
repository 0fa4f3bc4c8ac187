"""Charts can be seen and read in both themes; a point tells its value, a timeline is zoomed and moved."""

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Locator, Page, expect

from scripts.site.paths import DOCS
from tests.browser.pages import LANGUAGES, Site, Visit, lay_out
from tests.factories import make_timeline
from tests.site.render.test_timeline import show

FIGURE_ID = re.compile(r'<figure class="chart[^"]*" id="([^"]*)"')
FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[^"]+)"(?P<drawn>.*?)</figure>', re.DOTALL
)
MOST_LINES = 5
CHART = "figure.chart:has(> svg.wide):visible"
PICTURE = "figure.chart svg:visible:has(.point)"
SCRIPT = (DOCS / "theme" / "assets" / "charts.js").read_text(encoding="utf-8")
STYLE = "svg { width: 600px; touch-action: pan-y }"
LABELS = "texts => texts.map(one => one.textContent)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_is_linked_and_has_its_files_beside_its_page(
    site: Site, language: str
) -> None:
    kinds = set()
    for page in (site.folder / language).rglob("index.html"):
        text = page.read_text(encoding="utf-8")
        for id_ in FIGURE_ID.findall(text):
            kinds.add(id_.partition("-")[0])
            assert f'href="#{id_}" title=' in text
            assert f'href="{id_}.png"' in text
            known = json.loads((page.parent / f"{id_}.json").read_text(encoding="utf-8"))
            assert all((page.parent / name).stat().st_size for name in known["files"].values())
            assert known["title"]
            picture = (page.parent / f"{id_}.svg").read_text(encoding="utf-8")
            assert float(ET.fromstring(picture).attrib["width"]) > 0
            assert "--chart-ink" in picture
    assert {"chart", "lines", "timeline", "drawing", "scene"} <= kinds


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


@pytest.fixture
def page(new_context: Callable[..., Any]) -> Page:
    """A page with one timeline, on a device that has a mouse and fingers."""
    page: Page = new_context(has_touch=True).new_page()
    figure = show(make_timeline())
    page.set_content(f"<html lang=en><style>{STYLE}</style>{figure}<script>{SCRIPT}</script>")
    return page


@pytest.fixture
def picture(page: Page) -> Locator:
    return page.locator(".timeline-lanes svg")


def read_view(picture: Locator) -> list[float]:
    """Where the picture begins, and how much of it is shown."""
    left, _, width, _ = map(float, (picture.get_attribute("viewBox") or "").split())
    return [round(left), round(width)]


def touch(page: Page, *moves: tuple[float, ...]) -> None:
    """Put fingers on the picture, move them and take them away; each move has the place of each."""
    session = page.context.new_cdp_session(page)
    box = page.locator(".timeline-lanes svg").bounding_box()
    assert box
    for kind, places in zip(["touchStart", *["touchMove"] * len(moves)], moves, strict=False):
        points = [
            {"x": box["x"] + place, "y": box["y"] + 20, "id": finger}
            for finger, place in enumerate(places)
        ]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_buttons_zoom_about_the_middle_and_the_axis_gets_finer(
    page: Page, picture: Locator
) -> None:
    axis = page.locator(".timeline-axis text")
    before = axis.evaluate_all(LABELS)
    page.locator("button[value='0.5']").click()
    page.locator("button[value='0.5']").click()
    assert read_view(picture) == [375, 250]
    after = axis.evaluate_all(LABELS)
    assert 3 <= len(after) <= len(before) + 2
    assert set(after).isdisjoint({before[0], before[-1]})
    page.locator("button[value='2']").click()
    page.locator("button[value='2']").click()
    assert read_view(picture) == [0, 1000]
    assert page.locator("button[value='2']").is_disabled()


def test_keys_zoom_move_and_show_the_whole_again(page: Page, picture: Locator) -> None:
    picture.press("+")
    picture.press("Shift+ArrowRight")
    assert read_view(picture) == [375, 500]
    picture.press("0")
    assert read_view(picture) == [0, 1000]


def test_the_wheel_zooms_with_ctrl_alone_and_dragging_moves(page: Page, picture: Locator) -> None:
    box = picture.bounding_box()
    assert box
    left, top = box["x"], box["y"] + 20
    page.mouse.move(left + 300, top)
    page.mouse.wheel(0, -100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function("document.querySelector('.timeline-zoomed')")
    assert read_view(picture) == [100, 800]
    page.mouse.down()
    page.mouse.move(left + 345, top)
    page.mouse.up()
    assert read_view(picture) == [40, 800]


def test_two_fingers_zoom_and_one_moves(page: Page, picture: Locator) -> None:
    touch(page, (250, 350), (225, 350), (225, 375), (200, 400))
    page.wait_for_function("document.querySelector('.timeline-zoomed')")
    left, width = read_view(picture)
    assert abs(left - 250) < 10
    assert width == 500
    touch(page, (300,), (290,), (240,))
    page.wait_for_function("document.querySelector('svg').viewBox.baseVal.x > 260")
    assert read_view(picture)[1] == 500
