"""Whoever reads one language finds the other at the same place; the root knows which is theirs."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scripts.site.offline import FOLDER, pack_site
from tests.browser.pages import LANGUAGES, Site, Visit, switch_to


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


def test_the_archive_is_read_searched_and_switched_as_files(
    visit: Visit, site: Site, tmp_path: Path
) -> None:
    archive = pack_site(site.folder)
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
