"""Names as ids, and the few shapes of generated blocks, in which text stays text."""

import pytest
from markupsafe import Markup

from scripts.site.render import html
from scripts.site.render.html import block, cell, clean, join, prose, render, slug, table
from scripts.site.render.words import load_words
from tests.site.render.markup import read_rows

EN = load_words("en")
BAD = "<b>\"'&"
SHOWN = "&lt;b&gt;&#34;&#39;&amp;"


def test_a_name_becomes_an_id_without_signs_and_in_small_letters() -> None:
    assert slug("15-io+cpu-async+process_pool") == "15-io-cpu-async-process-pool"
    assert slug("Author's computer ") == "author-s-computer"


@pytest.mark.parametrize(
    "shape",
    [
        lambda text: cell(text, kind=text),
        lambda text: block(text, kind=text, id_=text),
        lambda text: join([text, text], text),
        lambda text: table(EN, text, [text, (text, text)], [[text]], kind=text),
        lambda text: table(EN, text, [text], {text: []}),
        lambda text: html.code(text) + html.small(text) + html.strong(text),
        lambda text: html.link_program("01-io", text),
        lambda text: render("output.html", words=EN, ending=text, printed=text),
        lambda text: EN.markup("of_a_step", ratio=text),
    ],
)
def test_text_in_a_shape_stays_text_and_markup_stays_markup(shape) -> None:
    assert BAD not in shape(BAD)
    assert SHOWN in shape(BAD)
    assert isinstance(shape(BAD), Markup)
    assert shape(Markup("<i></i>")).count("<i></i>") >= 1


def test_a_group_has_a_heading_over_all_columns() -> None:
    heads = ["Program", "Time", "Said"]
    rows = [(name, "1", prose(name)) for name in "ab"]
    shown = table(EN, "What", heads, {"One": rows[:1], "Other": rows[1:]})
    assert read_rows(shown) == [["a", "1", "a"], ["b", "1", "b"]]
    assert shown.count('colspan="3"') == 2


def test_what_no_page_may_hold_is_replaced_and_white_space_stays() -> None:
    assert clean("a\x00b\x02c\x1bd\x85e\ud800f\uffff\n\tg") == "a�b�c�d�e�f�\n\tg"
    assert clean("naïve – Ж\u202e\N{NO-BREAK SPACE}") == "naïve – Ж\u202e\N{NO-BREAK SPACE}"
