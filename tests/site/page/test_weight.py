"""However much stands on a page, a phone has only so much of it to lay out at once."""

import re

from markupsafe import Markup

from scripts.site.page.weight import MOST, count_elements, lighten
from scripts.site.render.html import fold_away, table
from scripts.site.render.words import load_words

EN = load_words("en")


def make_table(name: str, rows: int, kind: str = "") -> str:
    return table(EN, name, ["Program"], [[str(row)] for row in range(rows)], kind=kind)


def list_open(page: str) -> list[str]:
    """The captions of the tables that are elements already."""
    return re.findall(
        "<caption>(.*?)</caption>", re.sub("<noscript>.*?</noscript>", "", page, flags=re.DOTALL)
    )


def test_of_a_page_that_is_too_heavy_the_last_tables_wait_folded() -> None:
    names = ("first", "second", "third")
    page = lighten("<p>before</p>".join(make_table(name, MOST // 4) for name in names))
    assert count_elements(page) <= MOST
    assert list_open(page) == ["first"]
    assert all(f"<summary>{name}</summary><noscript>" in page for name in names[1:])
    assert page.count("</table>") == 3


def test_a_page_that_is_light_stays_as_it_is() -> None:
    page = make_table("only", 10)
    assert lighten(page) == page


def test_what_waits_already_and_what_a_script_sorts_is_left() -> None:
    page = make_table("sorted", MOST, kind="overview") + fold_away("folded", make_table("in it", 9))
    assert lighten(page) == page


def test_what_is_folded_in_a_fold_waits_once() -> None:
    outer = fold_away("outer", Markup("<p>before</p>") + fold_away("inner", "text"))
    assert outer.count("<noscript>") == outer.count("</noscript>") == 1
    assert outer.count("<details") == 2
    assert count_elements(outer) == 3


def test_no_text_can_end_what_waits() -> None:
    assert fold_away("title", "</noscript><b>").count("</noscript>") == 1
