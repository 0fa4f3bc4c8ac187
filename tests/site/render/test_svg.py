"""A picture's texts say what they say, whatever they say."""

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from markupsafe import Markup
from matplotlib.figure import Figure

from scripts.site.render.svg import INK, MOST_LETTERS, MUTED, STYLE, format_svg
from scripts.site.render.walls import draw_family
from scripts.site.render.words import load_words
from tests.factories import make_record, make_variant
from tests.site.render.markup import (
    SVG,
    assert_themed,
    make_evidence,
    read_picture,
    read_texts,
    read_tooltips,
)


def draw(text: str) -> Markup:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(4, 3))
        axes = figure.add_subplot()
        axes.plot((1, 2), (1.123456, 2), gid="line", color=INK)
        axes.set_title(text, color=INK)
        return format_svg(figure, "chart", text, text, {"line": text})


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
        str(one.text) for one in read_picture(drawn).iter() if one.tag.endswith(("title", "desc"))
    ]
    assert titles == [text, text, text]
    assert "<script>" not in drawn


def test_what_xml_may_not_hold_does_not_stop_a_picture() -> None:
    assert "a�b c" in read_texts(draw("a\x02b\nc"))


def test_a_text_without_end_ends_where_the_picture_has_no_more_room() -> None:
    assert max(map(len, read_texts(draw("x" * 100_000)))) == MOST_LETTERS


def test_attributes_take_the_page_s_colours_and_few_decimals() -> None:
    drawn = draw("plain")
    assert_themed(drawn)
    assert "123456" not in drawn


def test_a_picture_weighs_little_on_its_page() -> None:
    """Lines of one look are one, and a point is one shape with its title."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(4, 3))
        axes = figure.add_subplot()
        axes.set_axis_off()
        for number in range(20):
            axes.plot((0, 1), (number, number), color=MUTED)
            axes.plot((1,), (number,), "o", color=INK, gid=f"p{number}", clip_on=False)
        tooltips = {f"p{number}": str(number) for number in range(20)}
        drawn = format_svg(figure, "chart", "title", "told", tooltips)
    assert read_tooltips(drawn) == [str(number) for number in range(20)]
    points = [one for one in read_picture(drawn).iter() if one.get("class") == "point"]
    assert {one.tag for one in points} == {f"{SVG}use"}
    (lines,) = (one for one in read_picture(drawn).iter(f"{SVG}path") if "muted" in str(one.attrib))
    assert str(lines.get("d")).count("M") == 20
    assert len(list(read_picture(drawn).iter())) < 2 * 20 + 20


def test_lines_outside_of_the_axes_leave_nothing_behind() -> None:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(4, 3))
        axes = figure.add_subplot()
        axes.set_axis_off()
        for number in (10, 20):
            axes.axvline(number, color=MUTED)
        axes.set_xlim(0, 1)
        drawn = format_svg(figure, "chart", "title", "told", {})
    assert "muted" not in drawn


def test_the_pictures_of_both_widths_have_their_points_in_one_order() -> None:
    """For the narrow one has no tooltips of its own: the script takes them from the other."""
    records = [
        make_record(make_variant(program=program, cores=cores), [1.0] * 5)
        for program in ("01-io-sequential", "04-io-thread_pool")
        for cores in (1, 2)
    ]
    chart = draw_family(make_evidence(records), load_words("en"), "io")
    wide, narrow = (ET.fromstring(one) for one in re.findall(r"<svg.*?</svg>", chart, re.DOTALL))
    counts = [len(one.findall(".//*[@class='point']")) for one in (wide, narrow)]
    assert counts[0] == counts[1] > 0
    assert len(wide.findall(f".//{SVG}title")) == counts[0] + 1
    assert len(narrow.findall(f".//{SVG}title")) == 1
