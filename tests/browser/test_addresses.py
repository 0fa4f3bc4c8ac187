"""Links go on working: as they were given to others, after a move, in the other language, from the root."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.site.check.addresses import find_broken_links
from scripts.site.declare.addresses import read_addresses
from scripts.site.offline import ARCHIVE, DATA_ARCHIVE, FOLDER, pack_site
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, Site, Visit, lay_out, list_ids, switch_to


def test_every_link_leads_to_a_file_and_every_fragment_to_an_id(site: Site) -> None:
    assert list(find_broken_links(site.folder)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_permanent_address_is_there_or_leads_on_and_no_id_is_given_twice(
    site: Site, language: str
) -> None:
    ids, twice = {}, []
    for page in site.list_pages(language):
        listed = list_ids(site.read(f"{language}/{page}"))
        ids[page] = set(listed)
        if len(listed) > len(ids[page]):
            twice.append(page)
    assert twice == []
    known, lost = read_addresses(), []
    for address in known.kept | known.moved.keys():
        page, _, anchor = known.follow(address).partition("#")
        leads_on = f'"{anchor}": "'  # to where it stands on a page below
        is_there = page in ids and (not anchor or anchor in ids[page])
        if not is_there and leads_on not in site.read(f"{language}/{page}"):
            lost.append(address)
    assert lost == []
    for page in {address.partition("#")[0] for address in known.moved}:
        text = site.read(f"{language}/{page}")
        for anchor, way in known.list_moved(page).items():
            assert f'"{anchor}": "{"../" * page.count("/")}{way}"' in text


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
    page.locator("#unsafe").evaluate("heading => heading.scrollIntoView()")
    # A click of the mouse would scroll while the menu is still opening.
    page.locator(".md-header a[hreflang=ru]").dispatch_event("click")
    expect(page).to_have_url(f"{site.url}ru/theory/gil/#unsafe")


def test_a_page_whose_anchors_have_moved_leads_on_with_the_question(visit: Visit) -> None:
    known = read_addresses()
    for address in sorted(address for address in known.moved if "#" in address)[:2]:
        before, _, anchor = address.partition("#")
        page = visit(f"en/{before}?a=b#{anchor}")
        now, sign, anchor = known.follow(address).partition("#")
        page.wait_for_url(f"**/en/{now}?a=b{sign}{anchor}")


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
def test_the_root_works_without_script_and_a_file_says_that_its_search_needs_a_server(
    visit: Visit, site: Site, language: str
) -> None:
    page = visit("", java_script_enabled=False)
    expect(page).to_have_url(site.url)
    page.locator(f"a[hreflang={language}]").click()
    expect(page).to_have_url(f"{site.url}{language}/")
    page = visit("404.html", tolerant=True)
    page.goto((site.folder / language / "index.html").as_uri())
    page.keyboard.press("/")
    status = load_words(language).catalogue["search"]["file"]
    expect(page.locator(".search-status")).to_have_text(status)


@pytest.mark.parametrize("lost", ["nowhere/", "en/matrix/nowhere", "ru/theory/gill/"])
def test_a_lost_reader_is_told_so_in_both_languages_and_led_to_what_is_most_alike(
    visit: Visit, site: Site, lost: str
) -> None:
    page = visit(lost, tolerant=True)
    first = "ru" if lost.startswith("ru/") else "en"
    expect(page.locator("main > section").first).to_have_attribute("lang", first)
    for language, script in (("en", "[A-Za-z]{4}"), ("ru", "[А-Яа-я]{4}")):
        section = page.locator(f"main [lang={language}]")
        expect(section.locator("h2")).to_have_text(re.compile(script))
        home = section.locator("> p a").first.evaluate("link => link.href")
        assert home == f"{site.url}{language}/"
        if "gill" in lost:
            nearest = re.compile(rf"/{language}/theory/gil/$")
            expect(section.locator(".nearest a").first).to_have_attribute("href", nearest)


def test_the_archive_is_read_searched_and_switched_as_files(
    visit: Visit, site: Site, tmp_path: Path
) -> None:
    pack_site(site.folder)
    archive = site.folder / ARCHIVE
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    archive.unlink()
    (site.folder / DATA_ARCHIVE).unlink()
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
