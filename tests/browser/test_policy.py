"""Every page says what may be loaded and run on it, needs no more, and so runs nothing of strangers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.made_up import HOSTILE
from tests.browser.pages import LANGUAGES, TELEPHONE, Site, Visit, unfold

POLICY = '<meta http-equiv="Content-Security-Policy"'
INJECTED = (
    "<script>document.title = 'run'</script><img src='x' onerror=\"document.title = 'run'\">"
    "<a id='lure' href=\"javascript:document.title = 'run'\">a</a>"
)


def test_every_page_says_first_what_may_run(site: Site) -> None:
    pages = list(site.folder.rglob("*.html"))
    heads = {path: path.read_text(encoding="utf-8").partition("<script")[0] for path in pages}
    assert [path for path, head in heads.items() if head.count(POLICY) != 1] == []


@pytest.mark.parametrize("path", ["en/matrix/", "ru/notebook/"])
def test_what_a_stranger_would_bring_into_a_page_does_not_run(
    visit: Visit, site: Site, path: str
) -> None:
    given = re.sub("(<article[^>]*>)", lambda found: found[1] + INJECTED, site.read(path), count=1)
    page = visit("404.html", tolerant=True)
    page.route(f"**/{path}", lambda route: route.fulfill(body=given, content_type="text/html"))
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text))
    page.goto(site.url + path, wait_until="load")
    page.locator("#lure").click()
    expect(page.locator("html.js")).to_be_visible()
    assert page.title() != "run"
    assert sum("Content Security Policy" in one for one in refused) == 3


def test_what_another_machine_says_is_text_on_every_page(visit: Visit, site: Site) -> None:
    for language in LANGUAGES:
        texts = {one: site.read(f"{language}/{one}") for one in site.list_pages(language)}
        told = [page for page, text in texts.items() if "wx-hostile" in text]
        assert "machines/" in told
        assert [page for page in told if HOSTILE in texts[page]] == []
    page = visit("404.html", viewport=TELEPHONE)
    for path in told:
        page.goto(f"{site.url}ru/{path}", wait_until="load")
        unfold(page)
        assert page.evaluate("window.hostile") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= TELEPHONE["width"]


def test_an_address_that_is_none_leads_to_no_place_and_breaks_nothing(visit: Visit) -> None:
    for path in ("en/#%", "en/matrix/#%E0%A4%A", "404.html#%"):
        expect(visit(path).locator("h1").first).to_be_visible()
