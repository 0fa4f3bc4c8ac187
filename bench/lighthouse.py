"""Lighthouse: what that auditor of pages gives those of a built site on a phone.

It is a package of Node's registry, fetched by ``npx`` when the bench first runs, and no part of the
site or of its tests. Pages are served compressed, as hosts of static pages do.
"""

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from http.server import SimpleHTTPRequestHandler
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from bench.benchmark import Benchmark
from bench.browser import ARGUMENTS, find_browser, serve

VERSION = "12.8.2"
"""The last that runs on Node 18 and 20 as well."""
PAGES = (
    *("", "answers/fetch-urls/", "choose/", "matrix/", "theory/gil/"),
    *("claims/", "explore/", "questions/", "json/"),
)
"""One of each type."""
RUNS = 3
"""Of which the one in the middle by performance counts: others slow a page, nothing quickens it."""
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEAST = 98
SHIFT = 0.02
LIMIT_S = 300
"""The first run also fetches it."""


def audit_site(site: Path) -> Iterator[Benchmark]:
    """A line for each page: its four scores, and how far its layout moved."""
    npx, browser = shutil.which("npx"), find_browser()
    if npx is None or browser is None:
        yield Benchmark(
            what="Lighthouse",
            value="npx or a system's Chromium is not there, nothing to audit with",
            budget=f"{LEAST} of 100 in all four",
            kept=False,
        )
        return
    with serve(site, _Compressing) as root:
        for language in sorted(path.parent.name for path in site.glob("*/index.html")):
            for page in PAGES:
                address = f"{root}{language}/{page}"
                reports = [_audit(npx, browser, address) for _ in range(RUNS)]
                yield _tell(f"{language}/{page}", sorted(reports, key=_find_speed)[RUNS // 2])


def _find_speed(report: dict[str, Any]) -> float:
    return report["categories"]["performance"]["score"] or 0.0


def _tell(page: str, report: dict[str, Any]) -> Benchmark:
    """What Lighthouse's report of a page comes to."""
    scores = {name: round(100 * (report["categories"][name]["score"] or 0)) for name in CATEGORIES}
    shift = report["audits"]["cumulative-layout-shift"].get("numericValue", 1.0)
    told = ", ".join(f"{name} {score}" for name, score in scores.items())
    return Benchmark(
        what=f"Lighthouse, mobile, {page}",
        value=f"{told}, layout shift {shift:.3f}",
        budget=f"{LEAST} of 100 each, {SHIFT}",
        kept=min(scores.values()) >= LEAST and shift < SHIFT,
    )


def _audit(npx: str, browser: str, address: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        argv = [npx, "--yes", f"lighthouse@{VERSION}", address, "--quiet", "--output=json"]
        argv += [f"--output-path={path}", f"--only-categories={','.join(CATEGORIES)}"]
        argv += [f"--chrome-flags={' '.join(('--headless=new', *ARGUMENTS))}"]
        asked = os.environ | {"CHROME_PATH": browser}
        done = subprocess.run(
            argv, env=asked, capture_output=True, text=True, check=False, timeout=LIMIT_S
        )
        if done.returncode or not path.exists():
            raise RuntimeError(f"Lighthouse has failed\n{done.stdout}\n{done.stderr}")
        report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return report


class _Compressing(SimpleHTTPRequestHandler):
    """Hands out text compressed."""

    protocol_version = "HTTP/1.1"

    def send_head(self) -> BytesIO | BinaryIO | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.endswith("/") else path
        if path.suffix not in (".html", ".css", ".js", ".svg", ".json") or not path.is_file():
            return super().send_head()
        data = _compress(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        return BytesIO(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing of every request."""


@cache
def _compress(path: Path) -> bytes:
    return gzip.compress(path.read_bytes())
