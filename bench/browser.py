"""The browser: the system's Chromium or Chrome if there is one, else the one Playwright installed."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
STOP_INTERVAL_S = 0.05  # how soon a server sees that it is no longer wanted


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing of every request."""


def find_browser() -> str | None:
    """Find the system's Chromium or Chrome; ``None`` if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def serve(site: Path, handler: type[SimpleHTTPRequestHandler] = _Quiet) -> Iterator[str]:
    """The address at which the site in a folder is served meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, args=(STOP_INTERVAL_S,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
