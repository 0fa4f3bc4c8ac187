"""A timeline is zoomed in time by button, key, wheel and two fingers, and moved by dragging."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from scripts.harness.paths import DOCS
from tests.factories import make_timeline
from tests.site.render.test_timeline import show

SCRIPT = (DOCS / "theme" / "assets" / "charts.js").read_text(encoding="utf-8")
STYLE = "svg { width: 600px; touch-action: pan-y }"
LABELS = "texts => texts.map(one => one.textContent)"


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
