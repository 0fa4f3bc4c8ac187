"""Links go on working: as they were given to others, after a move, in the other language, from the root."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.site.check.addresses import find_broken_links, list_charts
from scripts.site.declare.addresses import read_addresses
from scripts.site.offline import ARCHIVE, FOLDER, pack_site
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, Site, Visit, lay_out, list_ids, switch_to


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[Path, list[str]]:
    """The ids of every page, by its file."""
    files = site.folder.rglob("*.html")
    return {file: list_ids(file.read_text(encoding="utf-8")) for file in files}


def test_every_link_leads_to_a_file_and_every_fragment_to_an_id(site: Site) -> None:
    assert list(find_broken_links(site.folder)) == []


def test_no_id_is_given_twice(pages: dict[Path, list[str]]) -> None:
    assert {page: ids for page, ids in pages.items() if len(ids) != len(set(ids))} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_permanent_address_is_there_or_leads_on(
    site: Site, pages: dict[Path, list[str]], language: str
) -> None:
    known = read_addresses()

    def is_there(address: str) -> bool:
        page, _, anchor = address.partition("#")
        file = site.folder / language / page / "index.html"
        return file in pages and (not anchor or anchor in pages[file])

    listed = known.kept | known.charts | known.moved.keys()
    assert [one for one in sorted(listed) if not is_there(known.follow(one))] == []
    for page in {old.partition("#")[0] for old in known.moved}:
        text = site.read(f"{language}/{page}")
        for anchor, now in known.list_moved(page).items():
            assert f'"{anchor}": "{"../" * page.count("/")}{now}"' in text


def test_every_chart_of_the_site_is_listed(site: Site) -> None:
    drawn, known = list_charts(site.folder, LANGUAGES), read_addresses().charts
    assert sorted(drawn - known) == []  # `make addresses` lists them


@pytest.mark.parametrize("address", ["claims/?status=refuted#all", "theory/gil/#release"])
def test_the_switch_keeps_what_was_asked_for_there_and_back(
    visit: Visit, site: Site, address: str
) -> None:
    page = visit(f"en/{address}")
    for language in ("ru", "en"):
        switch_to(page, language)
        expect(page).to_have_url(f"{site.url}{language}/{address}")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator(f"#{address.partition('#')[2]}")).to_be_in_viewport()


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


@pytest.mark.parametrize(
    ("locale", "tail", "leads_to"),
    [("ru-RU", "", "ru/"), ("en-GB", "", "en/"), ("ru", "#gil", "ru/#gil")],
)
def test_the_root_leads_to_the_language_of_the_browser(
    visit: Visit, site: Site, locale: str, tail: str, leads_to: str
) -> None:
    visit(tail, locale=locale).wait_for_url(f"{site.url}{leads_to}")


def test_the_root_remembers_a_choice_that_was_made(visit: Visit, site: Site) -> None:
    page = visit("en/", locale="en-GB")
    switch_to(page, "ru")
    page.wait_for_url(f"{site.url}ru/", wait_until="networkidle")
    page.goto(site.url)
    page.wait_for_url(f"{site.url}ru/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_root_works_without_script(visit: Visit, site: Site, language: str) -> None:
    page = visit("", java_script_enabled=False)
    expect(page).to_have_url(site.url)
    page.locator(f"a[hreflang={language}]").click()
    expect(page).to_have_url(f"{site.url}{language}/")


@pytest.mark.parametrize("lost", ["nowhere/", "en/matrix/nowhere", "ru/theory/gill/"])
def test_a_lost_reader_is_told_so_in_both_languages_and_led_to_what_is_most_alike(
    visit: Visit, site: Site, lost: str
) -> None:
    page = visit(lost, tolerant=True)
    for language, script in (("en", "[A-Za-z]{4}"), ("ru", "[А-Яа-я]{4}")):
        told = page.locator(f"main [lang={language}]")
        expect(told.locator("h2")).to_have_text(re.compile(script))
        home = told.locator("> p a").first.evaluate("link => link.href")
        assert home == f"{site.url}{language}/"
        if "gill" in lost:
            nearest = re.compile(rf"/{language}/theory/gil/$")
            expect(told.locator(".nearest a").first).to_have_attribute("href", nearest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_opened_as_a_file_says_that_its_search_needs_a_server(
    visit: Visit, site: Site, language: str
) -> None:
    page = visit("404.html", tolerant=True)
    page.goto((site.folder / language / "index.html").as_uri())
    page.keyboard.press("/")
    told = load_words(language).catalogue["search"]["file"]
    expect(page.locator(".search-status")).to_have_text(told)


def test_the_archive_is_read_searched_and_switched_as_files(
    visit: Visit, site: Site, tmp_path: Path
) -> None:
    pack_site(site.folder)
    archive = site.folder / ARCHIVE
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    archive.unlink()
    page = visit("404.html", tolerant=True, locale="ru")
    page.goto((tmp_path / FOLDER / "index.html").as_uri())
    page.wait_for_url("**/ru/index.html")
    page.keyboard.press("/")
    page.get_by_role("combobox").fill("deadlock")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/index.html#*deadlock")
    expect(page.locator("article h1")).to_be_visible()
    switch_to(page, "en")
    page.wait_for_url("**/en/**/index.html#*deadlock")
    expect(page.locator("html")).to_have_attribute("lang", "en")
