"""The picture in the README: the built site as a browser shows it."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
VIEW = ViewportSize(width=1280, height=860)
SETTLED_MS = 1000
"""The theme's header moves for a moment after a page has been scrolled to its anchor."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing of every request."""


def take_screenshot(site: Path, address: str, picture: Path) -> None:
    """Open ``address`` of the site in ``site`` and save what the window shows as ``picture``.

    Uses the system's Chromium or Chrome if there is one, else the one that Playwright installed.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        page = browser.new_page(viewport=VIEW, color_scheme="light")
        page.goto(f"http://127.0.0.1:{server.server_port}/{address}", wait_until="networkidle")
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=picture)
        browser.close()
    server.shutdown()
