"""The questions narrow the table of answers; without them, and without script, it is whole."""

from collections.abc import Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from scripts.site.declare.declarations import load_declarations
from scripts.site.render.words import load_words
from tests.browser.visitor import LANGUAGES, SCHEMES, Visitor

CHOICES = load_declarations().choices
EVERY = [choice.id for choice in CHOICES]
BLOCKING = {"work": "waiting", "library": "blocking"}


def list_fitting(**replies: str) -> list[str]:
    """The answers that say nothing else of what is asked; those that speak of most of it first."""
    fitting = [
        choice
        for choice in CHOICES
        if all(reply in (getattr(choice, axis) or [reply]) for axis, reply in replies.items())
    ]
    fitting.sort(key=lambda choice: -sum(bool(getattr(choice, axis)) for axis in replies))
    return [choice.id for choice in fitting]


def expect_shown(page: Page, ids: Sequence[str]) -> None:
    """Waits until those answers can be seen, in that order, and no others."""
    shown = page.locator(".choice:visible")
    expect(shown).to_have_count(len(ids))
    assert shown.evaluate_all("all => all.map(one => one.id)") == [f"choice-{id_}" for id_ in ids]


def reply(page: Page, **replies: str) -> None:
    for axis, value in replies.items():
        page.locator(f"select[name={axis}]").select_option(value)


def find_row(page: Page, id_: str) -> Locator:
    return page.get_by_role("row").filter(has=page.locator(f"#choice-{id_}"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_script_the_table_is_whole_and_no_question_is_asked(
    visitor: Visitor, language: str
) -> None:
    with visitor.open(f"{language}/choose/", java_script_enabled=False) as page:
        expect_shown(page, EVERY)
        expect(page.locator(".choices-form")).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_replies_narrow_the_table_and_resetting_makes_it_whole(
    visitor: Visitor, language: str
) -> None:
    choose = load_words(language).catalogue["choose"]
    with visitor.open(f"{language}/choose/") as page:
        expect(page.locator(".choices-form")).to_be_visible()
        expect_shown(page, EVERY)
        reply(page, work="waiting")
        expect_shown(page, list_fitting(work="waiting"))
        reply(page, library="blocking")
        expect_shown(page, list_fitting(**BLOCKING))
        page.get_by_role("button", name=choose["reset"]).click()
        expect_shown(page, EVERY)
    assert len(EVERY) > len(list_fitting(work="waiting")) > len(list_fitting(**BLOCKING))


def test_the_first_answer_that_fits_stands_out_and_no_other(visitor: Visitor) -> None:
    with visitor.open("en/choose/") as page:
        expect(page.locator(".choice-first")).to_have_count(0)
        plain = find_row(page, list_fitting(**BLOCKING)[0]).evaluate(LOOK)
        reply(page, **BLOCKING)
        first, *others = list_fitting(**BLOCKING)
        expect_shown(page, [first, *others])
        expect(page.locator(".choice-first")).to_have_count(1)
        assert find_row(page, first).evaluate(LOOK) != plain
        assert all(find_row(page, other).evaluate(LOOK) == plain for other in others)


LOOK = """row => [row, ...row.children].map(cell => {
  const {backgroundColor, boxShadow, borderTopWidth, borderLeftWidth, fontWeight, outlineStyle} =
    getComputedStyle(cell);
  return [backgroundColor, boxShadow, borderTopWidth, borderLeftWidth, fontWeight, outlineStyle];
}).join()"""


@pytest.mark.parametrize("width", [1280, 360])
def test_a_whole_answer_can_be_seen_at_once(visitor: Visitor, width: int) -> None:
    with visitor.open("ru/choose/", viewport={"width": width, "height": 900}) as page:
        cells = find_row(page, EVERY[0]).locator("th, td")
        right = [
            cell.evaluate("cell => cell.getBoundingClientRect().right") for cell in cells.all()
        ]
    assert len(right) == 5
    assert max(right) <= width


def test_replies_are_kept_in_the_address(visitor: Visitor) -> None:
    with visitor.open("en/choose/") as page:
        reply(page, **BLOCKING)
        expect(page).to_have_url(f"{visitor.site.url}en/choose/?work=waiting&library=blocking")
        page.reload()
        expect_shown(page, list_fitting(**BLOCKING))
        expect(page.locator("select[name=library]")).to_have_value("blocking")
        reply(page, work="", library="")
        expect(page).to_have_url(f"{visitor.site.url}en/choose/")


def test_an_address_with_replies_nobody_offers_shows_everything(visitor: Visitor) -> None:
    with visitor.open("en/choose/?work=sleeping&colour=red") as page:
        expect_shown(page, EVERY)
        expect(page.locator("select[name=work]")).to_have_value("")


@pytest.mark.parametrize("language", LANGUAGES)
def test_replies_that_no_answer_fits_are_told_so(visitor: Visitor, language: str) -> None:
    choose = load_words(language).catalogue["choose"]
    with visitor.open(f"{language}/choose/") as page:
        output = page.locator(".choices-form output")
        expect(output).to_have_text(choose["open"])
        page.locator(".choice").evaluate_all("all => all.forEach(one => one.dataset.work = 'both')")
        reply(page, work="waiting")
        expect_shown(page, [])
        expect(output).to_have_text(choose["none"])


TWO_LINES_PX = 48


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_answer_stands_under_the_questions_at_once(
    visitor: Visitor, language: str
) -> None:
    words = load_words(language)
    first = next(choice for choice in CHOICES if choice.id == list_fitting(**BLOCKING)[0])
    with visitor.open(f"{language}/choose/", viewport={"width": 360, "height": 740}) as page:
        reply(page, **BLOCKING)
        page.evaluate("scrollTo(0, 0)")
        output = page.get_by_role("status").filter(has_text=str(len(list_fitting(**BLOCKING))))
        expect(output).to_contain_text(words.choose(first.advice))
        box = output.bounding_box()
        assert box
        assert box["y"] + min(box["height"], TWO_LINES_PX) <= 740


def test_the_questions_push_nothing_away_when_the_script_comes(visitor: Visitor) -> None:
    with visitor.open("en/choose/?work=waiting", viewport={"width": 360, "height": 740}) as page:
        assert page.evaluate(SHIFT) < 0.02


SHIFT = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { sum += one.value; }))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 500);
})"""


def test_a_link_to_an_answer_shows_it_whatever_was_asked(visitor: Visitor) -> None:
    hidden = next(id_ for id_ in EVERY if id_ not in list_fitting(work="waiting"))
    with visitor.open(f"en/choose/?work=waiting#choice-{hidden}") as page:
        expect(page.locator(f"#choice-{hidden}")).to_be_in_viewport()
        expect_shown(page, EVERY)
        expect(page).to_have_url(f"{visitor.site.url}en/choose/#choice-{hidden}")


def test_a_link_to_an_answer_that_fits_keeps_the_replies(visitor: Visitor) -> None:
    fitting = list_fitting(**BLOCKING)
    address = f"en/choose/?work=waiting&library=blocking#choice-{fitting[-1]}"
    with visitor.open(address) as page:
        expect_shown(page, fitting)
        expect(page).to_have_url(visitor.site.url + address)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_serious_once_the_table_is_narrowed(
    visitor: Visitor, scheme: str
) -> None:
    with visitor.open("ru/choose/", color_scheme=scheme) as page:
        reply(page, **BLOCKING)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
