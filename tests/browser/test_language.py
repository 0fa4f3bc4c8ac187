"""Whoever reads one language finds the other at the same place; the root knows which is theirs."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import LANGUAGES, Site, Visitor, switch_to

ON_SCREEN = "id => document.getElementById(id)?.getBoundingClientRect().top < innerHeight"


def test_the_switch_keeps_page_and_section_there_and_back(visitor: Visitor) -> None:
    with visitor.open("en/theory/gil/#release", locale="en-GB") as page:
        switch_to(page, "ru")
        expect(page).to_have_url(f"{visitor.site.url}ru/theory/gil/#release")
        expect(page.locator("html")).to_have_attribute("lang", "ru")
        page.wait_for_function(ON_SCREEN, arg="release")
        switch_to(page, "en")
        expect(page).to_have_url(f"{visitor.site.url}en/theory/gil/#release")
        expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize(
    ("locale", "language"), [("ru-RU", "ru"), ("en-US", "en"), ("en-GB", "en")]
)
def test_the_root_leads_to_the_language_of_the_browser(
    visitor: Visitor, locale: str, language: str
) -> None:
    with visitor.visit(locale=locale) as context:
        page = context.new_page()
        page.goto(visitor.site.url)
        page.wait_for_url(f"{visitor.site.url}{language}/")


def test_the_root_remembers_a_choice_that_was_made(visitor: Visitor) -> None:
    with visitor.open("en/", locale="en-GB") as page:
        switch_to(page, "ru")
        page.wait_for_url(f"{visitor.site.url}ru/", wait_until="networkidle")
        page.goto(visitor.site.url)
        page.wait_for_url(f"{visitor.site.url}ru/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_root_works_without_script(visitor: Visitor, language: str) -> None:
    with visitor.open("", java_script_enabled=False) as page:
        expect(page).to_have_url(visitor.site.url)
        page.locator(f"a[hreflang={language}]").click()
        expect(page).to_have_url(f"{visitor.site.url}{language}/")
        expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("lost", ["nowhere/", "en/matrix/nowhere", "ru/nowhere/deep/"])
def test_a_lost_reader_is_told_so_in_both_languages(
    visitor: Visitor, site: Site, lost: str
) -> None:
    with visitor.visit() as context:
        page = context.new_page()
        answer = page.goto(site.url + lost)
        assert answer is not None
        assert answer.status == 404
        for language, script in (("en", "[A-Za-z]{4}"), ("ru", "[А-Яа-я]{4}")):
            expect(page.locator(f"main [lang={language}] h2")).to_have_text(re.compile(script))
            home = page.locator(f"main [lang={language}] > p a").evaluate("link => link.href")
            assert home == f"{site.url}{language}/"
            assert context.request.get(home).status == 200


def test_who_opens_the_lost_page_itself_is_led_nowhere(visitor: Visitor) -> None:
    with visitor.open("404.html") as page:
        expect(page.locator("main h2")).to_have_count(len(LANGUAGES))
        expect(page.locator(".nearest a")).to_have_count(0)


def test_a_lost_reader_is_led_to_the_page_whose_address_is_most_alike(visitor: Visitor) -> None:
    with visitor.visit() as context:
        page = context.new_page()
        page.goto(f"{visitor.site.url}ru/theory/gill/")
        for language in LANGUAGES:
            nearest = page.locator(f"main [lang={language}] .nearest a").first
            expect(nearest).to_have_attribute("href", re.compile(rf"/{language}/theory/gil/$"))
