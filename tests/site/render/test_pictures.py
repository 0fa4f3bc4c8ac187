"""A figure as a picture that stands alone has all that the page shows of it."""

import io
import re
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from scripts.site.render.estimates import make_point
from scripts.site.render.pictures import (
    LEGEND_SIGNS,
    PICTURE,
    PNG_WIDTH,
    RULES,
    load_font,
    make_picture,
    make_png,
    wrap,
)
from scripts.site.render.plot import Plot, Row, show_key, show_sign
from scripts.site.render.svg import Pen
from scripts.site.render.timeline import Watched, show_timelines
from scripts.site.render.words import load_words
from tests.factories import make_timeline

EN = load_words("en")
TITLE = "Threads & a loop: " + "both take long, " * 9
SOURCE = "AMD EPYC, cpython-3.14.7"


@pytest.fixture(scope="module")
def chart() -> str:
    rows = [
        Row(series="loop", pen=Pen(0), value=make_point(2), tooltip="loop: 2 s", label="2 s"),
        Row(series="pool", pen=Pen(1), value=make_point(1), tooltip="pool: 1 s", label="1 s"),
    ]
    signs = [(show_key(Pen(1)), "threads"), (show_sign("band"), "interval")]
    plot = Plot(prefix="chart-a", title=TITLE, rows=rows, words=EN, signs=signs)
    return make_picture(plot.show(), SOURCE)


@pytest.fixture(scope="module")
def timeline() -> str:
    run = Watched(timeline=make_timeline(), name="thread pool", colour=1, data="t.json")
    return make_picture(show_timelines([run, run], EN), SOURCE)


def list_texts(picture: str) -> list[str]:
    root = ET.fromstring(picture)
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_title_legend_and_source_of_a_chart_are_in_it(chart: str) -> None:
    texts = list_texts(chart)
    assert " ".join(texts).startswith(TITLE.strip())
    assert {"threads", "interval", "loop", "2 s"} <= set(texts)
    assert texts[-1] == SOURCE


def test_a_timeline_has_the_names_of_its_lanes_and_its_moments(timeline: str) -> None:
    texts = list_texts(timeline)
    assert texts.count("thread 1") == 2
    assert "0" in texts
    assert [text for text in texts if text.startswith("Thread pool: 1")]


def test_what_the_styles_of_the_page_colour_has_its_colour_in_the_picture(timeline: str) -> None:
    kinds = set(re.findall(r'<path [^>]*class="(?:point )?(\w+)"', timeline))
    assert {"a", "c1"} <= kinds
    assert [kind for kind in kinds if f".{kind}" not in RULES] == []
    run = Watched(timeline=make_timeline(), name="pool", colour=1, data="t.json")
    legend = re.findall('class="(key-[a-z]+)', show_timelines([run], EN))
    assert set(legend) - {"key-shades"} <= LEGEND_SIGNS.keys()


def test_nothing_is_wider_than_the_picture(chart: str) -> None:
    places = re.findall(r'<text x="([\d.]+)" y="[\d.]+" font-size="(\d+)"', chart)
    assert all(float(x) < PICTURE for x, _ in places)
    assert all(
        load_font(15, bold=True).getlength(line) <= PICTURE
        for line in wrap(TITLE.strip(), load_font(15, bold=True), PICTURE)
    )


def test_a_picture_is_drawn_in_light_colours_and_small(chart: str, timeline: str) -> None:
    for picture in (chart, timeline):
        drawn = make_png(picture)
        image = Image.open(io.BytesIO(drawn))
        assert image.width == PNG_WIDTH
        assert image.convert("RGB").getpixel((2, 2)) == (0xFD, 0xFC, 0xF9)
        assert len(drawn) < 60_000


def test_a_figure_without_a_drawing_is_no_picture() -> None:
    assert make_picture("<figure><figcaption>a</figcaption><p>b</p></figure>", SOURCE) == ""
