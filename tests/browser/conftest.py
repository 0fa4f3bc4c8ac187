"""The site, built once in the smoke profile, served below a sub-path as a fork's is.

Its records are made up: no program is waited for, and the numbers are the same on every machine.
The workers of a run share the build: it begins beside the first tests, what needs it comes last,
and each worker serves it for itself.
"""

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
from filelock import FileLock
from playwright.sync_api import Browser, Playwright, expect, sync_playwright
from playwright.sync_api import Error as BrowserError

from tests.browser.visitor import PATIENCE_MS, Site, Visitor
from tests.conftest import is_together

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
COMMANDS = (
    (sys.executable, "-m", "tests.site.made_up"),
    ("make", "--no-print-directory", "site"),
)
PUBLIC_URL = "https://fork.example/fork/"
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The other tests of this folder, which begin the build, come first; what waits for it last.

    Of that what runs in one process comes first, lest one worker have it left when all are done.
    """
    items.sort(key=_find_turn)


def _find_turn(item: pytest.Item) -> tuple[int, bool]:
    if not _needs_site(item):
        return int(FOLDER not in item.path.parents), False
    return 2, not is_together(item.nodeid.partition("::")[0])


@pytest.fixture(scope="session", autouse=True)
def built_site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    plain_environment: dict[str, str],
    worker_id: str,
) -> Iterator["_Build | None"]:
    """The build, if any test is going to need it, under way."""
    if not any(map(_needs_site, request.session.items)):
        yield None
        return
    own = tmp_path_factory.getbasetemp()
    build = _Build((own if worker_id == "master" else own.parent) / "site", plain_environment)
    build.start()
    yield build
    if request.session.shouldstop or request.session.shouldfail:
        build.stop()
    build.join()


@pytest.fixture(scope="session")
def site(built_site: "_Build") -> Iterator[Site]:
    built_site.join()
    assert built_site.status.read_text() == "0", built_site.log.read_text(encoding="utf-8")
    handler = partial(_PublicHost, directory=str(built_site.pages.parent))
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Site(
            folder=built_site.pages,
            url=f"http://127.0.0.1:{server.server_port}/fork/",
            public_url=PUBLIC_URL,
            records=built_site.records,
        )
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
    arguments += ["--disable-background-networking", "--no-first-run", "--process-per-site"]
    try:
        return playwright.chromium.launch(executable_path=found, args=arguments)
    except BrowserError as error:
        reason = f"\n{error}" if found else ""
        pytest.fail(NO_BROWSER + reason, pytrace=False)


def _needs_site(item: pytest.Item) -> bool:
    return "site" in getattr(item, "fixturenames", ())


class _Build(threading.Thread):
    """Builds the site, or waits until another worker has."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self.pages, self.log = folder / "served" / "fork", folder / "log"
        self.status, self.records = folder / "status", folder / "records"
        asked = {"PROFILE": "smoke", "INTERPRETERS": "current", "RESULTS": str(self.records)}
        asked |= {"SITE": str(self.pages), "SITE_URL": PUBLIC_URL}
        self._environment = environment | asked
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(exist_ok=True)

    def run(self) -> None:
        with FileLock(f"{self.status}.lock"):
            if self.status.exists():
                return
            with self.log.open("wb") as log:
                for command in COMMANDS:
                    self._process = subprocess.Popen(
                        command, cwd=ROOT, env=self._environment, stdout=log, stderr=log
                    )
                    if status := self._process.wait():
                        break
            self.status.write_text(str(status))

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()


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
