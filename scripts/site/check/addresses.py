"""Addresses: permanent ones are listed and none is lost; links of a built site lead somewhere."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.site.check.pages import (
    Fence,
    Heading,
    Paragraph,
    Problem,
    list_pages,
    read_lines,
    split,
)
from scripts.site.declare.addresses import read_addresses, write_addresses
from scripts.site.declare.declarations import Declarations
from scripts.site.page.context import page_url
from scripts.site.page.sources import find_page
from scripts.site.paths import ADDRESSES

_DRAWN = re.compile(r'\bshow\.(drawing|scene)\("([^"]+)"')
LYCHEE = Path(sys.executable).with_name("lychee")


def list_addresses(docs: Path, declared: Declarations) -> set[str]:
    """List pages, their headings, rules, drawings and scenes, rows of Choose, and the claims with which pages open."""
    addresses = {f"choose/#choice-{choice.id}" for choice in declared.choices}
    for name, path in next(iter(list_pages(docs).values())).items():
        page = page_url(name)
        if page:
            addresses.add(page)
        for part in split(read_lines(path)):
            if isinstance(part, Heading) and part.id != "top":
                addresses.add(f"{page}#{part.id}")
            elif isinstance(part, Paragraph):
                addresses.update(f"{page}#{id_}" for id_ in part.rules)
            elif isinstance(part, Fence):
                addresses.update(
                    f"{page}#{kind}-{name}" for kind, name in _DRAWN.findall(part.code)
                )
    for page, claims in declared.claims.items():  # those of other pages open it as links
        for id_ in {claim.id for claim in claims}.intersection(declared.findings.get(page, ())):
            addresses.add(f"{page}/#claim-{id_}")
    return addresses


def find_lost(docs: Path, declared: Declarations) -> Iterator[Problem]:
    """Find every address that is gone, leads nowhere, or is not listed."""
    path = docs / ADDRESSES.name
    known, present = read_addresses(path), list_addresses(docs, declared)
    first = docs / next(iter(list_pages(docs)))
    for address in sorted(known.kept | known.moved.keys()):
        now = known.follow(address)
        page, _, anchor = now.partition("#")
        if address in known.moved and address in present:
            yield Problem(path, 0, f"{address} is there, so it has not moved")
        # A home leads to what stands on a page below it.
        elif now in present or (page and find_page(first, f"{page.rstrip('/')}.md", anchor)):
            continue
        elif address in known.moved:
            yield Problem(path, 0, f"{address} leads to {now}, which is not there")
        else:
            message = f"{address} is gone, and others may have linked to it: bring it back, "
            yield Problem(path, 0, f"{message}or add a line '{address} -> <where it is now>'")
    for address in sorted(present - known.kept):
        yield Problem(path, 0, f"{address} is not listed; `make parity` adds it")


def note_addresses(docs: Path, declared: Declarations) -> None:
    """Add what the sources have to the list."""
    path = docs / ADDRESSES.name
    write_addresses(path, read_addresses(path), list_addresses(docs, declared))


def find_broken_links(site: Path) -> Iterator[str]:
    """Find links that lead nowhere, fragments included, without leaving the machine; a line each."""
    argv = [str(LYCHEE), "--offline", "--include-fragments", "--no-progress", "--format", "compact"]
    argv += ["--index-files", "index.html", "--root-dir", str(site.resolve())]
    argv += ["--exclude-path", r"/404\.html$"]  # which knows only where the site stands on its host
    done = subprocess.run([*argv, str(site)], capture_output=True, text=True, check=False)
    if done.returncode:
        yield from filter(str.strip, (done.stdout + done.stderr).splitlines())
