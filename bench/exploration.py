"""Exploration: how soon the Explore page is of use, and how soon it follows, with very many rows."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median

from msgspec import structs
from playwright.sync_api import Page

from bench.benchmark import Benchmark
from bench.browser import open_browser
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.page.root import write_parts

MACHINES, PYTHONS, PROGRAMS = 200, 6, 60
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


def time_exploring(site: Path, evidences: Sequence[Evidence]) -> Iterator[Benchmark]:
    """What visitors of a built site wait for, once many machines gave what one of it did."""
    folder = site / "data" / "explore"
    shutil.rmtree(folder)
    gathered, rows = [], 0
    for one in sorted(evidences, key=_find_place):  # the page opens the first that has any rows
        own = one.judgements[: PROGRAMS - rows]
        gathered.append(list(multiply(replace(one, judgements=own), MACHINES, PYTHONS)))
        rows += len(own)
    write_parts(folder, gathered)
    opened = len(gathered[0]) * len(gathered[0][0].judgements)
    rows *= MACHINES * PYTHONS
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
    visits = (("one experiment", opened, ""), ("all experiments", rows, EVERYTHING))
    for which, count, query in visits:
        what = f"Explore, first use with {which} of {count:,} rows, median of {VISITS} visits"
        yield Benchmark.bound(what, first_s[query] * 1000, FIRST_USE_MS, "ms")
    yield Benchmark(
        what=f"Explore, a filter on {rows:,} rows until painted, median of {len(ticks_s)}",
        value=f"{median(ticks_s) * 1000:.0f} ms, at most {max(ticks_s) * 1000:.0f} ms",
        budget=f"{FILTER_S * 1000:.0f} ms",
        kept=median(ticks_s) <= FILTER_S,
    )


def _find_place(evidence: Evidence) -> tuple[bool, float]:
    """Where an experiment is in the navigation; those of which there is nothing come last."""
    entry = evidence.experiment.navigation
    return not evidence.judgements, entry.place if entry else float("inf")


def multiply(evidence: Evidence, machines: int, pythons: int) -> Iterator[Evidence]:
    """As many made-up machines with so many Pythons, each of which gave what one did."""

    def move(judged: Judgement, machine: str, python: int) -> Judgement:
        id_ = f"cpython-3.{10 + python}.0"
        record = structs.replace(judged.record, machine=machine, interpreter=id_)
        return replace(judged, record=record)

    for name in (f"made-up-{number}-4c" for number in range(machines)):
        moved = product(range(pythons), evidence.judgements)
        yield replace(
            evidence,
            machine=replace(evidence.machine, id=name),
            judgements=tuple(move(judged, name, python) for python, judged in moved),
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
