"""Addresses: the places that others may have linked to, which each language keeps forever.

``docs/addresses.txt`` has a line each: ``theory/gil/#release``, below a language; one that has moved to another
page is ``old -> new``. They are pages, headings, rules, drawings, rows of Choose and the claims with which
pages open. What else had an address leads to its page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from poolwise.declaration import read_text
from scripts.site.paths import ADDRESSES

ARROW = " -> "
_HEAD = """\
# Permanent addresses, below each language: none of them may go. `make parity` adds new ones. Whoever
# moves one to another page writes a line `old -> new` by hand; the site then leads on.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """The list: addresses that stay where they are, and those that have moved."""

    kept: frozenset[str] = frozenset()
    moved: Mapping[str, str] = field(default_factory=dict)

    def follow(self, address: str) -> str:
        """Find an address as it is now, however often it has moved; with a page move its anchors."""
        page, sign, anchor = address.partition("#")
        if address in self.moved:
            return self.follow(self.moved[address])
        if sign and page in self.moved:
            new = self.moved[page]
            return self.follow(new if sign in new else new + sign + anchor)
        return address

    def list_moved(self, page: str) -> dict[str, str]:
        """List the anchors of a page that have moved, each with its address now; the page itself is ''."""
        anchors = {}
        for old in self.moved:
            address, _, anchor = old.partition("#")
            if address == page:
                anchors[anchor] = self.follow(old)
        return anchors


def read_addresses(path: Path = ADDRESSES) -> Addresses:
    """Read the list."""
    kept, moved = set[str](), dict[str, str]()
    for line in read_text(path).splitlines():
        if not line or line.startswith("# "):
            continue
        address, arrow, new = line.partition(ARROW)
        if arrow:
            moved[address] = new
        else:
            kept.add(address)
    return Addresses(kept=frozenset(kept), moved=moved)


def write_addresses(path: Path, known: Addresses, new: Iterable[str]) -> None:
    """Write the list with new addresses; those that it has stay, also if no page has them now."""
    lines = sorted(known.kept.union(new) - known.moved.keys())
    lines += map(ARROW.join, sorted(known.moved.items()))
    path.write_text(_HEAD + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
