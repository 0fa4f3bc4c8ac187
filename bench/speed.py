"""Speed: where the time of a build goes, and how long a saved page takes to be seen."""

import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep
from types import ModuleType
from typing import Any

from bench.benchmark import Benchmark
from scripts.harness.paths import DOCS, ROOT

SAVES = 3
SAVE_S = 2.0
PAGE = "modulo"
PATIENCE_S = 120.0
PAUSE_S = 0.02

STAGES: Mapping[str, float] = {
    "start and imports": 0.05,
    "preflight": 0.10,
    "reading records": 0.10,
    "judging": 0.10,
    "drawing": 0.15,
    "MkDocs": 0.85,
    "data and search index": 0.20,
}
"""What of the CPU time of a build from valid records and kept drawings each stage may have at most."""
PRINT = "from bench.speed import print_stages; print_stages()"
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
    """What each stage of a build takes, and a save in a preview.

    Of the records there are, as ``PROFILE``, ``RESULTS`` and ``MACHINE`` say: nothing is measured.
    """
    asked = os.environ | {"MEASURE": "0", "FRESH": "0"}
    with tempfile.TemporaryDirectory() as name:
        stages_s = time_stages(asked, Path(name, "staged"))
        for stage, taken_s in stages_s.items():
            share = taken_s / sum(stages_s.values())
            yield Benchmark(
                what=f"of a build, CPU time of {stage}",
                value=f"{share:.0%}, {taken_s:.2f} s",
                budget=f"{STAGES[stage]:.0%}",
                kept=share <= STAGES[stage],
            )
        save_s = median(time_saves(asked, Path(name)))
    yield Benchmark.bound("from saving a page to seeing it in the preview", save_s, SAVE_S, "s")


def time_stages(environment: Mapping[str, str], site: Path) -> dict[str, float]:
    """CPU seconds of each stage, of one process that builds both languages one after the other.

    The second of two builds is told: the first may have had to draw.
    """
    told = ""
    for _ in range(2):
        shutil.rmtree(site, ignore_errors=True)
        asked = {**environment, "SITE": str(site)}
        argv = (sys.executable, "-c", PRINT)
        told = subprocess.run(argv, cwd=ROOT, env=asked, stdout=-1, check=True).stdout.decode()
    stages_s: dict[str, float] = json.loads(told.splitlines()[-1])
    return stages_s


def print_stages() -> None:
    """Build the site into ``SITE`` and print what each stage took."""
    clock = Clock()
    with clock.within("start and imports"):
        from scripts.site.declare.texts import list_languages
        from scripts.site.output import claim_folder
        from scripts.site.page import context, frame, root
        from scripts.site.page.language import run_mkdocs
        from scripts.site.page.preflight import check_build
        from scripts.site.settings import read_settings
        from scripts.site.study import cells
    for module, name, stage in (
        (cells, "judge_records", "judging"),
        (context, "check_machines", "judging"),
        (frame, "draw_once", "drawing"),
    ):
        clock.wrap(module, name, stage)
    site = claim_folder(os.environ["SITE"])
    with clock.within("preflight"):
        check_build(read_settings(os.environ))
    with clock.within("reading records"):
        context.refresh()
        context.check_all()
    for name in list_languages():
        with clock.within("MkDocs"):
            try:
                run_mkdocs(name, site / name, "--quiet")
            except SystemExit as end:
                if end.code:
                    raise
    with clock.within("data and search index"):
        root.finish_site(site)
    print(json.dumps(clock.stages_s))


class Clock:
    """CPU seconds by stage, with those of ended children; what is within another counts once."""

    def __init__(self) -> None:
        self.stages_s: dict[str, float] = defaultdict(float)
        self._inner_s = 0.0

    @contextmanager
    def within(self, stage: str) -> Iterator[None]:
        """What is done in here is of that stage."""
        began_s, outer_s, self._inner_s = sum(os.times()[:4]), self._inner_s, 0.0
        if not self.stages_s:
            began_s = 0.0  # the first stage began with the process
        try:
            yield
        finally:
            taken_s = sum(os.times()[:4]) - began_s
            self.stages_s[stage] += taken_s - self._inner_s
            self._inner_s = outer_s + taken_s

    def wrap(self, module: ModuleType, name: str, stage: str) -> None:
        """From now on what a module calls by a name is of that stage."""
        function: Callable[..., Any] = getattr(module, name)

        @functools.wraps(function)
        def timed(*arguments: object, **options: object) -> object:
            with self.within(stage):
                return function(*arguments, **options)

        setattr(module, name, timed)


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
    argv = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "--config-file", str(config)]
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
