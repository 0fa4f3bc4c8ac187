"""Links go on working: within the site, as they were given to others, on scrolling, after a move."""

from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import expect

from scripts.site.check.addresses import list_charts
from scripts.site.declare.addresses import read_addresses
from tests.browser.pages import LANGUAGES, Markup, Site, Visit, lay_out, read_all, switch_to


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[Path, Markup]:
    return dict(read_all(site))


def test_every_link_leads_to_a_file_and_every_fragment_to_an_id(
    site: Site, pages: dict[Path, Markup]
) -> None:
    broken = [
        f"{page.relative_to(site.folder)}: {link}"
        for page, markup in pages.items()
        for link in markup.links
        if not _leads_somewhere(site, pages, page, link)
    ]
    assert broken[:20] == []


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
    is_top = fragment in ("", "__top")
    return is_top or file.suffix != ".html" or fragment in pages[file].ids


def test_no_id_is_given_twice(site: Site, pages: dict[Path, Markup]) -> None:
    twice = {}
    for page, markup in pages.items():
        found = [name for name, count in markup.ids.items() if count > 1]
        if found:
            twice[str(page.relative_to(site.folder))] = found
    assert twice == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_permanent_address_is_there_or_leads_on(
    site: Site, pages: dict[Path, Markup], language: str
) -> None:
    known = read_addresses()

    def is_there(address: str) -> bool:
        page, _, anchor = address.partition("#")
        file = site.folder / language / page / "index.html"
        return file in pages and (not anchor or anchor in pages[file].ids)

    listed = known.kept | known.charts | known.moved.keys()
    assert [one for one in sorted(listed) if not is_there(known.follow(one))] == []
    for page in {old.partition("#")[0] for old in known.moved}:
        text = site.read(f"{language}/{page}")
        for anchor, now in known.list_moved(page).items():
            assert f'"{anchor}": "{"../" * page.count("/")}{now}"' in text


def test_every_chart_of_the_site_is_listed(site: Site) -> None:
    drawn, known = list_charts(site.folder, LANGUAGES), read_addresses().charts
    assert sorted(drawn - known) == []  # `make addresses` lists them


@pytest.mark.parametrize("address", ["claims/?status=refuted#all", "choose/?work=cpu#answers"])
def test_the_switch_keeps_what_was_asked_for(visit: Visit, site: Site, address: str) -> None:
    page = visit(f"en/{address}")
    switch_to(page, "ru")
    expect(page).to_have_url(f"{site.url}ru/{address}")


def test_the_switch_keeps_the_section_that_one_has_scrolled_to(visit: Visit, site: Site) -> None:
    page = visit("en/theory/gil/")
    lay_out(page)
    page.locator("#unsafe").evaluate("one => one.scrollIntoView()")
    # A click of the mouse would scroll while the menu is still opening.
    page.locator(".md-header a[hreflang=ru]").dispatch_event("click")
    expect(page).to_have_url(f"{site.url}ru/theory/gil/#unsafe")


def test_a_page_whose_anchors_have_moved_leads_on_with_the_question(visit: Visit) -> None:
    known = read_addresses()
    for old in sorted(one for one in known.moved if "#" in one)[:2]:
        page_, _, anchor = old.partition("#")
        page = visit(f"en/{page_}?a=b#{anchor}")
        page_, _, anchor = known.follow(old).partition("#")
        page.wait_for_url(f"**/en/{page_}?a=b{'#' if anchor else ''}{anchor}")
