"""A visitor of the built site: opens pages in a real browser and tolerates no complaint of theirs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

PATIENCE_MS = 120_000
"""How long a visitor waits for what must come: what never comes fails late, on any machine."""
LANGUAGES = ("en", "ru")
DOCS = Path(__file__).parents[2] / "docs" / "en"
PAGES = sorted(
    f"{file.relative_to(DOCS).with_suffix('')}/".removesuffix("index/")
    for file in DOCS.rglob("*")
    if file.suffix in (".md", ".ipynb")
)
EVERY_PAGE = [f"{language}/{page}" for language in LANGUAGES for page in PAGES]
SCHEMES = ("light", "dark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The built site and where it is served; addresses end with a slash.

    ``public_url`` is the address that it was built for, ``records`` the folder of the results that
    it was made of.
    """

    folder: Path
    url: str
    public_url: str
    records: Path


@dataclass(frozen=True, kw_only=True)
class Visitor:
    browser: Browser
    site: Site

    @cached_property
    def _common(self) -> BrowserContext:
        """Where most pages are opened: what they load is kept, and one process shows them all.

        Its first page stays, and that process with it.
        """
        common = self.browser.new_context()
        common.set_default_timeout(PATIENCE_MS)
        common.new_page().goto(f"{self.site.url}404.html")
        return common

    @contextmanager
    def visit(self, **context: Any) -> Iterator[BrowserContext]:
        """A new context of the browser, which waits for as long as any machine may need."""
        with self.browser.new_context(**context) as visit:
            visit.set_default_timeout(PATIENCE_MS)
            yield visit

    @contextmanager
    def open(
        self,
        path: str,
        viewport: ViewportSize | None = None,
        color_scheme: Literal["light", "dark"] | None = None,
        **context: Any,
    ) -> Iterator[Page]:
        """A page that finds nothing of earlier ones; on leaving it nothing may have been wrong.

        Args:
            path: below the root of the site.
            viewport: the size of the window.
            color_scheme: what the system asks for.
            context: options of a browser's context, such as ``locale``; then it is a new one.
        """
        with self.visit(**context) if context else self._share() as visit:
            page = visit.new_page()
            if viewport:
                page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=color_scheme)
            complaints = _listen(page, self.site.url)
            page.goto(self.site.url + path, wait_until="load")
            yield page
            seen = tuple(complaints)
        assert not seen, "\n".join(seen)

    @contextmanager
    def _share(self) -> Iterator[BrowserContext]:
        """The common context, in which nothing is left behind but what was loaded."""
        first = self._common.pages[0]
        try:
            yield self._common
        finally:
            for page in self._common.pages[1:]:
                page.close()
            self._common.clear_cookies()
            first.evaluate("localStorage.clear()")


def lay_out(page: Page) -> None:
    """Lay everything out at once: what comes near the screen only later changes no place then."""
    page.add_style_tag(content="* { content-visibility: visible !important }")


def switch_to(page: Page, language: str) -> None:
    page.locator(".md-header .md-select").hover()
    page.locator(f".md-header a[hreflang={language}]").click()


def _listen(page: Page, home: str) -> list[str]:
    complaints: list[str] = []
    page.on(
        "console",
        lambda said: (
            complaints.append(f"{said.type}: {said.text}")
            if said.type in ("error", "warning")
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
    page.on(
        "request",
        lambda asked: (
            complaints.append(f"left the site: {asked.url}")
            if not asked.url.startswith((home, "data:", "blob:"))
            else None
        ),
    )
    # Going on to another page aborts what the one before was still loading.
    page.on(
        "requestfailed",
        lambda asked: (
            complaints.append(f"failed: {asked.url}: {asked.failure}")
            if asked.failure != "net::ERR_ABORTED"
            else None
        ),
    )
    page.on(
        "response",
        lambda answer: (
            complaints.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None
        ),
    )
    return complaints
