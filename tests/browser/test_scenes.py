"""A scene is guessed, played, stepped and dragged to the same pictures, by hand, key and finger, and harms no page."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from bench.browser import serve
from scripts.site.declare.scenes import SCENES, read_scene
from scripts.site.paths import DOCS
from scripts.site.render.html import block
from scripts.site.render.scenes import show_scene, stage_scene
from scripts.site.render.words import load_words
from scripts.site.study.scenes import Simulation
from tests.browser.pages import SCREEN, TELEPHONE, Site, Visit, find_faults, switch_to, unfold

ASSETS = DOCS / "theme" / "assets"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>document.documentElement.className = "js"</script>
<style>html {{ font-size: 125% }} :root {{ --md-typeset-a-color: teal; --md-accent-fg-color: red }}</style>
<link rel="stylesheet" href="all.css"><link rel="icon" href="data:,">
<article class="md-typeset">{scenes}<p style="height: 3000px">below</p></article>
<script src="scenes.js"></script></html>"""
# What a reader sees change: the picture, the words, the controls and the table.
SEEN = """(figure) => [figure.querySelector(".scene-picture").innerHTML,
  figure.querySelector(".scene-now").textContent, figure.querySelector("output").textContent,
  figure.className, [...figure.parentElement.querySelectorAll(".scene-steps tr")].map(row => row.className)]"""
DRAG = """(range, at) => { range.value = at; range.dispatchEvent(new Event("input", { bubbles: true }));
  range.dispatchEvent(new Event("change", { bubbles: true })); }"""
COUNT_SAID = """(figure) => {
  const now = figure.querySelector(".scene-now p");
  const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  window.said = [];
  Object.defineProperty(now, "textContent", { get: text.get, set(said) {
    if (now.getAttribute("aria-live") === "polite") window.said.push(said);
    text.set.call(now, said);
  } });
}"""
SWALLOWED = """() => { window.swallowed = []; document.addEventListener("keydown",
  (event) => { if (event.defaultPrevented) swallowed.push(event.key); }); }"""
LEFT_BELOW = """(figure) => Math.round(figure.querySelector(".scene-after").getBoundingClientRect().top -
  figure.getBoundingClientRect().top)"""
LOOKS = """(keys) => keys.map(getComputedStyle).map((style) =>
  [style.backgroundColor, style.borderTopStyle, style.height].join())"""
OUTLINE = "element => getComputedStyle(element).outlineStyle"
NAMES = sorted(
    path.stem
    for path in SCENES.glob("*.toml")
    if all(panel.tasks for panel in read_scene(path.stem).panels)  # a recorded run is measured
)
SMALLEST_TARGET_PX = 24
HALF_MS, WHOLE_MS = 4500, 10_000  # of a play, which takes 9 seconds


def make_scene(name: str) -> str:
    """Make the HTML of a scene as it is where nothing was measured."""
    scene, words = read_scene(name), load_words("en")
    prices_ms = {key: price.otherwise_ms for key, price in scene.prices.items()}
    plays = [Simulation(panel, prices_ms).play() for panel in scene.panels]
    return block(show_scene(stage_scene(name, scene, plays, prices_ms, "", words)), kind="chart")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages with two scenes, with one in a fold and with all, and what they load."""
    folder = tmp_path_factory.mktemp("scenes")
    turns, blocked = make_scene("turns"), make_scene("blocked")
    fold = f"<details><summary>fold</summary>{turns}</details>"
    (folder / "index.html").write_text(PAGE.format(scenes=turns + blocked), encoding="utf-8")
    (folder / "fold.html").write_text(PAGE.format(scenes=fold), encoding="utf-8")
    every = "".join(make_scene(name) for name in NAMES)
    (folder / "every.html").write_text(PAGE.format(scenes=every), encoding="utf-8")
    styles = [path.read_text(encoding="utf-8") for path in sorted(ASSETS.glob("*.css"))]
    (folder / "all.css").write_text("\n".join(styles), encoding="utf-8")
    (folder / "scenes.js").write_bytes((ASSETS / "scenes.js").read_bytes())
    return folder


@pytest.fixture(scope="module")
def home(folder: Path) -> Any:
    with serve(folder) as url:
        yield url


@pytest.fixture
def enter(home: str, new_context: Callable[..., Any]) -> Any:
    """Opens the page of two scenes, or another, with time that stands; no script may fail."""
    failures: list[str] = []

    def open_page(path: str = "", *, has_time: bool = False, **context: Any) -> Page:
        page: Page = new_context(**{"viewport": SCREEN, **context}).new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        if not has_time:
            page.clock.install()
            page.clock.pause_at("2100-01-01")
        page.goto(path if path.startswith("file:") else home + path)
        return page

    yield open_page
    assert failures == []


def find(page: Page, name: str = "turns") -> Locator:
    return page.locator(f"#scene-{name}")


def guess(scene: Locator, number: int = 1) -> None:
    scene.locator(f"[type=radio][value='{number}']").check()


def press(scene: Locator, key: str) -> None:
    scene.locator(".scene-picture").press(key)


def read_moment(scene: Locator) -> float:
    return float(scene.locator("[type=range]").input_value())


def controls(scene: Locator) -> list[bool]:
    """Tell of back, play, forth and the slider whether each can be used."""
    return [one.is_enabled() for one in scene.locator("button, [type=range]").all()]


@pytest.mark.parametrize("number", [0, 1])
def test_a_scene_is_covered_and_locked_until_something_is_guessed(
    enter: Callable[..., Page], number: int
) -> None:
    page = enter()
    scene = find(page)
    covered = scene.locator(".scene-cover").bounding_box()
    lanes = scene.locator("text.lane").all()
    assert covered
    assert all((lane.bounding_box() or {})["x"] < covered["x"] for lane in lanes)
    assert controls(scene) == [False] * 4
    press(scene, "ArrowRight")
    press(scene, " ")
    page.clock.run_for(1000)
    assert read_moment(scene) == 0
    expect(scene.locator(".scene-after")).to_be_hidden()
    guess(scene, number)
    assert controls(scene) == [False, True, True, True]  # there is no step back


def test_a_play_moves_is_held_goes_on_and_ends_with_the_answer(enter: Callable[..., Page]) -> None:
    page = enter()
    scene, play = find(page), find(page).locator(".scene-play")
    guess(scene)
    play.click()
    page.clock.run_for(HALF_MS)
    play.click()
    held = read_moment(scene)
    assert 30_000 < held < 50_000  # of 80 ms
    page.clock.run_for(WHOLE_MS)
    assert read_moment(scene) == held
    expect(scene.locator(".scene-after")).to_be_hidden()
    play.click()
    page.clock.run_for(WHOLE_MS)
    assert read_moment(scene) == 80_000
    expect(play).to_have_text("Play")
    expect(scene.locator(".scene-after")).to_be_visible()
    expect(scene.locator(".scene-now p")).to_contain_text("Your guess was: After 20")
    play.click()  # again, from the beginning
    page.clock.run_for(HALF_MS)
    assert 30_000 < read_moment(scene) < 50_000
    scene.locator(".scene-slow input").check()
    before = read_moment(scene)
    page.clock.run_for(900)
    assert 1000 < read_moment(scene) - before < 3000


def test_the_guess_stays_drawn_at_its_moment_and_of_i_dont_know_nothing_is(
    enter: Callable[..., Page],
) -> None:
    page = enter()
    scene, flag = find(page), find(page).locator(".scene-flag")
    guess(scene, 1)
    for key in ("Home", "ArrowRight", "End"):
        press(scene, key)
        expect(flag.locator("text")).to_contain_text("your guess")
        assert "M134 " in (flag.locator("path").get_attribute("d") or "")  # 20 of 80 ms
    guess(scene, 0)
    expect(flag.locator("text")).to_have_count(0)
    press(scene, "End")
    expect(scene.locator(".scene-now p")).to_have_text("The answer:")
    guess(scene, 2)
    expect(scene.locator(".scene-now p")).to_have_text("You guessed right.")


@pytest.mark.parametrize("name", ["turns", "blocked"])
def test_a_moment_looks_the_same_however_it_is_reached(
    enter: Callable[..., Page], name: str
) -> None:
    page = enter()
    scene = find(page, name)
    drag = scene.locator("[type=range]")
    guess(scene)
    scene.locator(".scene-play").click()
    page.clock.run_for(HALF_MS)
    scene.locator(".scene-play").click()
    played, moment = scene.evaluate(SEEN), drag.input_value()
    press(scene, "End")
    drag.evaluate(DRAG, moment)
    assert scene.evaluate(SEEN) == played
    press(scene, "Home")
    pictures = []
    while read_moment(scene) < float(drag.get_attribute("max") or 0):
        pictures.append((drag.input_value(), scene.evaluate(SEEN)))
        press(scene, "ArrowRight")
    pictures.append((drag.input_value(), scene.evaluate(SEEN)))
    assert len({json.dumps(picture) for _, picture in pictures}) == len(pictures) > 8
    for moment, picture in pictures[::-1]:
        assert (drag.input_value(), scene.evaluate(SEEN)) == (moment, picture)
        press(scene, "ArrowLeft")
    for moment, picture in pictures[::2]:
        drag.evaluate(DRAG, moment)
        assert scene.evaluate(SEEN) == picture


def test_keys_step_play_and_jump_wherever_a_control_has_the_focus(
    enter: Callable[..., Page],
) -> None:
    page = enter()
    scene = find(page)
    guess(scene)
    for place in (".scene-picture", ".scene-forth", "[type=range]", ".scene-slow input"):
        control = scene.locator(place)
        control.press("Home")
        control.press("ArrowRight")
        assert read_moment(scene) == 5000
        control.press("ArrowLeft")
        assert read_moment(scene) == 0
        control.press("ArrowRight")
        control.press("End")
        assert read_moment(scene) == 80_000
        page.keyboard.press("ArrowLeft")  # the button that is at its end has passed the focus on
        assert read_moment(scene) == 75_000
    for place in (".scene-picture", "[type=range]", ".scene-play"):
        scene.locator(place).press(" ")
        expect(scene.locator(".scene-play")).to_have_text("Pause")
        scene.locator(place).press(" ")
        expect(scene.locator(".scene-play")).to_have_text("Play")
    scene.locator(".scene-slow input").press(" ")
    expect(scene.locator(".scene-slow input")).to_be_checked()
    expect(scene.locator(".scene-play")).to_have_text("Play")


def test_no_key_is_taken_from_the_page_a_radio_button_or_the_browser(
    enter: Callable[..., Page],
) -> None:
    page = enter()
    scene = find(page)
    page.evaluate(SWALLOWED)
    press(scene, "ArrowRight")  # before there is a guess
    guess(scene)
    radio = scene.locator("[type=radio]").first
    radio.press("ArrowDown")
    expect(scene.locator("[type=radio]").nth(1)).to_be_checked()
    for key in ("Home", "ArrowRight", " "):
        radio.press(key)
    for key in ("Control+ArrowRight", "Alt+ArrowLeft", "Meta+End", "Shift+End", "PageDown", "a"):
        press(scene, key)
    summary = page.locator(".scene-steps summary").first
    for key in ("End", "ArrowRight"):
        summary.press(key)
    assert page.evaluate("swallowed") == []
    assert read_moment(scene) == 0
    press(scene, "ArrowRight")
    assert page.evaluate("swallowed") == ["ArrowRight"]


def test_fingers_guess_play_and_drag_on_a_telephone(enter: Callable[..., Page]) -> None:
    page = enter(viewport=TELEPHONE, has_touch=True)
    scene, slider = find(page), find(page).locator("[type=range]")
    scene.locator("label").first.tap()
    scene.locator(".scene-play").tap()
    page.clock.run_for(900)
    assert read_moment(scene) > 5000
    scene.locator(".scene-play").tap()
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    session, middle = page.context.new_cdp_session(page), box["y"] + box["height"] / 2
    for kind, share in (("Start", 0.1), ("Move", 0.5), ("Move", 0.75), ("End", 0)):
        points = [{"x": box["x"] + box["width"] * share, "y": middle}] if share else []
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    assert 55_000 < read_moment(scene) < 65_000
    assert re.search(r"scene-turns=1(~|%7E)[56]\d{4}", page.url)


def test_with_reduced_motion_nothing_plays_and_steps_remain(enter: Callable[..., Page]) -> None:
    page = enter(reduced_motion="reduce")
    scene = find(page)
    guess(scene)
    for part in (".scene-play", ".scene-slow"):
        expect(scene.locator(part)).to_be_hidden()
    expect(scene.locator(".scene-now p")).not_to_contain_text("Play")
    press(scene, " ")
    page.clock.run_for(1000)
    assert read_moment(scene) == 0
    scene.locator(".scene-forth").click()
    assert read_moment(scene) == 5000
    page.clock.run_for(1000)
    assert read_moment(scene) == 5000
    press(scene, "End")
    expect(scene.locator(".scene-after")).to_be_visible()


@pytest.mark.parametrize("how", ["scrolled away", "fold closed"])
def test_what_nobody_sees_does_not_run(enter: Callable[..., Page], how: str) -> None:
    page = enter("fold.html", has_time=True)
    scene, summary = find(page), page.locator("summary").first
    summary.click()
    guess(scene)
    scene.locator(".scene-play").click()
    expect(scene.locator(".scene-play")).to_have_text("Pause")
    if how == "fold closed":
        summary.click()
    else:
        page.evaluate("scrollTo(0, 3000)")
    expect(scene.locator(".scene-play")).to_have_text("Play")
    held = read_moment(scene)
    page.wait_for_timeout(200)
    assert read_moment(scene) == held < 80_000


def test_two_scenes_of_a_page_are_played_each_for_itself(enter: Callable[..., Page]) -> None:
    page = enter()
    turns, blocked = find(page, "turns"), find(page, "blocked")
    guess(turns)
    before = blocked.evaluate(SEEN)
    turns.locator(".scene-play").click()
    page.clock.run_for(HALF_MS)
    assert blocked.evaluate(SEEN) == before
    turns.locator(".scene-play").click()
    guess(blocked, 3)
    held = turns.evaluate(SEEN)
    press(blocked, "ArrowRight")
    assert turns.evaluate(SEEN) == held
    page.reload()
    assert turns.evaluate(SEEN) == held
    expect(blocked.locator("[value='3']")).to_be_checked()


def test_what_is_guessed_and_seen_stands_in_the_address_and_comes_back(
    enter: Callable[..., Page], home: str
) -> None:
    page = enter("?order=time#scene-turns")
    scene = find(page)
    guess(scene, 3)
    press(scene, "ArrowRight")
    press(scene, "ArrowRight")
    seen, address = scene.evaluate(SEEN), page.url
    assert address.startswith(f"{home}?order=time&")
    assert address.endswith("#scene-turns")
    page.goto(f"{home}fold.html")
    page.go_back()
    assert scene.evaluate(SEEN) == seen
    expect(scene.locator("[value='3']")).to_be_checked()
    assert enter(address.removeprefix(home)).locator("#scene-turns").evaluate(SEEN) == seen


@pytest.mark.parametrize(
    "value", ["9~5", "x", "", "1", "~", "1~-5", "1~1e3", "1~2~3", "%", "%F1~3"]
)
def test_an_address_that_is_broken_is_no_guess(enter: Callable[..., Page], value: str) -> None:
    scene = find(enter(f"?scene-turns={value}"))
    assert controls(scene) == [False] * 4
    expect(scene.locator(":checked")).to_have_count(0)


def test_a_moment_after_the_end_is_the_end(enter: Callable[..., Page]) -> None:
    assert read_moment(find(enter("?scene-turns=1~999999999999"))) == 80_000


def test_a_copy_on_a_disk_keeps_its_state_too(enter: Callable[..., Page], folder: Path) -> None:
    page = enter((folder / "index.html").as_uri())
    scene = find(page)
    guess(scene)
    press(scene, "ArrowRight")
    assert re.search(r"\?scene-turns=1(~|%7E)5000#scene-turns$", page.url)
    page.reload()
    assert read_moment(scene) == 5000


def test_a_play_is_not_read_out_but_its_end_and_each_step_are(enter: Callable[..., Page]) -> None:
    page = enter()
    scene = find(page)
    guess(scene)
    scene.evaluate(COUNT_SAID)
    press(scene, " ")
    page.clock.run_for(HALF_MS)
    assert page.evaluate("said.length") == 0
    page.clock.run_for(WHOLE_MS)
    assert page.evaluate("said") == [scene.locator(".scene-now p").text_content()]
    press(scene, "ArrowLeft")
    assert page.evaluate("said.length") == 2
    assert scene.locator("output").get_attribute("aria-live") == "off"  # by itself it is read out
    assert scene.locator("[type=range]").get_attribute("aria-valuetext") == "75\N{NBSP}ms"


def test_nothing_moves_when_the_script_comes(
    enter: Callable[..., Page], new_context: Callable[..., Any], home: str
) -> None:
    page = new_context(viewport=TELEPHONE).new_page()
    page.route("**/scenes.js", lambda route: route.abort())
    page.goto(home)
    before = [find(page, name).evaluate(LEFT_BELOW) for name in ("turns", "blocked")]
    page = enter(viewport=TELEPHONE)
    assert [find(page, name).evaluate(LEFT_BELOW) for name in ("turns", "blocked")] == before


@pytest.mark.parametrize("name", NAMES)
def test_on_a_telephone_all_fits_can_be_hit_and_stays_in_its_place(
    enter: Callable[..., Page], name: str
) -> None:
    page = enter("every.html", viewport=TELEPHONE)
    scene = find(page, name)
    below = scene.evaluate(LEFT_BELOW)
    guess(scene)
    press(scene, "Home")
    while scene.locator(".scene-forth").is_enabled():
        press(scene, "ArrowRight")
        assert scene.evaluate(LEFT_BELOW) == below
    assert page.evaluate("document.scrollingElement.scrollWidth") <= TELEPHONE["width"]
    for control in scene.locator("button, label, [type=range]").all():
        box = control.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= SMALLEST_TARGET_PX


def test_the_focus_is_framed_for_who_uses_keys_alone(enter: Callable[..., Page]) -> None:
    page = enter()
    scene = find(page)
    picture = scene.locator(".scene-picture")
    guess(scene)
    picture.click()
    assert page.evaluate("document.activeElement.matches('.scene-picture')")
    assert picture.evaluate(OUTLINE) == "none"
    for _ in range(5):
        page.keyboard.press("Tab")
        assert page.evaluate(f"({OUTLINE})(document.activeElement)") == "solid"
    assert scene.locator(":focus").count() + page.locator(".scene-steps :focus").count() == 1


def test_without_a_script_all_is_there_to_read_and_nothing_is_inert(
    enter: Callable[..., Page],
) -> None:
    page = enter(has_time=True, java_script_enabled=False)
    scene = find(page)
    for part in ("legend", "label", ".scene-picture", ".scene-after", "figcaption"):
        expect(scene.locator(part).first).to_be_visible()
    for part in ("button", "input", ".scene-now", ".scene-unsure", "output"):
        for inert in scene.locator(part).all():
            expect(inert).to_be_hidden()
    expect(scene.locator(".scene-cover")).to_have_count(0)
    page.locator(".scene-steps summary").first.click()
    expect(page.locator(".scene-steps table").first).to_be_visible()


@pytest.mark.parametrize("state", ["", "?scene-turns=1~20000"])
def test_on_paper_the_picture_is_whole_with_the_answer_and_the_steps(
    enter: Callable[..., Page], state: str
) -> None:
    page = enter(state)
    scene = find(page)
    page.emulate_media(media="print")
    for part in (".scene-picture", ".scene-after", "legend"):
        expect(scene.locator(part)).to_be_visible()
    expect(page.locator(".scene-steps table").first).to_be_visible()
    hidden = ".scene-cover, .scene-head, .scene-token, .scene-controls, .scene-now, input"
    for part in scene.locator(hidden).all():
        expect(part).to_be_hidden()


@pytest.mark.parametrize("colours", ["none", "active"])
def test_signs_of_the_legend_have_the_look_of_what_they_mean_in_forced_colours_too(
    visit: Visit, colours: str
) -> None:
    page = visit("en/lessons/blocking/", forced_colors=colours)
    unfold(page)
    signs = find(page, "blocked").locator(".key").evaluate_all(LOOKS)
    assert len(signs) == len(set(signs)) == 5
    bar = find(page, "blocked").locator("path.runs").first
    assert bar.evaluate("path => getComputedStyle(path).fill") in signs[0]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_scene_keeps_nobody_out_at_its_start_midway_and_over(visit: Visit, colours: str) -> None:
    page = visit("en/lessons/gil/", viewport=TELEPHONE, color_scheme=colours)
    unfold(page)
    scene = find(page)
    assert find_faults(page) == []
    guess(scene)
    press(scene, "ArrowRight")
    assert find_faults(page) == []
    press(scene, "End")
    assert find_faults(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= TELEPHONE["width"]


def test_a_scene_goes_on_in_another_language_where_it_was(visit: Visit, site: Site) -> None:
    page = visit("en/lessons/gil/", viewport=SCREEN)
    unfold(page)
    scene = find(page)
    guess(scene, 3)
    press(scene, "ArrowRight")
    switch_to(page, "ru")
    expect(page).to_have_url(re.compile(rf"^{site.url}ru/lessons/gil/\?scene-turns=3.*5000"))
    unfold(page)
    expect(scene.locator("[value='3']")).to_be_checked()
    assert read_moment(scene) == 5000
