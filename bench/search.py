"""Search: how long after the last key of a typed question its list is there."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from bench.benchmark import Benchmark
from bench.browser import ARGUMENTS, find_browser, serve
from bench.speed import time_build

QUESTIONS = (
    "why is my multiprocessing slower than a for loop",
    "how to run blocking code in asyncio",
    "how many threads should a pool have",
)
VISITS = 3
BETWEEN_KEYS_MS = 90  # 130 words a minute, a fast typist
SEARCH_MS = 500.0
NOTE = """() => {
  const list = document.querySelector(".search-results");
  document.querySelector("dialog input").addEventListener("input", () => {
    window.typed = performance.now();
    window.listed = undefined;
  });
  new MutationObserver(() => {
    if (!list.hasAttribute("aria-busy")) window.listed = performance.now();
  }).observe(list, { attributeFilter: ["aria-busy"] });
}"""
"""Notes when the last key was pressed, and when the list of all that is typed was there."""


def time_search() -> Iterator[Benchmark]:
    """Type questions into the search of a site of the records there are, each on a first visit."""
    with tempfile.TemporaryDirectory() as name:
        site = Path(name) / "site"
        time_build(os.environ | {"MEASURE": "0"}, site)
        times_ms = time_questions(site)
    what = f"a search after the last key, the slowest of {len(times_ms)} questions"
    yield Benchmark.bound(what, max(times_ms), SEARCH_MS, "ms")


def time_questions(site: Path, questions: Sequence[str] = QUESTIONS) -> list[float]:
    """Milliseconds from the last key to the list, for each question the median of a few visits."""
    with serve(site) as url, sync_playwright() as playwright:
        launcher = playwright.chromium
        browser = launcher.launch(executable_path=find_browser(), args=ARGUMENTS)
        return [
            median(_time_question(browser, f"{url}en/", question) for _ in range(VISITS))
            for question in questions
        ]


def _time_question(browser: Browser, url: str, question: str) -> float:
    page = browser.new_page()
    page.goto(url)
    page.keyboard.press("/")
    page.evaluate(NOTE)
    page.keyboard.type(question, delay=BETWEEN_KEYS_MS)
    page.wait_for_function("() => window.listed")
    time_ms: float = page.evaluate("listed - typed")
    page.close()
    return time_ms
