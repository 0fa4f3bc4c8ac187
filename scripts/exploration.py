"""Exploration: how soon the Explore page is of use, and how soon it follows, with a crowd's rows."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

from scripts.benchmark import Benchmark
from scripts.browser import open_browser
from scripts.crowd import Crowd, gather_crowd
from scripts.declare.site import load_declarations
from scripts.page.root import write_parts

CROWD = Crowd(machines=200, pythons=6, programs=60)
VISITS = 5
FIRST_USE_MS = 1000.0
FILTER_S = 0.1
EVERYTHING = "?experiment=*"

_SHOWN = "performance.getEntriesByName('explore-shown').length > 0"
_FIRST = "performance.getEntriesByName('explore-shown')[0].startTime / 1000"
_TICK = """async (name) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const facet = document.querySelector(`details[data-name=${name}]`);
  facet.open = true;
  while (!facet.querySelector("input")) await painted();
  await painted();
  const times = [];
  for (const box of Array.from(facet.querySelectorAll("input")).slice(0, 3)) {
    for (let turn = 0; turn < 2; turn += 1) {
      const began = performance.now();
      box.click();
      await painted();
      times.push((performance.now() - began) / 1000);
    }
  }
  facet.open = false;
  return times;
}"""
"""Seconds from ticking a box, or taking that back, until the page has been painted."""


def time_exploring(site: Path) -> Iterator[Benchmark]:
    """What visitors of a built site wait for, once it has the rows of a crowd instead of its own."""
    folder = site / "data" / "explore"
    shutil.rmtree(folder)
    gathered = gather_crowd(load_declarations().experiments, CROWD)
    write_parts(folder, gathered)
    rows = sum(len(evidence.judgements) for machines in gathered for evidence in machines)
    del gathered
    with open_browser(site) as (browser, root):
        page = browser.new_page()
        page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
        address = f"{root}en/explore/"
        first_s = {query: _time_visits(page, address + query) for query in ("", EVERYTHING)}
        ticks_s = [
            taken_s
            for name in ("program", "interpreter", "machine")
            for taken_s in page.evaluate(_TICK, name)
        ]
    for which, query in (("one experiment", ""), ("all experiments", EVERYTHING)):
        what = f"Explore, first use with {which} of {rows:,} rows, median of {VISITS} visits"
        yield Benchmark.bound(what, first_s[query] * 1000, FIRST_USE_MS, "ms")
    yield Benchmark(
        what=f"Explore, a filter on {rows:,} rows until painted, median of {len(ticks_s)}",
        value=f"{median(ticks_s) * 1000:.0f} ms, at most {max(ticks_s) * 1000:.0f} ms",
        budget=f"{FILTER_S * 1000:.0f} ms",
        kept=median(ticks_s) <= FILTER_S,
    )


def _time_visits(page: Page, address: str) -> float:
    """Seconds from asking for the page until its rows are drawn, with nothing in the cache."""
    taken_s = []
    for _ in range(VISITS):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_function(_SHOWN)
        taken_s.append(float(page.evaluate(_FIRST)))
    return median(taken_s)
