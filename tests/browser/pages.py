"""What tests ask of pages of the built site, with and without a browser."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Request, ViewportSize, expect

Visit = Callable[..., Page]
PATIENCE_MS = 120_000
"""How long a visitor waits for what must come: what never comes fails late, on any machine."""
LANGUAGES = ("en", "ru")
SCHEMES = ("light", "dark")
SCREEN = ViewportSize(width=1280, height=900)
TELEPHONE = ViewportSize(width=360, height=740)

COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe asks of colours at the levels A and AA."""
OWN = """targets => targets.filter(one => {
  const found = document.querySelector(one);
  return found?.closest("article, .search-dialog, .search-open") && !found.closest(".md-code__nav");
})"""
"""Of what axe has found, what stands in markup of ours: the buttons of code are the theme's."""
SETTLED = "*, ::before, ::after { transition: none !important; animation: none !important }"
"""Colours on their way from one theme to another are nobody's."""
LARGEST_SHIFT = 0.02
SHIFT = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    done(list.getEntries().reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0));
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 500);
})"""
"""How much of what is on the screen has moved, and how much of it may, by itself."""
UNFOLD = "document.querySelectorAll('article details').forEach(one => { one.open = true; })"
UNFILLED = "article details[open] > noscript"
"""What a fold holds as text is filled in by an event, which comes only after it has opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The built site and where it is served; ``public_url`` is where it was built for. All end with a slash."""

    folder: Path
    url: str
    public_url: str

    def read(self, page: str) -> str:
        """Read the HTML of a page: ``en/matrix/``."""
        return (self.folder / page / "index.html").read_text(encoding="utf-8")

    def list_pages(self, language: str) -> list[str]:
        """List the pages of a language as addresses below it: ``matrix/``, and ```` for its home."""
        files = (self.folder / language).rglob("index.html")
        found = (file.parent.relative_to(self.folder / language).as_posix() for file in files)
        return sorted(f"{page}/".removeprefix("./") for page in found)


def list_ids(html: str) -> list[str]:
    """List the ids of a page's elements in their order."""
    return re.findall(r'<[a-z][^>]*?\sid="([^"]+)"', html)


def listen(page: Page, home: str, complaints: list[str]) -> None:
    """Note what a page complains of, cannot load, or loads from elsewhere."""

    def note(is_wrong: bool, what: str) -> None:
        if is_wrong:
            complaints.append(f"{page.url}: {what}")

    def note_request(asked: Request) -> None:
        is_ours = asked.url.startswith((home, "data:", "blob:"))
        note(not is_ours, f"left the site: {asked.url}")

    page.on("request", note_request)
    page.on("console", lambda said: note(said.type in ("error", "warning"), said.text))
    page.on("pageerror", lambda error: note(True, f"exception: {error}"))
    page.on("response", lambda one: note(one.status >= 400, f"{one.status}: {one.url}"))
    # Going on to another page aborts what the one before was still loading.
    page.on(
        "requestfailed",
        lambda one: note(one.failure != "net::ERR_ABORTED", f"{one.failure}: {one.url}"),
    )


def lay_out(page: Page) -> None:
    """Lay everything out at once: what comes near the screen only later changes no place then."""
    page.add_style_tag(content="* { content-visibility: visible !important }")


def switch_to(page: Page, language: str) -> None:
    """Choose a language as a reader does."""
    page.locator(".md-header .md-select").hover()
    page.locator(f".md-header a[hreflang={language}]").click()


def unfold(page: Page) -> None:
    """Open every fold of the article, with what is in it."""
    page.evaluate(UNFOLD)
    expect(page.locator(UNFILLED)).to_have_count(0)


def find_faults(page: Page, **options: Any) -> list[str]:
    """List what axe complains of: all of our own markup, of the theme's what is serious."""
    page.add_style_tag(content=SETTLED)
    asked = {"resultTypes": ["violations"], **options}
    found = []
    for violation in Axe().run(page, options=asked).response["violations"]:
        is_serious = violation["impact"] in ("serious", "critical")
        nodes = {" ".join(node["target"]): node["failureSummary"] for node in violation["nodes"]}
        meant = list(nodes) if is_serious else page.evaluate(OWN, list(nodes))
        found += [f"{violation['id']}: {one}: {nodes[one]}" for one in meant[:3]]
    return found
