"""Compares two built sites: ``python -m bench.sites OLD NEW`` prints what a reader would see differ."""

import re
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from html.parser import HTMLParser
from pathlib import Path

from scripts.site.check.addresses import find_broken_links

LINES_SHOWN = 12
NAMES_SHOWN = 12

_UNSEEN = frozenset({"script", "style", "head", "template"})
_INLINE = frozenset({
    "a", "abbr", "b", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "samp", "small",
    "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
})  # fmt: skip
_BUILT_ANEW = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"  # when it was built
    r"|\b(?=[0-9a-f]*\d)[0-9a-f]{8,64}\b"  # digests of commits and assets
)
# Pagefind packs and names its index by all the text there is: any word changes every file.
_PACKED = re.compile(r"(?:^|/)pagefind/|\.(?:zip|gz|png)$")


@dataclass(slots=True)
class Page:
    """A page or picture: its text a line a block, and its anchors."""

    lines: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)


def compare_sites(old: Path, new: Path) -> Iterator[str]:
    """Tell each difference in a few lines; nothing if a reader would see none."""
    old_files, new_files = _list_files(old), _list_files(new)
    yield from _tell_names("only in the old site", old_files.keys() - new_files)
    yield from _tell_names("only in the new site", new_files.keys() - old_files)
    old_pages, new_pages = _read_pages(old_files), _read_pages(new_files)
    yield from _compare_texts(old_pages, new_pages)
    yield from _tell_names("anchor lost", _list_lost(old_pages, new_pages))
    yield from _tell_names("link broken", _list_broken(new) - _list_broken(old))
    yield from _tell_names("data differ", _list_changed(old_files, new_files))


def read_page(text: str) -> Page:
    """Read what a person sees of HTML or SVG, and what links can lead to."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_line()
    return reader.page


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._said = ""
        self._unseen = 0
        self._drawn = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        self._drawn += tag == "svg"
        if tag not in _INLINE:
            self.end_line()
        for name, value in attrs:
            # What is inside a drawing has ids for the drawing alone, and MkDocs' own begin so.
            if name == "id" and value and not self._drawn and not value.startswith("__"):
                self.page.anchors.add(value)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN
        self._drawn -= tag == "svg"
        if tag not in _INLINE:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._said += data

    def end_line(self) -> None:
        line = " ".join(_BUILT_ANEW.sub("…", self._said).split())
        if line:
            self.page.lines.append(line)
        self._said = ""


def _list_files(site: Path) -> dict[str, Path]:
    """List the files of a site by their paths, in which digests do not count."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    return {
        _BUILT_ANEW.sub("…", path.relative_to(site).as_posix()): path
        for path in files
        if not _PACKED.search(path.relative_to(site).as_posix())
    }


def _read_pages(files: Mapping[str, Path]) -> dict[str, Page]:
    shown = {name: path for name, path in files.items() if path.suffix in {".html", ".svg"}}
    return {name: read_page(path.read_text(encoding="utf-8")) for name, path in shown.items()}


def _compare_texts(old: Mapping[str, Page], new: Mapping[str, Page]) -> Iterator[str]:
    """Tell what pages say differently; what differs alike on many pages is told once."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sorted(old.keys() & new.keys()):
        if old[name].lines != new[name].lines:
            lines = unified_diff(old[name].lines, new[name].lines, n=0, lineterm="")
            alike[tuple(line for line in lines if line[:2] not in {"--", "++", "@@"})].append(name)
    pages_first = sorted(
        alike.items(), key=lambda told: (told[1][0].endswith(".svg"), -len(told[1]))
    )
    for changes, names in pages_first:
        others = f" and {len(names) - 1} more alike" if len(names) > 1 else ""
        yield f"text differs: {names[0]}{others}"
        yield from (f"    {line[:200]}" for line in changes[:LINES_SHOWN])
        if len(changes) > LINES_SHOWN:
            yield f"    … {len(changes) - LINES_SHOWN} lines more"


def _list_lost(old: Mapping[str, Page], new: Mapping[str, Page]) -> set[str]:
    lost: set[str] = set()
    for name in old.keys() & new.keys():
        lost |= {f"{name}#{anchor}" for anchor in old[name].anchors - new[name].anchors}
    return lost


def _list_broken(site: Path) -> set[str]:
    """List where links lead that lead nowhere, whatever folder the site is in."""
    told = "\n".join(find_broken_links(site)).replace(site.resolve().as_uri(), "")
    return {
        _BUILT_ANEW.sub("…", place)
        for place in re.findall(r"^\[\w+\] (?:file://)?(\S+)", told, re.MULTILINE)
    }


def _list_changed(old: Mapping[str, Path], new: Mapping[str, Path]) -> set[str]:
    """List files that are not shown as pages and differ in more than when they were built."""
    return {
        name
        for name in old.keys() & new.keys()
        if old[name].suffix not in {".html", ".svg"} and _read(old[name]) != _read(new[name])
    }


def _read(path: Path) -> str:
    return _BUILT_ANEW.sub("…", path.read_text(encoding="utf-8", errors="replace"))


def _tell_names(what: str, names: Iterable[str]) -> Iterator[str]:
    told = sorted(names)
    yield from (f"{what}: {name}" for name in told[:NAMES_SHOWN])
    if len(told) > NAMES_SHOWN:
        yield f"{what}: {len(told) - NAMES_SHOWN} more"


def main() -> int:
    """Print how two built sites differ; 1 if they do."""
    parser = ArgumentParser(prog="python -m bench.sites", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    asked = parser.parse_args()
    differs = False
    for line in compare_sites(asked.old, asked.new):
        differs = True
        print(line)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
