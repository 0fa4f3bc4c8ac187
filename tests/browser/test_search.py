"""Search finds words in any form and names in code, by keyboard alone and without leaving the site."""

import re
import tomllib
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Locator, LocatorAssertions, Page, expect

from scripts.site.page.search import list_headings
from scripts.site.paths import ASKED
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, SCHEMES, TELEPHONE, Site, Visit, find_faults

QUERIES = tomllib.loads(Path(__file__).with_name("queries.toml").read_text(encoding="utf-8"))
STRANGERS = tomllib.loads(Path(__file__).with_name("strangers.toml").read_text(encoding="utf-8"))
LEAST_FOUND = 0.8
"""Of what strangers type; the independent list of 48 asks for 44."""
NAME = "ThreadPoolExecutor"
"""Of many pages."""
SENTENCE = "why is my multiprocessing slower than a for loop"
BETWEEN_KEYS_MS, PAUSE_MS = 80, 150
"""Of somebody who types, and of somebody who has typed: the page waits for longer, and for less."""
WATCHED = """
Object.assign(window, { asked: [], loaded: 0, released: Promise.resolve() });
window.hold = () => { window.released = new Promise((done) => { window.release = done; }); };
window.loadOffline = async (folder) => {
  const engine = await import(new URL("pagefind/pagefind.js", folder).href);
  const count = (one) => ({ ...one, data: () => { loaded += 1; return one.data(); } });
  const search = async (name) => {
    asked.push(name);
    document.documentElement.dataset.asked = name;
    await released;
    const answer = await engine.search(name);
    return { ...answer, results: answer.results.map(count) };
  };
  return { options: engine.options, search };
};
"""
"""An engine that notes each word it looks up and how many pages it loads, and that can be held."""
READ_ADDRESSES = """options => options.map(one =>
  (one.closest("a") || one.querySelector("a")).getAttribute("href"))"""


@pytest.fixture
def open_search(visit: Visit) -> Visit:
    """Opens a page and the dialog."""

    def opened(path: str, **context: object) -> Page:
        page = visit(path, **context)
        page.keyboard.press("/")
        expect(page.get_by_role("dialog")).to_be_visible()
        return page

    return opened


def find_field(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("combobox")


def search(page: Page, text: str) -> list[str]:
    """List the addresses that are offered, in their order."""
    field = page.locator("dialog [role=combobox]")
    field.fill("")
    expect_status(page).to_be_empty()
    field.fill(text)
    expect_found(page)
    found: list[str] = page.locator("dialog [role=option]").evaluate_all(READ_ADDRESSES)
    return found


def expect_status(page: Page) -> LocatorAssertions:
    return expect(page.locator("dialog [role=status]"))


def expect_found(page: Page) -> None:
    """Wait until the list is that of what is typed."""
    expect(page.locator("dialog [aria-busy]")).to_have_count(0)
    expect_status(page).not_to_be_empty()


def expect_chosen(page: Page, place: int) -> Locator:
    """Wait until this result alone is chosen, which must be what a screen reader is told of."""
    dialog = page.get_by_role("dialog")
    wanted = dialog.get_by_role("option").nth(place)
    expect(wanted).to_have_attribute("aria-selected", "true")
    expect(dialog.get_by_role("option", selected=True)).to_have_count(1)
    told = str(wanted.get_attribute("id"))
    expect(find_field(page)).to_have_attribute("aria-activedescendant", told)
    return wanted


@pytest.mark.parametrize(
    ("language", "slip", "word"), [("en", "dedlock", "deadlock"), ("ru", "семофор", "семафор")]
)
def test_what_people_type_is_among_the_first_three_and_what_strangers_type_mostly(
    open_search: Visit, language: str, slip: str, word: str
) -> None:
    page = open_search(f"{language}/")

    def find_missed(asked: dict[str, list[str]]) -> dict[str, list[str]]:
        missed = {}
        for query, wanted in asked.items():
            first = [one.partition(f"/{language}/")[2] for one in search(page, query)[:3]]
            if not any(_is_place(one, place) for one in first for place in wanted):
                missed[query] = first
        return missed

    assert find_missed(QUERIES[language]) == {}
    strangers = STRANGERS[language]
    missed = find_missed(strangers)
    assert len(missed) <= (1 - LEAST_FOUND) * len(strangers), missed
    other = {"en": "fire and forget", "ru": "запустить и забыть"}[language]
    assert search(page, other)
    assert "\u2063" not in page.locator("dialog").inner_text()  # what others call it is not shown
    asked = {"en": "what is the GIL", "ru": "что такое GIL"}[language]
    assert search(page, asked)[0].endswith("questions/#q-gil")
    assert search(page, slip) == search(page, word)  # a slip of a letter
    form = {"en": "threaded", "ru": "потоками"}[language]
    assert search(page, form)
    marked = {mark.casefold() for mark in page.locator("mark").all_text_contents()}
    assert marked - {form}  # found in another form than was asked for
    assert search(page, f"qxqxqx {NAME}") == search(page, NAME)  # a word that is nowhere


def _is_place(address: str, wanted: str) -> bool:
    """Whether it is the place, or, where that is a page, one of its sections."""
    return address == wanted or ("#" not in wanted and address.startswith(wanted))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_heading_that_others_call_otherwise_is_there(site: Site, language: str) -> None:
    asked = tomllib.loads(ASKED.read_text(encoding="utf-8"))
    for page, names in asked.items():
        assert set(names) <= set(list_headings(site.read(f"{language}/{page}"))), page


@pytest.fixture
def type_slowly(visit: Visit) -> Page:
    """Opens the dialog of a page whose clock stands still, and whose engine notes what it looks up."""
    page = visit(
        "en/", tolerant=True
    )  # what the theme has planned complains of a clock that stands
    page.clock.install()
    page.add_init_script(WATCHED)
    page.reload()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.keyboard.press("/")
    expect(find_field(page)).to_be_focused()
    return page


def test_a_typed_sentence_is_looked_up_once_after_a_pause(type_slowly: Page) -> None:
    page = type_slowly
    for key in SENTENCE:
        page.keyboard.type(key)
        page.clock.run_for(BETWEEN_KEYS_MS)
    expect_status(page).to_have_text(load_words("en").catalogue["search"]["searching"])
    assert page.evaluate("asked") == []
    page.clock.run_for(PAUSE_MS)
    expect_found(page)
    asked = page.evaluate("asked")
    assert 0 < len(asked) == len(set(asked)) <= len(SENTENCE.split()) + 1  # each word once
    typed = page.locator("dialog [role=option]").evaluate_all(READ_ADDRESSES)
    page.clock.resume()
    assert search(page, SENTENCE) == typed != []


def test_what_was_asked_before_a_newer_key_is_dropped_and_return_opens_nothing_of_it(
    type_slowly: Page,
) -> None:
    page = type_slowly
    address = page.url
    page.keyboard.type(NAME)
    page.clock.run_for(PAUSE_MS)
    expect_found(page)
    page.evaluate("hold()")
    loaded = page.evaluate("loaded")
    page.keyboard.type(" deadlock")
    page.clock.run_for(PAUSE_MS)  # it is looked up, and the engine takes its time
    expect(page.locator("html")).to_have_attribute("data-asked", "deadlock")
    page.keyboard.type(" queue")
    page.evaluate("release()")
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(find_field(page)).to_be_focused()
    expect_status(page).to_have_text(load_words("en").catalogue["search"]["searching"])
    assert page.evaluate("loaded") == loaded  # no page of what was dropped
    page.clock.run_for(PAUSE_MS)
    expect_found(page)
    first = expect_chosen(page, 0).get_attribute("href")
    assert page.url == address
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")


def test_an_address_can_ask_the_search(visit: Visit) -> None:
    page = visit(f"en/?q={NAME}")
    expect(find_field(page)).to_have_value(NAME)
    expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()


def test_a_key_opens_the_dialog_and_escape_closes_it(visit: Visit) -> None:
    page = visit("en/")
    for key in ("/", "Control+KeyK", "Meta+KeyK"):
        page.keyboard.press(key)
        expect(find_field(page)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.locator("dialog :focus")).to_have_count(0)  # the page listens for keys again
    page.keyboard.press("/")
    page.keyboard.type("I/O")
    expect(find_field(page)).to_have_value("I/O")


def test_arrows_move_through_the_results_and_round(open_search: Visit) -> None:
    page = open_search("en/")
    last = len(search(page, NAME)) - 1
    assert last > 1
    expect_chosen(page, 0)
    for key, places in {"ArrowDown": (1, 2), "ArrowUp": (1, 0, last)}.items():
        for place in places:
            page.keyboard.press(key)
            chosen = expect_chosen(page, place)
    expect(chosen).to_be_in_viewport()
    expect(find_field(page)).to_be_focused()


@pytest.mark.parametrize("start", ["ru/", "ru/messages/"])
def test_enter_goes_to_the_page_and_the_heading(open_search: Visit, start: str) -> None:
    page = open_search(start)
    results = search(page, NAME)
    place = next(n for n, one in enumerate(results) if "/messages/" in one and "#" in one)
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{results[place]}")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(f"[id='{urldefrag(results[place]).fragment}']")).to_be_in_viewport()


def test_no_result_is_offered_twice_and_none_leads_to_what_is_not_there(
    open_search: Visit, site: Site
) -> None:
    page = open_search("en/")
    results = search(page, "thread")
    for address in results:
        link, fragment = urldefrag(address)
        answer = page.request.get(f"{site.url.removesuffix('/fork/')}{link}")
        assert answer.ok
        assert not fragment or re.search(rf'\bid="?{re.escape(fragment)}\b', answer.text())
    assert len(set(results)) == len(results) > 2


def test_a_site_without_an_index_says_so(visit: Visit, site: Site) -> None:
    page = visit("404.html", tolerant=True)
    page.route("**/pagefind/**", lambda route: route.fulfill(status=404))
    page.goto(f"{site.url}en/")
    page.keyboard.press("/")
    status = page.get_by_role("dialog").get_by_role("status")
    expect(status).to_have_text(load_words("en").catalogue["search"]["absent"])


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
def test_axe_finds_nothing_in_the_open_dialog(
    open_search: Visit, language: str, scheme: str
) -> None:
    page = open_search(f"{language}/", color_scheme=scheme, viewport=TELEPHONE)
    assert search(page, NAME)
    assert find_faults(page) == []
