"""Addresses: permanent ones are listed and none is lost; links of a built site lead somewhere."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from scripts.site.check.pages import Heading, Problem, list_pages, read_lines, split
from scripts.site.declare.addresses import read_addresses, write_addresses
from scripts.site.declare.declarations import Declarations
from scripts.site.page.context import page_url
from scripts.site.page.frame import unfold
from scripts.site.paths import ADDRESSES

LYCHEE = Path(sys.executable).with_name("lychee")

_CHART = re.compile(r'<figure class="chart[^>]* id="((?:chart|lines)-[^"]+)"')
"""Laws and traces of memory are drawn only where cores and records are enough, so nobody may rely on them."""


def list_addresses(docs: Path, declared: Declarations) -> set[str]:
    """List what the sources have: pages, headings, questions, claims and choices; no charts."""
    pages = next(iter(list_pages(docs).values()))
    found = {f"choose/#choice-{choice.id}" for choice in declared.choices}
    for name, path in pages.items():
        parts = split(read_lines(path))
        page, ids = page_url(name), [one.id for one in parts if isinstance(one, Heading)]
        found |= {f"{page}#{anchor}" for anchor in ids if anchor != "top"} | ({page} - {""})
        home = f"{Path(name).parent}.md"
        if home in pages:  # which leads to what stands on a page below it
            found |= {f"{page_url(home)}#{anchor}" for anchor in ids if anchor != "top"}
    for experiment, claims in declared.claims.items():
        homes = ("claims", *([experiment] if f"{experiment}.md" in pages else []))
        found |= {f"{home}/#claim-{claim.id}" for home in homes for claim in claims}
    return found


def find_lost(docs: Path, declared: Declarations) -> Iterator[Problem]:
    """Find every address that is gone, leads nowhere, or is not listed."""
    path = docs / ADDRESSES.name
    known, found = read_addresses(path), list_addresses(docs, declared)
    for address in sorted(known.kept | known.moved.keys()):
        now = known.follow(address)
        page = now.partition("#")[0]
        # The sources should have it if its page is theirs, or gone.
        is_written = page in found or not page or f"{page.partition('/')[0]}/" not in found
        if address in known.moved and address in found:
            yield Problem(path, 0, f"{address} is there, so it has not moved")
        elif now in found or not is_written:
            continue
        elif address in known.moved:
            yield Problem(path, 0, f"{address} leads to {now}, which is not there")
        else:
            message = f"{address} is gone, and others may have linked to it: bring it back, "
            yield Problem(path, 0, f"{message}or add a line '{address} -> <where it is now>'")
    for address in sorted(found - known.kept):
        yield Problem(path, 0, f"{address} is not listed; `make parity` adds it")


def note_addresses(docs: Path, declared: Declarations, site: Path | None = None) -> None:
    """Add what the sources have to the list, and charts that a built site has in all languages."""
    charts = list_charts(site, list_pages(docs)) if site else set[str]()
    path = docs / ADDRESSES.name
    write_addresses(path, read_addresses(path), list_addresses(docs, declared), charts)


def list_charts(site: Path, languages: Iterable[str]) -> set[str]:
    """List the charts that a built site has in all languages."""
    drawn = []
    for language in languages:
        found = set[str]()
        for file in (site / language).rglob("index.html"):
            page = page_url(file.relative_to(site / language).as_posix())
            text = unfold(file.read_text(encoding="utf-8"))
            found |= {f"{page}#{id_}" for id_ in _CHART.findall(text)}
        drawn.append(found)
    return set.intersection(*drawn)


def find_broken_links(site: Path) -> Iterator[str]:
    """Find links that lead nowhere, fragments included, without leaving the machine; a line each."""
    argv = [str(LYCHEE), "--offline", "--include-fragments", "--no-progress", "--format", "compact"]
    argv += ["--index-files", "index.html", "--root-dir", str(site.resolve())]
    argv += ["--exclude-path", r"/404\.html$"]  # which knows only where the site stands on its host
    done = subprocess.run([*argv, str(site)], capture_output=True, text=True, check=False)
    if done.returncode:
        yield from filter(str.strip, (done.stdout + done.stderr).splitlines())
