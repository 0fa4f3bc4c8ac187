"""Moved: addresses of what stands in a section that is a page now lead on to it.

A link to ``matrix/#p12``, wherever it stands, is made one to that page. Whoever comes by such an
address finds a link to the page there, which a script of the site follows.
"""

import re
from collections import Counter
from collections.abc import Iterable
from posixpath import normpath, relpath

from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_ID = re.compile(r'<[^>]*\sid="([^"]+)"')
_HREF = re.compile(r'href="([^":#]*)#([^"]+)"')
_PLACE = re.compile(r'<a class="section"[^>]*\sid="([^"]+)"[^>]*>.*?</a>')


class Moved:
    """Which ids of pages stand on pages of their sections now."""

    def __init__(self, files: Files, language: str) -> None:
        """Of all pages, once their content is known; pages learn what comes before and after them.

        That is as their home has their links; every second language is read from its end.
        """
        self._language = language
        self.places: dict[str, dict[str, str]] = {}
        pages = [file.page for file in files.documentation_pages() if file.page]
        for home in pages:
            if "sections" in home.meta:
                own = [one for one in pages if one.file.src_uri.startswith(f"{home.file.name}/")]
                own.sort(key=lambda one: (home.content or "").find(f'id="{one.file.name}"'))
                self.places[home.url] = _find_moved(home, own)
                _put_in_row(home, own)

    def lead(self, output: str, page: Page) -> str:
        """A page whose links lead to where things stand now, and that says so of its own ids."""
        return _HREF.sub(lambda link: self._lead(link, page.url), self._anchor(output, page.url))

    def _lead(self, link: re.Match[str], url: str) -> str:
        base = f"{self._language}/"
        target = f"{normpath(f'{base}{url}{link[1]}')}/".removeprefix(base) if link[1] else url
        place = self.places.get(target, {}).get(link[2])
        if place is None:
            return link[0]
        if place == url:
            return f'href="#{link[2]}"'
        fragment = "" if place == f"{target}{link[2]}/" else f"#{link[2]}"
        return f'href="{relpath(place, url)}/{fragment}"'

    def _anchor(self, output: str, url: str) -> str:
        """Beside the link to a section, the ids of what stands in it."""
        places = self.places.get(url, {})
        found: dict[str, list[str]] = {}
        for id_, place in places.items():
            found.setdefault(place, []).append(id_)

        def anchor(link: re.Match[str]) -> str:
            ids = (one for one in found.get(f"{url}{link[1]}/", ()) if one != link[1])
            return link[0] + "".join(f'<i id="{one}"></i>' for one in ids)

        return _PLACE.sub(anchor, output) if places else output


def _find_moved(home: Page, pages: Iterable[Page]) -> dict[str, str]:
    """The ids in the sections' text, except those of the headings that each of them has."""
    found = {one.url: set(_ID.findall(_DRAWING.sub("", one.content or ""))) for one in pages}
    times = Counter(id_ for ids in found.values() for id_ in ids)
    moved = {id_: url for url, ids in found.items() for id_ in sorted(ids) if times[id_] == 1}
    home.present_anchor_ids = (home.present_anchor_ids or set()) | moved.keys()
    return moved


def _put_in_row(home: Page, pages: list[Page]) -> None:
    """Let readers turn the leaves: each page leads to the next, and they stand where the home does."""
    for before, after in zip([home, *pages], pages, strict=False):
        after.previous_page, after.parent = before, home.parent
        if before is not home:
            before.next_page = after
