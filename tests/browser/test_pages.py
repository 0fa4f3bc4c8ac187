"""Every page opens cleanly, fits a telephone, keeps nobody out, and shows what it promises in both themes."""

import os
import re
from collections.abc import Iterable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scripts.site.page.weight import MOST, count_elements
from tests.browser.axe import COLOURS, OTHERS, find_faults, unfold
from tests.browser.visitor import LANGUAGES, PAGES, SCHEMES, Site, Visitor, switch_to

SCREEN = ViewportSize(width=1280, height=900)
TELEPHONE = ViewportSize(width=360, height=740)
PLACEHOLDER = re.compile(r"\{[a-z_]*\}")
VARIED = (
    *("", "choose/", "matrix/", "claims/", "explore/", "machine/", "machines/"),
    *("questions/", "notebook/", "method/", "startup/", "queues/", "crossing/", "modulo/"),
    "theory/multitasking/",
)
"""Pages that have among them whatever a page of the site can have."""
IN_FULL = PAGES if os.environ.get("ALL") else VARIED
"""Pages at which axe looks; with ALL=1 every one."""
KIND = re.compile(r'class="(evidence evidence-[a-z]+|admonition [a-z]+|question|footnote)')
MINIMUM_CONTRAST = 4.5
"""Of small text, by WCAG 2.2 success criterion 1.4.3; axe does not look into pictures."""

PROSE = """() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll("script, style, pre, code, .clipboard-copy-txt").forEach(one => one.remove());
  const hidden = [...copy.querySelectorAll("[title], [aria-label], [alt]")].flatMap(
    one => ["title", "aria-label", "alt"].map(name => one.getAttribute(name) || ""));
  return [copy.textContent, ...hidden].join("\\n");
}"""

CHARTS = """() => {
  const pixel = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const paint = colour => {
    pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };
  const luminance = colour => paint(colour).slice(0, 3).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const paper = element => {
    while (element.parentElement && paint(getComputedStyle(element).backgroundColor)[3] === 0)
      element = element.parentElement;
    return getComputedStyle(element).backgroundColor;
  };
  const seen = figure => [...figure.querySelectorAll("svg")].filter(svg => svg.checkVisibility());
  return [...document.querySelectorAll("figure.chart")].map(figure => {
    const [chart = figure, ...others] = seen(figure);
    const under = luminance(paper(chart));
    const texts = [...chart.querySelectorAll("text")].map(text => {
      const ink = luminance(getComputedStyle(text).fill);
      const contrast = (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
      return {text: text.textContent, width: text.getBoundingClientRect().width, contrast};
    });
    const {width, height} = chart.getBoundingClientRect();
    return {width, height, alone: chart !== figure && !others.length, texts,
            points: chart.querySelectorAll(".point").length};
  });
}"""

LONE_SIGNS = """() => [...document.querySelectorAll(".headerlink")].filter(sign => {
  const word = document.createRange();
  word.selectNodeContents(sign.previousSibling);
  return sign.getBoundingClientRect().top >= word.getBoundingClientRect().bottom;
}).map(sign => sign.hash)"""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens_without_complaint_in_any_width_keeps_nobody_out_and_has_a_twin(
    visitor: Visitor, path: str
) -> None:
    """Axe looks at the varied pages in Russian too, and on a telephone with all folds open."""
    is_varied = path in VARIED
    with visitor.open(f"ru/{path}", viewport=SCREEN, color_scheme="light") as page:
        _look_at(page, "ru")
        if is_varied:
            assert find_faults(page, **OTHERS) == []
        switch_to(page, "en")
        expect(page).to_have_url(f"{visitor.site.url}en/{path}")
        _look_at(page, "en")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
        assert path not in IN_FULL or find_faults(page) == []
        if is_varied:
            unfold(page)
            page.set_viewport_size(TELEPHONE)
            assert find_faults(page) == []
            page.emulate_media(color_scheme="dark")
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
            assert find_faults(page, runOnly=COLOURS) == []


def test_colours_follow_the_system_until_chosen_by_pointer_or_key_and_then_stay(
    visitor: Visitor,
) -> None:
    with visitor.open("en/sources/", color_scheme="dark") as page:
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_too_heavy_for_a_phone(site: Site, language: str) -> None:
    weights = {
        path.parent.relative_to(site.folder).as_posix(): count_elements(path.read_text("utf-8"))
        for path in (site.folder / language).rglob("index.html")
    }
    assert len(weights) > len(PAGES)
    assert {name: weight for name, weight in weights.items() if weight > MOST} == {}


def test_every_kind_of_block_is_on_a_page_that_is_looked_at_in_the_dark_and_in_russian(
    site: Site,
) -> None:
    def list_kinds(pages: Iterable[str]) -> set[str]:
        texts = ((site.folder / "en" / one / "index.html").read_text("utf-8") for one in pages)
        return {kind for text in texts for kind in KIND.findall(text)}

    assert list_kinds(VARIED) == list_kinds(PAGES)


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
@pytest.mark.parametrize(("page_", "least"), [("", 1), ("matrix/", 4)])
def test_charts_can_be_seen_and_read(
    visitor: Visitor, language: str, page_: str, least: int, scheme: str
) -> None:
    with visitor.open(f"{language}/{page_}", color_scheme=scheme) as page:
        charts = page.evaluate(CHARTS)
    assert len(charts) >= least
    for chart in charts:
        assert chart["alone"]
        assert chart["width"] > 200
        assert chart["height"] > 100
        assert chart["points"] >= 3
        assert len(chart["texts"]) > 5
        assert [text for text in chart["texts"] if text["text"].strip() and not text["width"]] == []
        assert [text for text in chart["texts"] if text["contrast"] < MINIMUM_CONTRAST] == []


def _look_at(page: Page, language: str) -> None:
    """Nothing is left unfilled, and on a telephone it fits and no heading's sign stands alone."""
    page.wait_for_load_state("load")
    prose = page.evaluate(PROSE)
    assert page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == language
    # The title of the page takes the site's name's place only when it is scrolled away.
    assert page.locator(".md-header__title--active").count() == 0
    everything = page.locator("body").text_content() or ""
    assert 'exec="on"' not in everything
    assert "Traceback (most recent call last)" not in everything
    assert PLACEHOLDER.findall(prose) == []
    page.set_viewport_size(TELEPHONE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= TELEPHONE["width"]
    assert page.evaluate(LONE_SIGNS) == []
    page.set_viewport_size(SCREEN)
