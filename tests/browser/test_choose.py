"""The questions narrow the table of answers; without them, and without script, it is whole."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from scripts.site.declare.declarations import load_declarations
from scripts.site.render.words import load_words
from tests.browser.pages import LANGUAGES, LARGEST_SHIFT, SHIFT, TELEPHONE, Site, Visit

CHOICES = load_declarations().choices
EVERY = [choice.id for choice in CHOICES]
BLOCKING = {"work": "waiting", "library": "blocking"}
TWO_LINES_PX = 48


def list_fitting(**replies: str) -> list[str]:
    """List the answers that say nothing else of what is asked; first who speaks of most of it."""
    fitting = [
        choice
        for choice in CHOICES
        if all(reply in (getattr(choice, axis) or [reply]) for axis, reply in replies.items())
    ]
    fitting.sort(key=lambda choice: -sum(bool(getattr(choice, axis)) for axis in replies))
    return [choice.id for choice in fitting]


def expect_shown(page: Page, ids: Sequence[str]) -> None:
    """Wait until those answers can be seen, in that order, and no others."""
    shown = page.locator(".choice:visible")
    expect(shown).to_have_count(len(ids))
    assert shown.evaluate_all("all => all.map(one => one.id)") == [f"choice-{id_}" for id_ in ids]


def reply(page: Page, **replies: str) -> None:
    for axis, value in replies.items():
        page.locator(f"select[name={axis}]").select_option(value)


def test_without_script_the_table_is_whole_and_no_question_is_asked(visit: Visit) -> None:
    page = visit("ru/choose/", java_script_enabled=False)
    expect_shown(page, EVERY)
    expect(page.locator(".choices-form")).to_be_hidden()


def test_replies_narrow_the_table_and_resetting_makes_it_whole(visit: Visit) -> None:
    words = load_words("en").catalogue["choose"]
    page = visit("en/choose/")
    output = page.locator(".choices-form output")
    expect_shown(page, EVERY)
    expect(output).to_have_text(words["open"])
    reply(page, work="waiting")
    expect_shown(page, list_fitting(work="waiting"))
    reply(page, library="blocking")
    expect_shown(page, list_fitting(**BLOCKING))
    expect(page.locator(".choice-first")).to_have_count(1)
    page.get_by_role("button", name=words["reset"]).click()
    expect_shown(page, EVERY)
    expect(page.locator(".choice-first")).to_have_count(0)
    page.locator(".choice").evaluate_all("all => all.forEach(one => one.dataset.work = 'both')")
    reply(page, work="waiting")
    expect_shown(page, [])
    expect(output).to_have_text(words["none"])
    assert len(EVERY) > len(list_fitting(work="waiting")) > len(list_fitting(**BLOCKING))


def test_replies_are_kept_in_the_address(visit: Visit, site: Site) -> None:
    page = visit("en/choose/")
    reply(page, **BLOCKING)
    expect(page).to_have_url(f"{site.url}en/choose/?work=waiting&library=blocking")
    page.reload()
    expect_shown(page, list_fitting(**BLOCKING))
    expect(page.locator("select[name=library]")).to_have_value("blocking")
    reply(page, work="", library="")
    expect(page).to_have_url(f"{site.url}en/choose/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_answer_stands_under_the_questions_and_nothing_is_pushed_away(
    visit: Visit, language: str
) -> None:
    fitting = list_fitting(**BLOCKING)
    first = next(choice for choice in CHOICES if choice.id == fitting[0])
    page = visit(f"{language}/choose/?work=waiting", viewport=TELEPHONE)
    assert page.evaluate(SHIFT) < LARGEST_SHIFT
    reply(page, **BLOCKING)
    page.evaluate("scrollTo(0, 0)")
    output = page.get_by_role("status").filter(has_text=str(len(fitting)))
    expect(output).to_contain_text(load_words(language).choose(first.advice))
    box = output.bounding_box()
    assert box
    assert box["y"] + min(box["height"], TWO_LINES_PX) <= TELEPHONE["height"]


def test_a_link_to_an_answer_shows_it_whatever_was_asked(visit: Visit, site: Site) -> None:
    fitting = list_fitting(work="waiting")
    hidden = next(id_ for id_ in EVERY if id_ not in fitting)
    page = visit(f"en/choose/?work=waiting#choice-{hidden}")
    expect(page.locator(f"#choice-{hidden}")).to_be_in_viewport()
    expect_shown(page, EVERY)
    expect(page).to_have_url(f"{site.url}en/choose/#choice-{hidden}")
    address = f"en/choose/?work=waiting#choice-{fitting[-1]}"
    page = visit(address)
    expect_shown(page, fitting)
    expect(page).to_have_url(site.url + address)
