"""Every page is whole; of each kind one opens cleanly, fits a telephone and paper, and keeps nobody out."""

import os
import re
from pathlib import Path

import pytest
from markupsafe import Markup
from playwright.sync_api import Page, ViewportSize, expect

from bench.weight import MOST_ELEMENTS, count_elements
from poolwise.output import spell
from scripts.site.page.cards import CARD
from scripts.site.paths import ROOT
from scripts.site.render.names import show_flags, show_verdict
from scripts.site.render.twin import TWIN
from scripts.site.render.words import load_words
from tests.browser.pages import (
    COLOURS,
    LANGUAGES,
    SCREEN,
    TELEPHONE,
    Site,
    Visit,
    find_faults,
    switch_to,
    unfold,
)

KINDS = [
    "",
    "choose/",
    "matrix/",
    "claims/",
    "explore/",
    "machines/",
    "sleep/code/",
    "questions/middle/",
    "asked/",
    "notebook/",
    "matrix/p12/",
    "method/",
    "startup/",
    "queues/",
    "crossing/",
    "modulo/",
    "theory/multitasking/",
    "lessons/choose/",
]
"""Pages that have among them whatever a page of the site can have."""
WIDE_SCREEN = ViewportSize(width=1440, height=900)
BLOCK = re.compile(r'class="(evidence evidence-[a-z]+|admonition [a-z]+|question|footnote)')
LINK = re.compile(r"\]\(([^)\s]*)\)")
FENCE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
ATTRIBUTES = re.compile(r"\{:|\{[.#]\w")
"""How a list of attributes begins that Markdown took for text."""
CODE = re.compile(r"<(pre|svg)\b.*?</\1>|<(script|style|code)\b.*?</\2>", re.DOTALL)
LONE_SIGNS = """() => [...document.querySelectorAll(".headerlink")].filter(sign => {
  const word = document.createRange();
  word.selectNodeContents(sign.previousSibling);
  return sign.getBoundingClientRect().top >= word.getBoundingClientRect().bottom;
}).map(sign => sign.hash)"""
RIGHT_EDGES = """() => [...new Set([...document.querySelectorAll(
  ".md-content__inner > :is(p, ul, .highlight, .evidence), .measured-scroll, .program, .claim, figure"
)].filter(one => one.checkVisibility()).map(one => Math.round(one.getBoundingClientRect().right)))]"""
A4_WITHIN_MARGINS_PX = 794 - 2 * 53
FIND_WIDE = """most => [...document.querySelectorAll("article table, article svg, article pre")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > most)
  .map(one => one.tagName + " " + (one.className.baseVal ?? one.className))"""
"""What reaches beyond the paper, which a printer cuts off."""
READ_COLOUR = "name => getComputedStyle(document.body).getPropertyValue(name).trim()"


def list_own(site: Site, language: str) -> list[str]:
    """List the pages that are none to lead on to where a page is now."""
    pages = site.list_pages(language)
    return [page for page in pages if "<article" in site.read(f"{language}/{page}")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_whole_not_too_heavy_for_a_phone_and_has_a_card(
    site: Site, language: str
) -> None:
    assert site.list_pages(language) == site.list_pages("ru")
    wrong = {}
    titles: set[str] = set()
    for page in list_own(site, language):
        html = site.read(f"{language}/{page}")
        title = html.partition("<title>")[2].partition("</title>")[0]
        prose = Markup(CODE.sub("", html)).striptags()
        has_card = (site.folder / language / page / CARD).is_file()
        faults = {
            "no title": html.count("<h1") != 1,
            "another page's title": title in titles,
            "another title where it is linked": f'og:title" content="{title.partition(" - ")[0]}"'
            not in html,
            "another language": f'<html lang="{language}"' not in html,
            "a fence that was not run": 'exec="on"' in html,
            "an error": "Traceback (most recent call last)" in prose,
            "a placeholder": page != "notebook/" and bool(PLACEHOLDER.search(prose)),  # it has code
            "a list of attributes": bool(ATTRIBUTES.search(prose)),
            "too heavy": count_elements(html) > MOST_ELEMENTS,
            "no card": f'"{site.public_url}{language}/{page}{CARD}"' not in html or not has_card,
        }
        titles.add(title)
        if any(faults.values()):
            wrong[page] = [name for name, is_there in faults.items() if is_there]
    assert wrong == {}


def test_no_file_of_the_site_tells_where_it_was_built(site: Site) -> None:
    places = f"{spell(str(ROOT))}|{spell(str(Path.home()))}"
    folder = re.compile(rf"(?<![\w.-])(?:{places})(?![\w.-])".encode())
    files = [path for path in site.folder.rglob("*") if path.is_file()]
    assert len(files) > 500
    assert [path for path in files if folder.search(path.read_bytes())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_a_twin_whose_links_lead_somewhere(site: Site, language: str) -> None:
    folder = site.folder / language
    pages = list_own(site, language)
    assert len(pages) > 50
    files = [folder / page / TWIN for page in pages if page != "notebook/"]  # it is a file itself
    wrong = {}
    for file in (*files, folder / "llms.txt"):
        text = FENCE.sub("", file.read_text(encoding="utf-8-sig"))
        links = [re.split("[?#]", link)[0] for link in LINK.findall(text) if "://" not in link]
        lost = [link for link in links if not (file.parent / link).exists()]
        if lost or not text.startswith("# ") or not links:
            wrong[file] = lost
    assert wrong == {}


def test_a_link_copies_the_page_as_markdown(visit: Visit, site: Site) -> None:
    page = visit("ru/json/", permissions=["clipboard-read", "clipboard-write"])
    page.locator("a.copy-page").click()
    expect(page.locator(".copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (site.folder / "ru/json" / TWIN).read_text(encoding="utf-8-sig")


def test_every_kind_of_block_is_on_a_page_that_is_looked_at(site: Site) -> None:
    def list_blocks(pages: list[str]) -> set[str]:
        kinds: set[str] = set()
        for page in pages:
            kinds.update(BLOCK.findall(site.read(f"en/{page}")))
        return kinds

    assert list_blocks(KINDS) == list_blocks(site.list_pages("en"))


@pytest.mark.parametrize("path", KINDS)
def test_a_page_opens_without_complaint_in_any_width_and_keeps_nobody_out(
    visit: Visit, site: Site, path: str
) -> None:
    """Axe looks in Russian, in English on a telephone with all folds open, and at colours in the dark."""
    page = visit(f"ru/{path}", viewport=SCREEN, color_scheme="light")
    _fit(page)
    assert find_faults(page) == []
    switch_to(page, "en")
    expect(page).to_have_url(f"{site.url}en/{path}")
    _fit(page)
    unfold(page)
    page.set_viewport_size(TELEPHONE)
    assert find_faults(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert find_faults(page, runOnly=COLOURS) == []


@pytest.mark.parametrize("path", ["en/matrix/", "ru/theory/gil/", "en/answers/fetch-urls/"])
def test_prose_code_tables_and_pictures_end_at_one_right_edge(visit: Visit, path: str) -> None:
    assert len(visit(path, viewport=WIDE_SCREEN).evaluate(RIGHT_EDGES)) == 1


@pytest.mark.skipif(not os.environ.get("ALL"), reason="ALL=1 looks at every page")
def test_every_page_opens_without_complaint_and_keeps_nobody_out(visit: Visit, site: Site) -> None:
    page = visit("404.html", viewport=SCREEN, color_scheme="light")
    faults = {}
    for path in site.list_pages("en"):
        page.goto(f"{site.url}en/{path}", wait_until="load")
        _fit(page)
        faults[path] = find_faults(page)
    assert {path: fault for path, fault in faults.items() if fault} == {}


def _fit(page: Page) -> None:
    """On a telephone the page fits and no heading's sign stands alone."""
    page.wait_for_load_state("load")
    # The title of the page takes the site's name's place only when it is scrolled away.
    assert page.locator(".md-header__title--active").count() == 0
    page.set_viewport_size(TELEPHONE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= TELEPHONE["width"]
    assert page.evaluate(LONE_SIGNS) == []
    page.set_viewport_size(SCREEN)


@pytest.mark.parametrize(
    ("path", "done"),
    [
        pytest.param("matrix/?cores=1&order=time#answer", "", id="filtered table"),
        pytest.param("claims/?status=refuted#all", "", id="filtered claims"),
        pytest.param("choose/?work=cpu", "", id="answer"),
        pytest.param("startup/", ".md-header [for=__drawer]", id="menu"),
    ],
)
def test_what_readers_bring_about_keeps_nobody_out(visit: Visit, path: str, done: str) -> None:
    page = visit(f"ru/{path}", viewport=TELEPHONE)
    unfold(page)
    if done:
        page.locator(done).first.click()
    assert find_faults(page) == []


def test_colours_follow_the_system_until_chosen_by_pointer_or_key_and_then_stay(
    visit: Visit,
) -> None:
    page = visit("en/sources/", color_scheme="dark")
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("#palette label:visible").click()
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    page.reload()
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    page.locator("#palette input:checked").press("Enter")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.emulate_media(color_scheme="light")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


def test_a_filtered_list_of_claims_has_those_alone(visit: Visit) -> None:
    page = visit("en/claims/")
    visible = page.locator(".claims-list > .claim:not([hidden])")
    refuted = page.locator('.claims-list > .claim[data-status="refuted"]')
    form = page.locator(".claims-filter")
    form.locator("[name=status]").select_option("refuted")
    expect(page).to_have_url(re.compile("status=refuted"))
    expect(visible).to_have_count(refuted.count())
    expect(refuted.and_(visible)).to_have_count(refuted.count())
    expect(form.locator("output")).to_contain_text(f"shown: {refuted.count()} of ")


def test_a_tap_tells_what_a_sign_means_and_another_or_escape_takes_it_away(visit: Visit) -> None:
    words = load_words("ru")
    page = visit("ru/matrix/", has_touch=True, viewport=TELEPHONE)
    signs = show_verdict("recommended", words) + show_flags(["few"], words)
    page.evaluate("signs => { document.querySelector('article').innerHTML = signs }", str(signs))
    verdict, flag = page.locator("article [title]").all()
    help_ = page.locator("[role=status].sign-help")
    for sign in (verdict, flag):
        sign.tap()
        expect(help_).to_have_text(sign.get_attribute("title") or "")
    flag.tap()
    expect(help_).to_have_count(0)
    flag.tap()
    expect(help_).to_have_count(1)
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "scheme", "most_sheets"),
    [
        ("en/", "light", 4),
        ("ru/matrix/", "dark", 12),
        ("ru/questions/", "light", 24),
        ("en/theory/gil/", "dark", 8),
        ("en/claims/", "dark", None),
        ("en/tickets/", "light", None),
    ],
)
def test_paper_is_light_few_and_whole_and_the_page_is_as_it_was_after_printing(
    visit: Visit, path: str, scheme: str, most_sheets: int | None
) -> None:
    size = {"width": A4_WITHIN_MARGINS_PX, "height": 1000}
    page = visit(path, color_scheme=scheme, viewport=size)
    if most_sheets:
        folds = page.locator("details > noscript")
        waiting = folds.count()
        printed = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= most_sheets
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        expect(folds).to_have_count(waiting)
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate(FIND_WIDE, size["width"] + 1) == []
    assert page.evaluate(READ_COLOUR, "--md-default-bg-color") == "#fdfcf9"
    assert page.evaluate(READ_COLOUR, "--chart-ink") == "#1d2327"
