"""Speed: how long a build takes, and a saved page until it is seen."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep

from bench.benchmark import Benchmark
from scripts.site.paths import DOCS, ROOT

SAVES = 3
SAVE_S = 2.0
PAGE = "modulo"
PATIENCE_S = 120.0
PAUSE_S = 0.02

PREVIEW = """\
INHERIT: {root}/mkdocs.yml
docs_dir: {docs}
theme: {{custom_dir: {root}/docs/theme}}
hooks: [{root}/scripts/site/page/hooks.py]
"""


def time_build(environment: Mapping[str, str], site: Path) -> float:
    """Seconds of ``make site`` into a folder."""
    began_s = perf_counter()
    done = subprocess.run(
        ("make", "--no-print-directory", "site"),
        cwd=ROOT,
        env={**environment, "SITE": str(site), "FRESH": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"make site has failed\n{done.stdout}\n{done.stderr}")
    return perf_counter() - began_s


def time_editing() -> Iterator[Benchmark]:
    """Time a save in a preview of the records there are: nothing is measured."""
    with tempfile.TemporaryDirectory() as name:
        save_s = median(time_saves(os.environ | {"MEASURE": "0", "FRESH": "0"}, Path(name)))
    yield Benchmark.bound("from saving a page to seeing it in the preview", save_s, SAVE_S, "s")


def time_saves(environment: Mapping[str, str], folder: Path) -> list[float]:
    """Seconds from saving a page to its being served, of a preview of a copy of the pages.

    Raises:
        TimeoutError: it was not served.
    """
    docs, config = folder / "docs", folder / "preview.yml"
    shutil.copytree(DOCS / "en", docs)
    config.write_text(PREVIEW.format(root=ROOT, docs=docs), encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    argv = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "--dirty", "--no-strict"]
    argv += ["--config-file", str(config)]
    server = subprocess.Popen([*argv, "--dev-addr", address], cwd=ROOT, env=dict(environment))
    try:
        page = docs / f"{PAGE}.md"
        _wait(f"http://{address}/{PAGE}/", "<h1")
        return [_time_save(page, f"http://{address}/{PAGE}/", number) for number in range(SAVES)]
    finally:
        server.terminate()
        server.wait()


def _time_save(page: Path, url: str, number: int) -> float:
    text = f"Saved for the {number}th time."
    sleep(1)  # as a person does; the preview has gone back to waiting
    source = page.read_text(encoding="utf-8")
    # Below the title: what stands further down may be of a section that has a page of its own.
    saved = re.sub("^# .*$", rf"\g<0>\n\n{text}", source, count=1, flags=re.MULTILINE)
    page.write_text(saved, encoding="utf-8")
    began_s = monotonic()
    _wait(url, text)
    return monotonic() - began_s


def _wait(url: str, text: str) -> None:
    until_s = monotonic() + PATIENCE_S
    while monotonic() < until_s:
        try:
            with urllib.request.urlopen(url) as page:
                if text in page.read().decode():
                    return
        except OSError:
            """It does not serve yet."""
        sleep(PAUSE_S)
    raise TimeoutError(f"{url} has not shown {text!r} within {PATIENCE_S:.0f} s")
