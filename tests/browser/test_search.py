"""Search finds words in any form and names in code, by keyboard alone and without leaving the site."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urldefrag

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from scripts.site.page.search import IGNORED
from scripts.site.render.words import load_words
from tests.browser.visitor import LANGUAGES, PAGES, SCHEMES, Visitor

QUERIES = tomllib.loads(Path(__file__).with_name("queries.toml").read_text(encoding="utf-8"))
NAME = "ThreadPoolExecutor"
"""Of many pages."""
FIND = """async text => {
  const {search} = await import(new URL("../pagefind/pagefind.js", location.href));
  const {results} = await search(text);
  return Promise.all(results.map(async one => new URL((await one.data()).url, location.href).href));
}"""
"""The pages on which something is found, from the first page of a language; the dialog shows some."""

FIND_TEXTS = """async ([texts, pages, ignored]) => {
  const parser = new DOMParser(), found = texts.map(() => []);
  for (const page of pages) {
    const address = new URL(page, location.href);
    const html = parser.parseFromString(await (await fetch(address)).text(), "text/html");
    const article = html.querySelector("article");
    article.querySelectorAll(ignored).forEach(one => one.remove());
    const text = article.textContent;
    texts.forEach((one, place) => text.includes(one) && found[place].push(address.href));
  }
  return found;
}"""
"""For each text the pages that have it in what is searched."""


@contextmanager
def open_search(visitor: Visitor, path: str, key: str = "/", **context: object) -> Iterator[Page]:
    with visitor.open(path, **context) as page:
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        yield page


def search(page: Page, text: str) -> list[str]:
    """The addresses that are offered, in their order."""
    field, status = (
        page.get_by_role("dialog").get_by_role("combobox"),
        page.get_by_role("dialog").get_by_role("status"),
    )
    field.fill("")
    expect(status).to_be_empty()
    field.fill(text)
    expect(status).not_to_be_empty()
    return [
        read_address(result) for result in page.get_by_role("dialog").get_by_role("option").all()
    ]


def read_address(result: Locator) -> str:
    """Where a result leads, whether it is the link or holds it."""
    link = "one => (one.closest('a') || one.querySelector('a')).getAttribute('href')"
    return str(result.evaluate(link))


def expect_chosen(page: Page, place: int) -> Locator:
    """Waits until this result alone is chosen, which must be what a screen reader is told of."""
    dialog = page.get_by_role("dialog")
    chosen = dialog.get_by_role("option", selected=True)
    wanted = dialog.get_by_role("option").nth(place)
    expect(wanted).to_have_attribute("aria-selected", "true")
    expect(chosen).to_have_count(1)
    told = str(wanted.get_attribute("id"))
    expect(dialog.get_by_role("combobox")).to_have_attribute("aria-activedescendant", told)
    return chosen


@pytest.mark.parametrize(
    "forms",
    [("поток", "потоков", "Потоками"), ("задача", "задач", "задачей"), ("словарь", "словарей")],
)
def test_every_form_of_a_russian_word_is_found_on_the_same_pages(
    visitor: Visitor, forms: tuple[str, ...]
) -> None:
    with visitor.open("ru/") as page:
        first, *others = [set(page.evaluate(FIND, form)) for form in forms]
    assert first
    assert others == [first] * len(others)


@pytest.mark.parametrize(("language", "form"), [("ru", "потоками"), ("en", "threaded")])
def test_a_word_is_found_in_another_form_than_was_asked_for(
    visitor: Visitor, language: str, form: str
) -> None:
    with open_search(visitor, f"{language}/") as page:
        assert search(page, form)
        marked = {mark.casefold() for mark in page.locator("mark").all_text_contents()}
    assert marked - {form}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_type_finds_its_section_among_the_first_three(
    visitor: Visitor, language: str
) -> None:
    missed = {}
    with open_search(visitor, f"{language}/") as page:
        for query, wanted in QUERIES[language].items():
            first = [one.partition(f"/{language}/")[2] for one in search(page, query)[:3]]
            if not any(_is_place(one, place) for one in first for place in wanted):
                missed[query] = first
    assert missed == {}


def _is_place(address: str, wanted: str) -> bool:
    """Whether it is the place, or, where that is a page, one of its sections."""
    return address == wanted or ("#" not in wanted and address.startswith(wanted))


@pytest.mark.parametrize(
    ("language", "query"), [("en", "what is the GIL"), ("ru", "что такое GIL")]
)
def test_a_question_comes_first_when_it_is_asked_in_its_own_words(
    visitor: Visitor, language: str, query: str
) -> None:
    with open_search(visitor, f"{language}/") as page:
        assert search(page, query)[0].endswith("questions/#q-gil")


def test_a_word_that_is_nowhere_hides_nothing(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        assert search(page, f"qxqxqx {NAME}") == search(page, NAME)


def test_an_address_can_ask_the_search(visitor: Visitor) -> None:
    with visitor.open(f"en/?q={NAME}") as page:
        expect(page.get_by_role("dialog").get_by_role("combobox")).to_have_value(NAME)
        expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()


@pytest.mark.parametrize(("language", "name"), [("en", "to_thread"), ("ru", NAME)])
def test_a_name_in_code_is_found_as_it_is_written(
    visitor: Visitor, language: str, name: str
) -> None:
    with open_search(visitor, f"{language}/") as page:
        results = search(page, name)
        assert results
        expect(page.locator("mark", has_text=name).first).to_be_visible()
    assert all(f"/{language}/" in address for address in results)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_found_on_every_page_that_has_it(visitor: Visitor, language: str) -> None:
    names = [NAME, "to_thread", "TaskGroup", "run_in_executor"]
    with visitor.open(f"{language}/") as page:
        having = page.evaluate(FIND_TEXTS, [names, PAGES, ",".join(IGNORED)])
        lost = [
            {*has} - {*page.evaluate(FIND, one)} for one, has in zip(names, having, strict=True)
        ]
    assert lost == [set()] * len(names)
    assert min(map(len, having)) > 1


def test_a_name_with_its_module_is_found_and_shown_as_it_is_written(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        assert search(page, "asyncio.to_thread")
        whole = (
            page.get_by_role("dialog").get_by_role("option").filter(has_text="asyncio.to_thread")
        )
        expect(whole.first).to_be_attached()


def test_a_title_is_shown_as_it_is_written(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        assert search(page, "time.sleep coroutine")
        titles = page.get_by_role("dialog").locator("a > strong, a > small").all_text_contents()
    assert "What does time.sleep do inside a coroutine?" in titles
    assert [one for one in titles if "\N{WORD JOINER}" in one] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dialog_speaks_the_language_of_its_page(visitor: Visitor, language: str) -> None:
    words = load_words(language).catalogue["search"]
    with open_search(visitor, f"{language}/matrix/") as page:
        dialog = page.get_by_role("dialog", name=words["open"])
        expect(dialog.get_by_placeholder(words["placeholder"])).to_be_focused()
        results = search(page, NAME)
        count = words["count"].replace("{n}", str(len(results)))
        expect(dialog.get_by_role("status")).to_have_text(count)
        assert search(page, "qxqxqx") == []
        expect(dialog.get_by_role("status")).to_have_text(words["nothing"])


@pytest.mark.parametrize("key", ["/", "Control+KeyK", "Meta+KeyK"])
def test_a_key_opens_the_dialog_and_escape_closes_it(visitor: Visitor, key: str) -> None:
    with open_search(visitor, "en/", key) as page:
        expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_slash_can_be_searched_for(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        page.keyboard.type("I/O")
        expect(page.get_by_role("dialog").get_by_role("combobox")).to_have_value("I/O")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_button_opens_the_dialog_and_another_closes_it(visitor: Visitor, width: int) -> None:
    with visitor.open("en/", viewport={"width": width, "height": 740}) as page:
        opener = page.get_by_role("button", name=load_words("en").catalogue["search"]["open"])
        opener.click()
        box = page.get_by_role("dialog").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        page.get_by_role("button", name=load_words("en").catalogue["search"]["close"]).click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(opener).to_be_focused()


def test_arrows_move_through_the_results_and_round(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        last = len(search(page, NAME)) - 1
        assert last > 1
        expect_chosen(page, 0)
        moves = {"ArrowDown": (1, 2), "ArrowUp": (1, 0, last)}
        for key, places in moves.items():
            for place in places:
                page.keyboard.press(key)
                chosen = expect_chosen(page, place)
        expect(chosen).to_be_in_viewport()
        expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()


@pytest.mark.parametrize("start", ["ru/", "ru/matrix/"])
def test_enter_goes_to_the_page_and_the_heading(visitor: Visitor, start: str) -> None:
    with open_search(visitor, start) as page:
        results = search(page, NAME)
        place = next(
            n for n, address in enumerate(results) if "/matrix/" in address and "#" in address
        )
        for _ in range(place):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{results[place]}")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.locator(f"[id='{urldefrag(results[place]).fragment}']")).to_be_in_viewport()


def test_no_result_is_offered_twice_and_none_leads_to_what_is_not_there(visitor: Visitor) -> None:
    with open_search(visitor, "en/") as page:
        results = search(page, "thread")
        for address in results:
            link, fragment = urldefrag(address)
            answer = page.request.get(f"{visitor.site.url.removesuffix('/fork/')}{link}")
            assert answer.ok
            assert not fragment or re.search(rf'\bid="?{re.escape(fragment)}\b', answer.text())
    assert len(set(results)) == len(results) > 2


def test_a_site_without_an_index_says_so(visitor: Visitor) -> None:
    with visitor.visit() as context:
        page = context.new_page()
        page.route("**/pagefind/**", lambda route: route.fulfill(status=404))
        page.goto(f"{visitor.site.url}en/")
        page.keyboard.press("/")
        status = page.get_by_role("dialog").get_by_role("status")
        expect(status).to_have_text(load_words("en").catalogue["search"]["absent"])


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
def test_axe_finds_nothing_serious_in_the_open_dialog(
    visitor: Visitor, language: str, scheme: str
) -> None:
    with open_search(visitor, f"{language}/", color_scheme=scheme) as page:
        assert search(page, NAME)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
