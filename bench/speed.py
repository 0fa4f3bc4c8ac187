"""Speed: how long a build takes, next to what MkDocs alone needs, and a saved page until it is seen."""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep

from mkdocs.config import load_config

from bench.benchmark import Benchmark
from scripts.site.declare.texts import list_languages
from scripts.site.page.context import Place, enter, page_url
from scripts.site.page.hooks import locate_config, prepare_config
from scripts.site.paths import CACHE, DOCS, ROOT

# How many times as long as a plain ``mkdocs build`` of what it wrote, nothing kept and all.
COLD, WARM = 6.0, 2.0
FENCE = re.compile(r'^```python exec="on"[^\n]*\n(.*?)^```\n', re.DOTALL | re.MULTILINE)
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


def compare_with_plain(site: Path) -> Iterator[Benchmark]:
    """Time builds into a folder with nothing kept and with all, and MkDocs alone, in one run."""
    environment = os.environ | {"MEASURE": "0", "PROFILE": "quick"}
    for folder in (CACHE, ROOT / "build"):
        shutil.rmtree(folder, ignore_errors=True)
    cold_s = time_build(environment, site)
    warm_s = min(time_build(environment, site) for _ in range(2))
    with tempfile.TemporaryDirectory() as name:
        plain_s = _time_plain(Path(name))
    for kept, built_s, most in (("nothing", cold_s, COLD), ("all", warm_s, WARM)):
        what = f"{built_s:.1f} s of a build, {kept} kept, to {plain_s:.1f} s of MkDocs alone"
        yield Benchmark.bound(what, built_s / plain_s, most, "times")


def _time_plain(folder: Path) -> float:
    """Time MkDocs alone with the pages of all languages side by side, their fences already run."""
    os.environ["MEASURE"] = "0"
    configs = [_write_plain(folder, language) for language in list_languages()]
    began_s = perf_counter()
    builds = []
    for config in configs:
        command = (sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(config))
        builds.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
    if any(build.wait() for build in builds):
        raise RuntimeError("mkdocs build of the finished pages has failed")
    return perf_counter() - began_s


def _write_plain(folder: Path, language: str) -> Path:
    """Write the pages of a language with what their fences print, but the notebook; return the config."""
    path = locate_config(language)
    config = load_config(str(path))
    prepare_config(config)
    docs = folder / language
    shutil.copytree(config.docs_dir, docs, ignore=shutil.ignore_patterns("*.ipynb"))
    for page in docs.rglob("*.md"):
        source = page.relative_to(docs).as_posix()
        enter(Place(language=language, source=source, url=page_url(source)))
        scope: dict[str, object] = {}

        def run(fence: re.Match[str], scope: dict[str, object] = scope) -> str:
            with redirect_stdout(io.StringIO()) as printed:
                exec(fence[1], scope)
            # A blank line would end the HTML.
            return "<div>" + re.sub(r"\n\s*\n", "\n", printed.getvalue()) + "</div>\n"

        page.write_text(FENCE.sub(run, page.read_text(encoding="utf-8")), encoding="utf-8")
    values = {name: value for name, value in config.extra.items() if isinstance(value, str | list)}
    plain: dict[str, object] = {"INHERIT": str(path), "docs_dir": str(docs), "nav": config.nav}
    plain |= {"site_dir": str(folder / f"site-{language}"), "strict": False, "extra_css": []}
    plain |= {"theme": {"custom_dir": str(DOCS / "theme")}, "hooks": [], "plugins": []}
    plain["extra"] = {**values, "search_words": ""}
    target = folder / f"{language}.yml"
    target.write_text(json.dumps(plain), encoding="utf-8")
    return target


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
