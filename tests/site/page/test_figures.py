"""Each chart has a sign of its own, and is a file that needs no page."""

from pathlib import Path
from xml.etree import ElementTree as ET

from markupsafe import Markup

from scripts.site.page.frame import list_figures, sign_figures, write_figures
from scripts.site.render.words import load_words

CONTENT = Markup(
    '<div><figure class="chart" id="chart-a"><figcaption>A</figcaption>'
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 390 120.5" role="img">'
    '<text style="fill: var(--chart-ink)">1</text></svg></figure>'
    '<figure class="chart chart-heat" id="heat-b"><figcaption>B</figcaption></figure></div>'
)


def test_each_title_ends_with_the_sign_of_its_chart() -> None:
    shown = sign_figures(CONTENT, load_words("en"))
    assert list(list_figures(CONTENT)) == ["chart-a", "heat-b"]
    for id_ in list_figures(CONTENT):
        assert shown.count(f'href="#{id_}"') == 1
    assert shown.count("</a></figcaption>") == 2


def test_a_chart_is_a_picture_with_its_size_and_its_colours_for_light_and_dark(
    tmp_path: Path,
) -> None:
    write_figures(CONTENT, tmp_path / "page")
    (path,) = tmp_path.rglob("*.svg")
    assert path.name == "chart-a.svg"
    root = ET.parse(path).getroot()
    assert (root.attrib["width"], root.attrib["height"]) == ("390", "120.5")
    text = path.read_text(encoding="utf-8")
    assert text.count("--chart-ink: #") == 2
    assert "prefers-color-scheme:dark" in text
