"""Charts can be seen and read in both themes; a point tells its value to pointer, touch and keys."""

import re
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import LANGUAGES, SCHEMES, Site, Visit, lay_out

FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[^"]+)"(?P<drawn>.*?)</figure>', re.DOTALL
)
MOST_LINES = 5
PICTURE = "figure.chart svg:visible:has(.point)"
MINIMUM_CONTRAST = 4.5
"""Of small text, by WCAG 2.2 success criterion 1.4.3; axe does not look into pictures."""
LOOK_AT_CHARTS = """() => {
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
    const contrasts = [...chart.querySelectorAll("text")].map(text => {
      const ink = luminance(getComputedStyle(text).fill);
      return (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
    });
    const {width, height} = chart.getBoundingClientRect();
    return {width, height, alone: chart !== figure && !others.length, contrasts,
            points: chart.querySelectorAll(".point").length};
  });
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_is_a_picture_beside_its_page(site: Site, language: str) -> None:
    pictures = (site.folder / language).rglob("*.svg")
    others = {"assets", "img"}
    charts = [path for path in pictures if not others.intersection(path.parts)]
    assert charts
    for path in charts:
        assert float(ET.parse(path).getroot().attrib["width"]) > 0
        assert "--chart-ink" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_chart_has_more_lines_than_an_eye_can_follow(site: Site, language: str) -> None:
    lines = {}
    for page in (site.folder / language).rglob("index.html"):
        for figure in FIGURE.finditer(page.read_text(encoding="utf-8")):
            legend = figure["drawn"].partition('<ul class="chart-legend">')[2].partition("</ul>")[0]
            lines[figure["id"]] = legend.count('"key-line')
    assert max(lines.values()) > 1
    assert {id_ for id_, count in lines.items() if count > MOST_LINES} == set()


@pytest.mark.parametrize(("language", "scheme"), [*zip(LANGUAGES, SCHEMES, strict=True)])
def test_charts_can_be_seen_and_read(visit: Visit, language: str, scheme: str) -> None:
    for path, least in (("json/", 1), ("matrix/", 4)):
        charts = visit(f"{language}/{path}", color_scheme=scheme).evaluate(LOOK_AT_CHARTS)
        assert len(charts) >= least
        for chart in charts:
            assert chart["alone"]
            assert chart["width"] > 200
            assert chart["height"] > 100
            assert chart["points"] >= 3
            assert len(chart["contrasts"]) > 5
            assert min(chart["contrasts"]) >= MINIMUM_CONTRAST


def reach(page: Page, how: str) -> None:
    """Reach the second point of the first picture."""
    picture = page.locator(PICTURE).first
    picture.scroll_into_view_if_needed()
    if how == "keys":
        picture.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        return
    box = picture.locator(".point").nth(1).bounding_box()
    assert box
    at = box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2 + 2
    if how == "touch":
        page.touchscreen.tap(*at)
    else:
        page.mouse.move(*at)


@pytest.mark.parametrize("how", ["pointer", "touch", "keys"])
def test_a_point_tells_its_value_and_escape_hides_it(visit: Visit, how: str) -> None:
    page = visit("en/sleep/", has_touch=how == "touch")
    tip = page.get_by_role("status").and_(page.locator(".chart-tip"))
    lay_out(page)
    height = page.evaluate("document.documentElement.scrollHeight")
    reach(page, how)
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("task")
    assert page.evaluate("document.documentElement.scrollHeight") == height
    page.locator(PICTURE).first.press("Escape")
    expect(tip).to_be_hidden()
