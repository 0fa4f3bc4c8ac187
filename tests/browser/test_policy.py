"""Every page says what may be loaded and run on it, needs no more, and so runs no script of others."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Site, Visitor

POLICY = '<meta http-equiv="Content-Security-Policy"'
KINDS = {
    "choice of language": "index.html",
    "404": "404.html",
    "home": "en/",
    "experiment": "ru/matrix/",
    "section": "en/matrix/p12/",
    "choice": "en/choose/",
    "claims": "ru/claims/",
    "steps": "en/theory/gil/",
    "explore": "en/explore/",
    "machines": "en/machines/",
    "notebook": "ru/notebook/",
}
INJECTED = (
    "<script>document.title = 'run'</script><img src='x' onerror=\"document.title = 'run'\">"
    "<a id='lure' href=\"javascript:document.title = 'run'\">a</a>"
)


def use(page: Page) -> None:
    """Do what loads or runs more than the page alone."""
    page.keyboard.press("/")
    box = page.locator("input[role=combobox]")
    if box.count():
        box.fill("deadlock")
        expect(page.locator("[role=option]").first).to_be_visible()
        page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def test_every_page_says_first_what_may_run(site: Site) -> None:
    pages = list(site.folder.rglob("*.html"))
    assert len(pages) > 100
    heads = {path: path.read_text(encoding="utf-8").partition("<script")[0] for path in pages}
    assert [path for path, head in heads.items() if head.count(POLICY) != 1] == []


@pytest.mark.parametrize("path", KINDS.values(), ids=KINDS)
def test_no_page_needs_more_than_its_policy_lets_it(visitor: Visitor, path: str) -> None:
    """The browser complains of whatever it is not let load or run, and the visitor of that."""
    with visitor.open(path) as page:
        use(page)


def test_the_preference_of_a_language_leads_on(visitor: Visitor) -> None:
    with visitor.open("#gil", locale="ru") as page:
        page.wait_for_url("**/ru/#gil")


@pytest.mark.parametrize("path", ["en/matrix/", "ru/notebook/"])
def test_what_a_stranger_would_bring_into_a_page_does_not_run(visitor: Visitor, path: str) -> None:
    source = (visitor.site.folder / path / "index.html").read_text(encoding="utf-8")
    given = re.sub("(<article[^>]*>)", lambda found: found[1] + INJECTED, source, count=1)
    with visitor.visit() as context:
        page = context.new_page()
        page.route(f"**/{path}", lambda route: route.fulfill(body=given, content_type="text/html"))
        refused: list[str] = []
        page.on("console", lambda said: refused.append(said.text))
        page.goto(visitor.site.url + path, wait_until="load")
        page.locator("#lure").click()
        expect(page.locator("html.js")).to_be_visible()
        assert page.title() != "run"
        assert sum("Content Security Policy" in one for one in refused) == 3


def test_an_address_that_is_none_leads_to_no_place_and_breaks_nothing(visitor: Visitor) -> None:
    for path in ("en/#%", "en/matrix/#%E0%A4%A", "404.html#%"):
        with visitor.open(path) as page:
            expect(page.locator("h1").first).to_be_visible()
