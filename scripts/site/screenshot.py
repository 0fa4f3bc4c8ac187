"""The picture in the README: the built site as a browser shows it."""

from pathlib import Path

from playwright.sync_api import ViewportSize

from scripts.harness.paths import PICTURE
from scripts.site.browser import open_browser

VIEW = ViewportSize(width=1280, height=860)
SETTLED_MS = 1000
"""The theme's header moves for a moment after a page has been scrolled to its anchor."""


def take_screenshot(site: Path) -> None:
    """Open the Matrix of the site in a folder and save what the window shows."""
    with open_browser(site) as (browser, root):
        page = browser.new_page(viewport=VIEW, color_scheme="light")
        page.goto(f"{root}en/matrix/#answer", wait_until="networkidle")
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=PICTURE)
