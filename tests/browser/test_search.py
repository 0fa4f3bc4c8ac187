"""Search finds words in any form and names in code, by keyboard alone and without leaving the site."""

import re
import tomllib
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Locator, LocatorAssertions, Page, expect

from scripts.site.declare.questions import read_asked
from scripts.site.page.search import SEPARATOR
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, SCHEMES, TELEPHONE, Site, Visit, find_faults

QUERIES = tomllib.loads(Path(__file__).with_name("queries.toml").read_text(encoding="utf-8"))
STRANGERS = tomllib.loads(Path(__file__).with_name("strangers.toml").read_text(encoding="utf-8"))
# Of what strangers type; the independent list of 48 asks for 44.
LEAST_FOUND = 0.8
NAME = "ThreadPoolExecutor"  # of many pages
SENTENCE = "why is my multiprocessing slower than a for loop"
# Of somebody who types, and of somebody who has typed: the page waits for longer, and for less.
BETWEEN_KEYS_MS, PAUSE_MS = 80, 150
# An engine that notes each word it looks up and how many pages it loads, and that can be held.
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
READ_ADDRESSES = """options => options.map(option =>
  (option.closest("a") || option.querySelector("a")).getAttribute("href"))"""
SEARCHES = {language: load_words(language).catalogue["search"] for language in LANGUAGES}
# By language: a slip of a letter and the word, another form of a word, a question, and other words.
WORDINGS = [
    ("en", "dedlock", "deadlock", "threaded", "what is the GIL", "fire and forget"),
    ("ru", "семофор", "семафор", "потоками", "что такое GIL", "запустить и забыть"),
]


@pytest.fixture
def open_search(visit: Visit) -> Visit:
    """Opens a page and the dialog."""

    def open_page(path: str, **context: object) -> Page:
        page = visit(path, **context)
        page.keyboard.press("/")
        expect(page.get_by_role("dialog")).to_be_visible()
        return page

    return open_page


def find_field(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("combobox")


def search(page: Page, text: str) -> list[str]:
    """List the addresses that are offered, in their order."""
    field = page.locator("dialog [role=combobox]")
    field.fill("")
    expect_status(page).to_be_empty()
    field.fill(text)
    expect_done(page)
    return read_results(page)


def read_results(page: Page) -> list[str]:
    return list(page.locator("dialog [role=option]").evaluate_all(READ_ADDRESSES))


def expect_status(page: Page) -> LocatorAssertions:
    return expect(page.locator("dialog [role=status]"))


def expect_done(page: Page) -> None:
    """Wait until the list is that of what is typed."""
    expect(page.locator("dialog [aria-busy]")).to_have_count(0)
    expect_status(page).not_to_be_empty()


def expect_chosen(page: Page, place: int) -> Locator:
    """Wait until this result alone is chosen, which must be what a screen reader is told of."""
    dialog = page.get_by_role("dialog")
    option = dialog.get_by_role("option").nth(place)
    expect(option).to_have_attribute("aria-selected", "true")
    expect(dialog.get_by_role("option", selected=True)).to_have_count(1)
    id_ = str(option.get_attribute("id"))
    expect(find_field(page)).to_have_attribute("aria-activedescendant", id_)
    return option


def find_missed(page: Page, language: str, queries: dict[str, list[str]]) -> dict[str, list[str]]:
    """Find the queries of whose places none, nor a section of one, is among the first three results."""
    missed = {}
    for query, places in queries.items():
        first = [address.partition(f"/{language}/")[2] for address in search(page, query)[:3]]
        sections = tuple(place for place in places if "#" not in place)
        if not any(address in places or address.startswith(sections) for address in first):
            missed[query] = first
    return missed


@pytest.mark.parametrize(("language", "slip", "word", "form", "question", "others"), WORDINGS)
def test_what_people_type_is_among_the_first_three_and_what_strangers_type_mostly(
    open_search: Visit, language: str, slip: str, word: str, form: str, question: str, others: str
) -> None:
    page = open_search(f"{language}/")
    assert find_missed(page, language, QUERIES[language]) == {}
    strangers = STRANGERS[language]
    missed = find_missed(page, language, strangers)
    assert len(missed) <= (1 - LEAST_FOUND) * len(strangers), missed
    assert search(page, others)
    assert SEPARATOR not in page.locator("dialog").inner_text()  # what others call it is not shown
    assert search(page, question)[0].endswith("questions/#q-gil")
    assert search(page, slip) == search(page, word)
    assert search(page, form)
    marked = {mark.casefold() for mark in page.locator("mark").all_text_contents()}
    assert marked - {form}  # found in another form than was asked for
    assert search(page, f"qxqxqx {NAME}") == search(page, NAME)  # a word that is nowhere


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_of_strangers_leads_to_its_answer(open_search: Visit, language: str) -> None:
    page = open_search(f"{language}/")
    questions = read_asked().questions
    asks = {question.ask[language]: [question.place] for question in questions}
    assert find_missed(page, language, asks) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_message_finds_its_heading_first(open_search: Visit, language: str) -> None:
    page = open_search(f"{language}/")
    for message, place in QUERIES["pasted"].items():
        assert search(page, message)[0].endswith(f"/{language}/{place}"), message


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_on_the_site_finds_nothing(open_search: Visit, language: str) -> None:
    page = open_search(f"{language}/")
    for query in QUERIES["nothing"][language]:
        assert search(page, query) == [], query
        expect_status(page).to_have_text(SEARCHES[language]["nothing"])


@pytest.fixture
def type_slowly(visit: Visit) -> Page:
    """Opens the dialog of a page whose clock stands still, and whose engine notes what it looks up."""
    # What the theme has planned complains of a clock that stands.
    page = visit("en/", tolerant=True)
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
    expect_status(page).to_have_text(SEARCHES["en"]["searching"])
    assert page.evaluate("asked") == []
    page.clock.run_for(PAUSE_MS)
    expect_done(page)
    words = page.evaluate("asked")
    assert 0 < len(words) == len(set(words)) <= len(SENTENCE.split()) + 1  # each word once
    results = read_results(page)
    page.clock.resume()
    assert search(page, SENTENCE) == results != []


def test_what_was_asked_before_a_newer_key_is_dropped_and_return_opens_nothing_of_it(
    type_slowly: Page,
) -> None:
    page = type_slowly
    address = page.url
    page.keyboard.type(NAME)
    page.clock.run_for(PAUSE_MS)
    expect_done(page)
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
    expect_status(page).to_have_text(SEARCHES["en"]["searching"])
    assert page.evaluate("loaded") == loaded  # no page of what was dropped
    page.clock.run_for(PAUSE_MS)
    expect_done(page)
    first = expect_chosen(page, 0).get_attribute("href")
    assert page.url == address
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")


def test_a_key_opens_the_dialog_escape_closes_it_and_an_address_can_ask(visit: Visit) -> None:
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
    page = visit(f"en/?q={NAME}")
    expect(find_field(page)).to_have_value(NAME)
    expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()


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


@pytest.mark.parametrize("start", ["ru/", "ru/theory/gil/"])
def test_enter_goes_to_the_page_and_the_heading(open_search: Visit, start: str) -> None:
    page = open_search(start)
    results = search(page, "GIL")
    aim = next(address for address in results if "/theory/gil/#" in address)
    for _ in range(results.index(aim)):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{aim}")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(f"[id='{urldefrag(aim).fragment}']")).to_be_in_viewport()


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
    expect(status).to_have_text(SEARCHES["en"]["absent"])


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
def test_axe_finds_nothing_in_the_open_dialog(
    open_search: Visit, language: str, scheme: str
) -> None:
    page = open_search(f"{language}/", color_scheme=scheme, viewport=TELEPHONE)
    assert search(page, NAME)
    assert find_faults(page) == []
