"""A reader chooses a Python: it stays in the address, for every table.

The site that other tests look at is of one Python, so the block stands on a page of its own.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scripts.harness.paths import DOCS
from scripts.site.judge.judge import Evidence
from scripts.site.render.gains import show_places
from scripts.site.render.html import block
from scripts.site.render.words import load_words
from tests.factories import make_build, make_record, make_variant
from tests.site.render.markup import make_evidence

ADDRESS = "http://site.example/en/matrix/"
ASSETS = DOCS / "theme" / "assets"
PYTHONS = [make_build(version) for version in ("3.13.0", "3.12.1", "3.9.2")]
OpenPage = Callable[..., Page]


def measure() -> Evidence:
    """A plain program, and one that is twice as fast on the newest Python alone."""
    records = []
    for python in PYTHONS:
        fast_s = 1.0 if python is PYTHONS[0] else 2.0
        for program, wall_s in (("01-io-sequential", 2.0), ("04-io-thread_pool", fast_s)):
            variant = make_variant(program=program, interpreter=python.id)
            records.append(make_record(variant, [wall_s] * 5))
    return make_evidence(records, PYTHONS)


def show_measured() -> str:
    """A block with a column for each of several Pythons."""
    return block(show_places([measure()], load_words("en"), ""), kind="places")


def answer(route: Route, shown: str) -> None:
    scripts = [(ASSETS / name).read_text(encoding="utf-8") for name in ("site.js", "filter.js")]
    tags = "".join(f"<script>{script}</script>" for script in scripts)
    body = f"<!doctype html><title>t</title>{shown}{tags}"
    route.fulfill(content_type="text/html; charset=utf-8", body=body)


@pytest.fixture
def open_page(new_context: Callable[..., Any]) -> OpenPage:
    """Opens a page with the block."""

    def opened(tail: str = "") -> Page:
        page: Page = new_context().new_page()
        page.context.route("**/*", lambda route: answer(route, show_measured()))
        page.goto(ADDRESS + tail)
        return page

    return opened


def expect_heads(page: Page, *pythons: str) -> None:
    """Waits until the columns of those Pythons can be seen, and no others."""
    heads = page.locator("table.places thead tr:last-child th:not(:first-child):visible")
    expect(heads).to_have_text(pythons)


def test_of_the_columns_of_machines_those_of_the_chosen_python_stay(open_page: OpenPage) -> None:
    page = open_page()
    expect_heads(page, "3.13", "3.12", "3.9")
    page.locator(".pythons-form select").select_option("3.12")
    expect_heads(page, "3.12")
    cells = page.locator("table.places tbody tr").last.locator("td")
    for cell, is_seen in zip(cells.all(), (False, True, False), strict=True):
        expect(cell).to_be_visible(visible=is_seen)
    group = page.locator("table.places thead th[scope=colgroup]")
    expect(group).to_have_attribute("colspan", "1")
    expect(page).to_have_url(f"{ADDRESS}?python=3.12")
    page.locator(".pythons-form select").select_option("")
    expect_heads(page, "3.13", "3.12", "3.9")


@pytest.mark.parametrize(
    ("tail", "seen"), [("?python=3.12", ["3.12"]), ("?python=2.7", ["3.13", "3.12", "3.9"])]
)
def test_an_address_brings_its_python_along(
    open_page: OpenPage, tail: str, seen: list[str]
) -> None:
    expect_heads(open_page(tail), *seen)
