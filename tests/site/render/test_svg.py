"""A picture's texts say what they say, whatever they say."""

import re
from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup

from scripts.site.render.charts import draw_family
from scripts.site.render.svg import INK, MOST_LETTERS, Canvas, Pen, read_colours
from scripts.site.render.words import load_words
from tests.site.render.markup import SVG, make_evidence, read_picture, read_texts
from tests.site.render.test_charts import measure


def draw(text: str) -> Markup:
    canvas = Canvas(300, 200)
    canvas.draw([[(1, 2), (1.123456, 2)]], INK)
    canvas.mark((5, 5), Pen(), text)
    canvas.write(text, (10, 10))
    return canvas.format_svg("chart", text, text)


@pytest.mark.parametrize(
    "text",
    [
        "costs $5_000 and $x^2$",
        "font-family: none; and no more",
        f'url(#a) href="#b" id="c" {INK} 1.123456 xlink:href',
        "</text><script>1</script>&lt;\"'",
        "{{ 7*7 }} \u202e \\frac{1}",
    ],
)
def test_a_text_of_a_picture_stays_as_it_is(text: str) -> None:
    drawn = draw(text)
    assert text in read_texts(drawn)
    titles = [
        str(one.text) for one in read_picture(drawn).iter() if one.tag[-5:] in ("title", "}desc")
    ]
    assert titles == [text] * 3
    assert "<script>" not in drawn


def test_a_picture_has_no_more_of_a_text_than_xml_may_hold_and_there_is_room_for() -> None:
    assert "a\N{REPLACEMENT CHARACTER}b c" in read_texts(draw("a\x02b\nc"))
    assert max(map(len, read_texts(draw("x" * 100_000)))) == MOST_LETTERS


def test_the_pictures_of_both_widths_have_their_points_in_one_order() -> None:
    """For the narrow one has no tooltips of its own: the script takes them from the other."""
    chart = draw_family(make_evidence(measure((1.0, 1.0))), load_words("en"), "io", "wall_s")
    wide, narrow = (ET.fromstring(one) for one in re.findall(r"<svg.*?</svg>", chart, re.DOTALL))
    counts = [len(one.findall(".//*[@class='point']")) for one in (wide, narrow)]
    assert counts[0] == counts[1] > 0
    assert len(wide.findall(f".//{SVG}title")) == counts[0] + 1
    assert len(narrow.findall(f".//{SVG}title")) == 1
    ids = re.findall(r' id="([^"]+)"', chart)
    assert len(ids) == len(set(ids)) > 0


def tell_luminance(colour: str) -> float:
    """How bright a colour is, by WCAG 2.2."""
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", read_colours(), ids=["light", "dark"])
def test_texts_of_charts_can_be_read_in_both_themes(colours: dict[str, str]) -> None:
    """Small text takes 4.5, by success criterion 1.4.3; axe does not look into pictures."""
    paper = tell_luminance(colours["paper"])
    for name in ("ink", "muted"):
        ink = tell_luminance(colours[name])
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5
