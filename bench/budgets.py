"""The bench: how fast and how exact we are ourselves, against the budgets we set.

Accuracy is a ratio of medians taken from the same runs, because times of different runs on a
shared machine differ by more than we do.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from bench.benchmark import Benchmark, print_findings
from bench.decisions import (
    count_decided,
    try_coverage,
    try_errors,
    try_pairs,
    try_sessions_together,
)
from bench.neighbour import try_neighbour
from bench.search import time_search
from bench.server import time_server
from bench.speed import compare_with_plain, time_build, time_editing
from bench.weight import MOST_ELEMENTS, count_elements, count_words
from bench.yours import try_contests, try_functions, try_traps
from making import replace
from poolwise.process import Command, Launcher, Outcome
from scripts.site.declare.texts import list_languages
from scripts.site.judge.rounds import add_up_time
from scripts.site.paths import ROOT
from scripts.site.settings import Settings, read_settings
from scripts.site.study.pipeline import Pipeline

ROWS = Path(__file__).with_name("budgets.toml")
RUNS = 7
STARTS = 50
# Larger than our launcher: the kernel counts a child's peak from that of its parent.
BURN = "import time\nheld = b'x' * 50_000_000\nwhile time.process_time() < 3.0: pass"
ACCURACY = 0.01
FINEST = 0.02
"""Seconds that GNU time tells at least: it cuts two numbers short."""
WHAT = ("wall", "user+system", "max RSS")
TOLD = ("-q", "-f", "%e %U %S %M")
OVERHEAD_MS = 1.0
SHARE_INSIDE = 0.90
COLD_BUILD_S = 120.0
QUICK_S = 12 * 60.0
FAST_S = 10.0
SUITE_S = 9 * 60.0
PAGE_KB = 250.0
MOST_PAGES = 160
MOST_WORDS = {"index.html": 420, "answers/*/index.html": 450}
TOOL = "scripts/poolwise/src"
SIZES = (
    ("site and tool", ("scripts/site", TOOL), 18_500),
    ("the tool", (TOOL,), 8_300),
    ("the tests", ("tests", "scripts/poolwise/tests"), 17_000),
    ("the bench", ("bench",), 2_600),
)


def run_bench(names: Sequence[str]) -> int:
    """Measure the parts named, or all; the exit status says if all that they found is kept."""
    status = print_findings(chain.from_iterable(PARTS[name]() for name in names or PARTS))
    for row in read_rows():
        if "command" in row and not names:
            print(f"by hand {row['what']}: {row['command']} (budget: {row['budget']})")
    return status


def read_rows() -> list[dict[str, Any]]:
    """Read the list of all budgets."""
    rows: list[dict[str, Any]] = tomllib.loads(ROWS.read_text(encoding="utf-8"))["rows"]
    return rows


def count_lines() -> Iterator[Benchmark]:
    """Count what we have to read: lines of Python, and files of the engine."""
    for what, folders, most in SIZES:
        paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
        files = [path for path in paths if "__pycache__" not in path.parts]
        lines = sum(len(path.read_bytes().splitlines()) for path in files)
        yield Benchmark(
            what=f"size of {what}",
            value=f"{lines} lines in {len(files)} files",
            budget=f"{most} lines",
            kept=lines <= most,
        )


def compare_with_others() -> Iterator[Benchmark]:
    """The same runs timed by us and, inside them, by GNU time."""
    path = find_gnu_time()
    if path is None:
        yield Benchmark(
            what="accuracy against GNU time",
            value="it is not installed, nothing to compare with",
            budget=f"within {ACCURACY:.1%}",
            kept=False,
        )
        return
    with Launcher() as launcher:
        runs = [_read_gnu_time(launcher, path) for _ in range(RUNS)]
    for what, pairs in zip(WHAT, zip(*runs, strict=True), strict=True):
        ours, theirs = (median(side) for side in zip(*pairs, strict=True))
        yield Benchmark(
            what=f"{what}, ours ÷ that of GNU time, medians of {RUNS} runs",
            value=f"{ours / theirs:.4f}",
            budget=f"within {ACCURACY:.1%} of 1, or {FINEST} s",
            kept=abs(ours - theirs) <= max(ACCURACY * theirs, FINEST),
        )


def _read_gnu_time(launcher: Launcher, path: str) -> list[tuple[float, float]]:
    """Wall and CPU seconds and bytes of one run, each by us and by it."""
    outcome = _run(launcher, (path, *TOLD, sys.executable, "-c", BURN))
    wall_s, user_s, system_s, max_rss_kib = map(float, outcome.stderr.split()[-4:])
    ours = (outcome.wall_s, outcome.cpu_s, outcome.usage["ru_maxrss"])
    return list(zip(ours, (wall_s, user_s + system_s, max_rss_kib * 1024), strict=True))


def find_gnu_time() -> str | None:
    """Where GNU time is. Another ``time`` may stand in its place, but does not know its options."""
    for path in filter(None, map(shutil.which, ("gtime", "time"))):
        if subprocess.run((path, *TOLD, "true"), capture_output=True, check=False).returncode == 0:
            return path
    return None


def time_overhead() -> Iterator[Benchmark]:
    """What a trial costs us beyond the time of its program."""
    beyond_s = []
    with Launcher() as launcher:
        for _ in range(STARTS):
            began_s = perf_counter()
            outcome = _run(launcher, (sys.executable, "-I", "-S", "-c", "pass"))
            beyond_s.append(perf_counter() - began_s - outcome.wall_s)
    what = f"our own time per trial, median of {STARTS}"
    yield Benchmark.bound(what, median(beyond_s) * 1000, OVERHEAD_MS, "ms")


def add_up_quick() -> Iterator[Benchmark]:
    """How long the programs of the quick profile took on the first Python, by the records there are.

    What measuring took besides is not recorded; ``time_measuring`` tells how small a share that is.
    """
    pipeline = Pipeline(replace(read_settings(os.environ), profile="quick", measure="nothing"))
    evidences = [pipeline.gather(name) for name in pipeline.experiments]
    first = evidences[0].interpreters[0].id
    records = [one.record for evidence in evidences for one in evidence.judgements]
    taken_s = sum(add_up_time(one) for one in records if one.interpreter == first)
    yield Benchmark(
        what=f"trials of every experiment (quick, as recorded of {first})",
        value=f"{taken_s / 60:.1f} min",
        budget=f"{QUICK_S / 60:.0f} min with all that measuring takes",
        kept=0 < taken_s <= QUICK_S,
    )


def time_measuring() -> Iterator[Benchmark]:
    """A build that measures everything (smoke)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(profile="smoke", results=folder / "results")
        began_s = perf_counter()
        summary = Pipeline(settings).measure(tuple(Pipeline(settings).experiments))
        measured_s = perf_counter() - began_s
        asked = {"PROFILE": "smoke", "RESULTS": str(settings.results), "MEASURE": "0"}
        built_s = time_build(os.environ | asked, folder / "site")
    share = summary.inside_s / summary.total_s
    yield Benchmark(
        what=f"share of measuring time inside programs, {summary.trials} trials (smoke)",
        value=f"{share:.1%}",
        budget=f"{SHARE_INSIDE:.0%}",
        kept=share >= SHARE_INSIDE,
    )
    what = "everything measured (smoke) and both languages built"
    yield Benchmark.bound(what, measured_s + built_s, COLD_BUILD_S, "s")


def look_at_pages() -> Iterator[Benchmark]:
    """Builds of the records there are; then what its pages weigh and do."""
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site"
        yield from compare_with_plain(site)
        yield from _count_words(site)
        for page in sorted(site.glob("*/**/index.html")):
            what = f"first visit of {page.parent.relative_to(site)}/, compressed"
            yield Benchmark.bound(what, weigh_page(page, site) / 1000, PAGE_KB, "kB")
            elements = count_elements(page.read_text(encoding="utf-8"))
            what = f"elements of {page.parent.relative_to(site)}/"
            yield Benchmark.bound(what, elements, MOST_ELEMENTS, "")


def _count_words(site: Path) -> Iterator[Benchmark]:
    """Count the pages of each language, and the words of Home and of the longest answer."""
    for language in list_languages():
        folder = site / language
        pages = [path for path in folder.rglob("index.html") if "<article" in path.read_text()]
        yield Benchmark.bound(f"pages in {language}", len(pages), MOST_PAGES, "")
        for pattern, most in MOST_WORDS.items():
            words = max(count_words(path.read_text()) for path in folder.glob(pattern))
            yield Benchmark.bound(f"words of {language}/{pattern}, the most", words, most, "")


def time_tests() -> Iterator[Benchmark]:
    """How long the tests take that need nothing measured, and all of them."""
    for what, asked, most_s in (("FAST", ("FAST=1",), FAST_S), ("the whole suite", (), SUITE_S)):
        began_s = perf_counter()
        subprocess.run(("make", "test", *asked), cwd=ROOT, capture_output=True, check=True)
        yield Benchmark.bound(f"tests, {what}", perf_counter() - began_s, most_s, "s")


def weigh_page(page: Path, site: Path) -> int:
    """Compressed bytes of a page with the styles, scripts and pictures it loads at once."""
    html = page.read_text(encoding="utf-8")
    loaded = re.findall(r'<(?:script|img)[^>]*?\ssrc="([^"]+)"', html)
    loaded += re.findall(r'<link rel="(?:stylesheet|icon)" href="([^"]+)"', html)
    paths = (urlsplit(url).path for url in loaded if "data:" not in url)
    files = {(page.parent / path).resolve() for path in paths}
    missing = sorted(str(path) for path in files if not path.is_relative_to(site.resolve()))
    if missing:
        raise ValueError(f"{page} loads from outside the site: {', '.join(missing)}")
    return sum(len(gzip.compress(path.read_bytes())) for path in (page, *files))


def _run(launcher: Launcher, argv: tuple[str, ...]) -> Outcome:
    outcome = launcher.run(Command(argv=argv, env=dict(os.environ), cwd=ROOT))
    if not outcome.ok:
        raise RuntimeError(f"{' '.join(argv)}: {outcome.reason}\n{outcome.stderr}")
    return outcome


PARTS: Mapping[str, Callable[[], Iterable[Benchmark]]] = {
    "size": count_lines,
    "accuracy": compare_with_others,
    "overhead": time_overhead,
    "errors": try_errors,
    "sessions": try_sessions_together,
    "coverage": try_coverage,
    "pairs": try_pairs,
    "neighbour": try_neighbour,
    "contests": try_contests,
    "functions": try_functions,
    "traps": try_traps,
    "decided": count_decided,
    "quick": add_up_quick,
    "server": time_server,
    "editing": time_editing,
    "pages": look_at_pages,
    "search": time_search,
    "measuring": time_measuring,
    "tests": time_tests,
}
"""What the bench measures, in this order, by the name that asks for it alone."""
