"""The site, built once in the quick profile, served below a sub-path as a fork's is.

Its records are made up: no program is waited for, and the numbers are the same on every machine.
One worker builds it beside the first tests, what needs it comes last, and each serves it for itself.
Playwright's plugin for pytest has the browser.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bench.browser import ARGUMENTS, find_browser, serve
from tests.browser.pages import PATIENCE_MS, Site, listen

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
BUILD = 'PYTHONPATH=scripts/poolwise/tests "$0" -m tests.browser.made_up && MEASURE=0 make --no-print-directory site; echo $? >"$1"'
PUBLIC_URL = "https://fork.example/fork/"
LONGEST_BUILD_S = 1800
ASKED = (
    *("PROFILE", "FRESH", "ONLY", "INTERPRETERS", "MACHINE", "MEASURE", "RESULTS", "FAILURES"),
    *("SITE_URL", "REPOSITORY_URL", "SITE", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"),
)
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin the build with the other tests of this folder; what waits for it comes last."""
    items.sort(key=lambda item: 2 if _needs_site(item) else FOLDER not in item.path.parents)


@pytest.fixture(scope="session")
def plain_environment() -> dict[str, str]:
    """The environment without what a person may have asked of builds."""
    return {name: value for name, value in os.environ.items() if name not in ASKED}


@pytest.fixture(scope="session", autouse=True)
def building(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    plain_environment: dict[str, str],
) -> Iterator[Path]:
    """The folder of the build, which is under way if any test is going to need it."""
    worker_id = os.environ.get("PYTEST_XDIST_WORKER", "master")
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "site"
    if worker_id not in ("master", "gw0") or not any(map(_needs_site, request.session.items)):
        yield folder
        return
    folder.mkdir()
    asked = {"PROFILE": "quick", "INTERPRETERS": "current", "RESULTS": str(folder / "records")}
    asked |= {"SITE": str(folder / "served" / "fork"), "SITE_URL": PUBLIC_URL}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            ("sh", "-c", BUILD, sys.executable, str(folder / "status")),
            cwd=ROOT,
            env=plain_environment | asked,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    yield folder
    if request.session.shouldstop or request.session.shouldfail:
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


@pytest.fixture(scope="session")
def site(building: Path) -> Iterator[Site]:
    status, log = building / "status", building / "log"
    until_s = time.monotonic() + LONGEST_BUILD_S
    while not (status.exists() and status.read_text()) and time.monotonic() < until_s:
        time.sleep(0.2)
    assert status.read_text() == "0\n", log.read_text(encoding="utf-8")[-5000:]
    with serve(building / "served", _PublicHost) as url:
        folder = building / "served" / "fork"
        yield Site(folder=folder, url=f"{url}fork/", public_url=PUBLIC_URL)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser named in CHROMIUM, else the system's, else Playwright's own."""
    found = os.environ.get("CHROMIUM") or find_browser()
    return {**browser_type_launch_args, "executable_path": found, "args": [*ARGUMENTS]}


@pytest.fixture
def visit(site: Site, new_context: Callable[..., Any]) -> Iterator[Callable[..., Page]]:
    """Opens a page below the root of the site; what it complains of fails the test at its end."""
    complaints: list[str] = []

    def open_page(path: str, *, tolerant: bool = False, **context: Any) -> Page:
        page: Page = new_context(**context).new_page()
        page.set_default_timeout(PATIENCE_MS)
        if not tolerant:
            listen(page, site.url, complaints)
        page.goto(site.url + path, wait_until="load")
        return page

    yield open_page
    assert complaints == [], "\n".join(complaints[:10])


def _needs_site(item: pytest.Item) -> bool:
    return "site" in getattr(item, "fixturenames", ())


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
