"""Lessons: a guess opens its picture, and the browser keeps what is done and chosen unless told not to."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Visit = Callable[..., Page]


def test_a_guess_is_marked_and_opens_the_picture_and_a_second_is_only_read(visit: Visit) -> None:
    page = visit("en/lessons/overlap/")
    guesses = page.locator("details.guess > summary")
    expect(page.locator("details.picture")).not_to_have_attribute("open", "")
    guesses.nth(1).focus()
    page.keyboard.press("Enter")
    guesses.nth(0).click()
    expect(page.locator("details.picture")).to_have_attribute("open", "")
    assert page.locator(".guess-mark").all_inner_texts() == ["your guess"]
    expect(page.locator("details.guess-yours > summary")).to_have_text(guesses.nth(1).inner_text())


def test_what_is_done_is_kept_in_both_languages_until_it_is_switched_off(visit: Visit) -> None:
    page = visit("en/lessons/overlap/")
    page.get_by_label("I've done this lesson").check()
    expect(page.locator(".lesson-progress output")).to_have_text("Done 1 of 9")
    page.goto(page.url.replace("/en/lessons/overlap/", "/ru/lessons/"))
    expect(page.locator(".lesson-progress output")).to_have_text("Пройдено 1 из 9")
    expect(page.locator(".lesson-mark")).to_have_count(1)
    page.locator("[name=remember]").uncheck()
    expect(page.locator(".lesson-mark")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('lessons')") == '{"off":true}'
    page.reload()
    expect(page.locator("[name=remember]")).not_to_be_checked()


def test_the_first_choice_of_each_job_counts_and_one_may_begin_again(visit: Visit) -> None:
    page = visit("en/lessons/choose/")
    jobs, score = page.locator(".job"), page.locator(".lesson-score output")
    assert jobs.count() == 10
    expect(score).to_have_text("0 of 10 within 1.5 times of the best; to choose: 10")
    for number in range(10):
        for option in jobs.nth(number).locator("details.guess > summary").all():
            option.click()
    expect(page.locator("details.guess-yours")).to_have_count(10)
    accepted = page.locator("details.guess-yours [data-accepted=yes]").count()
    expect(score).to_have_text(f"{accepted} of 10 within 1.5 times of the best")
    page.reload()
    expect(score).to_have_text(f"{accepted} of 10 within 1.5 times of the best")
    page.locator(".lesson-score button").click()
    expect(page.locator("details.guess-yours")).to_have_count(0)


def test_without_a_script_guesses_are_folds_and_nothing_is_kept(visit: Visit) -> None:
    page = visit("en/lessons/overlap/", java_script_enabled=False)
    expect(page.locator(".lesson-progress")).to_be_hidden()
    page.locator("details.guess > summary").first.click()
    expect(page.locator("details.guess").first).to_have_attribute("open", "")
