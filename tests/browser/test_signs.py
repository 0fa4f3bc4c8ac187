"""What signs and flags mean is told on a tap too, beneath them, and goes again."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from scripts.harness.paths import DOCS
from scripts.site.render.signs import show_flags, show_verdict
from scripts.site.render.words import load_words

SCRIPT = DOCS / "theme" / "assets" / "signs.js"


@contextmanager
def open_page(browser: Browser, language: str) -> Iterator[Page]:
    words = load_words(language)
    with browser.new_context(has_touch=True, viewport={"width": 360, "height": 740}) as visit:
        page = visit.new_page()
        shown = show_verdict("recommended", words) + show_flags(["few"], words)
        page.set_content(f"<article><p>{shown}</p></article>")
        page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
        yield page


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_tap_tells_what_a_sign_means_and_another_takes_it_away(
    browser: Browser, language: str
) -> None:
    with open_page(browser, language) as page:
        verdict, flag = page.locator("[title]").all()
        for sign in (verdict, flag):
            sign.tap()
            expect(page.get_by_role("status")).to_have_text(sign.get_attribute("title") or "")
        flag.tap()
        expect(page.get_by_role("status")).to_have_count(0)


def test_escape_takes_it_away(browser: Browser) -> None:
    with open_page(browser, "en") as page:
        page.locator("abbr").tap()
        expect(page.get_by_role("status")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("status")).to_have_count(0)
