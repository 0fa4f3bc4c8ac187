"""What axe says of a page: everything of our own markup, of the theme's what is serious."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe asks of colours at the levels A and AA."""
OTHERS: dict[str, Any] = {"rules": {name: {"enabled": False} for name in COLOURS}}
"""All that it asks besides."""
OWN = """targets => targets.filter(one => {
  const found = document.querySelector(one);
  return found?.closest("article, .search-dialog, .search-open") && !found.closest(".md-code__nav");
})"""
"""Of what axe has found, what stands in markup of ours: the buttons of code are the theme's."""
SETTLED = "*, ::before, ::after { transition: none !important; animation: none !important }"
"""Colours on their way from one theme to another are nobody's."""
UNFOLD = "document.querySelectorAll('article details').forEach(one => { one.open = true; })"
FILLED = "!document.querySelector('article details[open] > noscript')"
"""What a fold holds as text is filled in by an event, which comes only after it has opened."""


def unfold(page: Page) -> None:
    """Open every fold of the article, with what is in it."""
    page.evaluate(UNFOLD)
    page.wait_for_function(FILLED)


def find_faults(page: Page, **options: Any) -> list[str]:
    """What axe complains of, with what stands where."""
    page.add_style_tag(content=SETTLED)
    asked = {"resultTypes": ["violations"], **options}
    found = []
    for violation in Axe().run(page, options=asked).response["violations"]:
        is_serious = violation["impact"] in ("serious", "critical")
        nodes = {" ".join(node["target"]): node["failureSummary"] for node in violation["nodes"]}
        meant = list(nodes) if is_serious else page.evaluate(OWN, list(nodes))
        found += [f"{violation['id']}: {one}: {nodes[one]}" for one in meant[:3]]
    return found
