"""The real site, built once in the smoke profile, served below a sub-path as a fork's is."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from playwright.sync_api import Error as BrowserError

from tests.site.visitor import PATIENCE_MS, Site, Visitor

ROOT = Path(__file__).parents[2]
expect.set_options(timeout=PATIENCE_MS)
SETTINGS = ("PROFILE", "FRESH", "ONLY", "INTERPRETERS", "MACHINE", "MEASURE", "RESULTS", "FAILURES")
ADDRESSES = ("SITE_URL", "REPOSITORY_URL")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = (
    "The site's tests need Chromium: install your system's package, or run "
    "`.venv/bin/playwright install chromium`, or name a browser in CHROMIUM."
)


@pytest.fixture(scope="session")
def plain_environment() -> dict[str, str]:
    """The environment without what a person may have asked of builds."""
    inherited = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "SITE")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in (*SETTINGS, *ADDRESSES, *inherited)
    }


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, plain_environment: dict[str, str]
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    pages = folder / "served" / "fork"
    handler = partial(_PublicHost, directory=str(folder / "served"))
    with _Server(("127.0.0.1", 0), handler) as server:
        url = f"http://127.0.0.1:{server.server_port}/fork/"
        command = ["make", "--no-print-directory", "site", "PROFILE=smoke", "INTERPRETERS=current"]
        command += [f"RESULTS={folder / 'results'}", f"SITE={pages}", f"SITE_URL={url}"]
        built = subprocess.run(
            command, cwd=ROOT, env=plain_environment, capture_output=True, text=True, check=False
        )
        assert built.returncode == 0, built.stdout + built.stderr
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Site(folder=pages, url=url, records=folder / "results")
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = _launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def visitor(browser: Browser, site: Site) -> Visitor:
    return Visitor(browser=browser, site=site)


def _launch(playwright: Playwright) -> Browser:
    """The browser named in CHROMIUM, else the system's, else Playwright's own."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    arguments = ["--headless=new", "--no-sandbox", "--disable-gpu"]
    arguments += ["--disable-background-networking", "--no-first-run"]
    try:
        return playwright.chromium.launch(executable_path=found, args=arguments)
    except BrowserError as error:
        reason = f"\n{error}" if found else ""
        pytest.fail(NO_BROWSER + reason, pytrace=False)


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Visitors who leave before a page has come whole are nothing to report."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _PublicHost(SimpleHTTPRequestHandler):
    """Answers as hosts of static pages do: what is missing gets the site's own 404 page."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (Path(self.directory) / "fork" / "404.html").read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing: tests report what went wrong."""
