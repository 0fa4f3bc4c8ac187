"""No page keeps anyone out: axe has nothing serious to say in either colour scheme."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.site.visitor import PAGES, Visitor

COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe asks of colours at the levels A and AA."""


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious_also_when_a_page_becomes_dark_with_the_system(
    visitor: Visitor, path: str
) -> None:
    with visitor.open(f"en/{path}", color_scheme="light") as page:
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
        assert find_serious(page) == []
        page.emulate_media(color_scheme="dark")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        assert find_serious(page, runOnly=COLOURS) == []


@pytest.mark.parametrize("path", PAGES)
def test_nor_in_the_other_language_whose_colours_are_the_same(visitor: Visitor, path: str) -> None:
    with visitor.open(f"ru/{path}") as page:
        assert find_serious(page, rules={name: {"enabled": False} for name in COLOURS}) == []


def find_serious(page: Page, **options: Any) -> list[str]:
    """What axe complains of, with what stands where."""
    asked = {"resultTypes": ["violations"], **options}
    return [
        f"{violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in Axe().run(page, options=asked).response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"][:3]
    ]
