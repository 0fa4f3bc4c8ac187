"""A visitor's page finds nothing of what earlier ones kept."""

from tests.browser.visitor import Visitor

KEEP = "localStorage.kept = sessionStorage.kept = '1'; document.cookie = 'kept=1'"
FIND = "[localStorage.kept, sessionStorage.kept, document.cookie, matchMedia('print').matches]"


def test_nothing_is_left_of_an_earlier_page(visitor: Visitor) -> None:
    small = {"width": 400, "height": 300}
    with visitor.open("404.html", viewport=small, color_scheme="dark") as page:
        page.evaluate(KEEP)
        page.emulate_media(media="print")
    with visitor.open("404.html") as page:
        assert page.evaluate(FIND) == [None, None, "", False]
        assert page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
        assert page.evaluate("innerWidth") > 400
