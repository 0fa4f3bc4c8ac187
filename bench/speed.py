"""Speed: how long a build takes, a saved page until it is seen, and a merge of very many files."""

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
from scripts.harness.paths import DOCS, ROOT
from scripts.site.settings import read_settings

SAVES = 3
SAVE_S = 2.0
PAGE = "modulo"
PATIENCE_S = 120.0
PAUSE_S = 0.02

MERGED = 500
MERGE_S = 30.0
MERGE_BYTES = 1 << 30
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


def time_merging() -> Iterator[Benchmark]:
    """What it takes to check and merge as many files as many runners give.

    They are made of the one of middle size in ``RESULTS``, as of other machines; nothing is said
    where there is none.
    """
    found = read_settings(os.environ).results.glob("*/*.json")
    paths = sorted(found, key=lambda one: one.stat().st_size)
    if not paths:
        return
    path = paths[len(paths) // 2]
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(MERGED):
            place = folder / "from" / str(number) / path.name
            place.parent.mkdir(parents=True)
            place.write_text(text.replace(path.parent.name, f"machine-{number}"), encoding="utf-8")
        began_s = perf_counter()
        process = subprocess.Popen(
            (sys.executable, "-m", "scripts.site", "merge"),
            cwd=ROOT,
            env=os.environ | {"RESULTS": str(folder / "to"), "MEASURED": str(folder / "from")},
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took_s = perf_counter() - began_s
        largest_bytes = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    yield Benchmark(
        what=f"{MERGED} results files of {len(text) / 1000:.0f} kB checked and merged",
        value=f"{took_s:.1f} s, {largest_bytes / (1 << 20):.0f} MiB",
        budget=f"{MERGE_S:.0f} s, {MERGE_BYTES / (1 << 20):.0f} MiB",
        kept=not process.returncode and took_s <= MERGE_S and largest_bytes <= MERGE_BYTES,
    )
