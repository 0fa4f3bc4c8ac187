"""A picture's texts say what they say, whatever they say."""

import matplotlib as mpl
import pytest
from markupsafe import Markup
from matplotlib.figure import Figure

from scripts.render.svg import INK, MOST_LETTERS, STYLE, format_svg
from tests.render.markup import assert_themed, read_picture, read_texts


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
