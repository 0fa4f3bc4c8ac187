"""Every link within the site leads somewhere, every anchor to a heading that exists."""

from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.browser.markup import Markup, read_markup
from tests.browser.visitor import EVERY_PAGE, PAGES, Site


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[Path, Markup]:
    return {file: read_markup(file) for file in site.folder.rglob("*.html")}


def test_every_page_is_there(site: Site) -> None:
    assert {"", "matrix/", "machine/", "method/", "notebook/"} <= set(PAGES)
    assert [page for page in EVERY_PAGE if not (site.folder / page / "index.html").is_file()] == []


def test_every_link_leads_to_a_file_and_every_fragment_to_an_id(
    site: Site, pages: dict[Path, Markup]
) -> None:
    broken = [
        f"{page.relative_to(site.folder)}: {link}"
        for page, markup in pages.items()
        for link in markup.links
        if not _leads_somewhere(site, pages, page, link)
    ]
    assert broken == []


def test_no_id_is_given_twice(site: Site, pages: dict[Path, Markup]) -> None:
    twice = {
        str(page.relative_to(site.folder)): found
        for page, markup in pages.items()
        if (found := [name for name, count in Counter(markup.ids).items() if count > 1])
    }
    assert twice == {}


def _leads_somewhere(site: Site, pages: dict[Path, Markup], page: Path, link: str) -> bool:
    target = urljoin(site.public_url + page.relative_to(site.folder).as_posix(), link)
    if not target.startswith(site.public_url):
        # Elsewhere is elsewhere, but nothing on this host lies above the site.
        return urlsplit(target).netloc != urlsplit(site.public_url).netloc
    parts = urlsplit(target)
    file = site.folder / unquote(parts.path).removeprefix(urlsplit(site.public_url).path)
    file = file / "index.html" if parts.path.endswith("/") else file
    if not file.is_file():
        return False
    fragment = unquote(parts.fragment)
    return not fragment or file.suffix != ".html" or fragment in (*pages[file].ids, "__top")
