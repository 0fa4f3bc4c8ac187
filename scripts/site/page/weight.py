"""Weight: what a page asks of a phone before anybody reads it."""

import re

from markupsafe import Markup

from scripts.site.render.html import fold_away

MOST = 2500
"""Elements of a page before anything in it is unfolded: a phone lays out more too slowly."""

_WAITING = re.compile(r"(<(noscript|script)\b[^>]*>).*?</\2>", re.DOTALL)
_TABLE = re.compile(
    r'<div class="measured-scroll"[^>]*>\s*<table class="measured (?!overview)[^>]*>'
    r"<caption>(?P<caption>.*?)</caption>.*?</table></div>",
    re.DOTALL,
)
"""An overview is left as it is: its script must find it."""


def count_elements(html: str) -> int:
    """How many elements a browser makes of it: what is for no script or for scripts alone waits."""
    plain = str(html)  # of Markup, Python 3.11 escapes the group that it fills in
    return len(re.findall("<[a-zA-Z]", _WAITING.sub(r"\1", plain)))


def lighten(page: str) -> str:
    """A page within ``MOST``: its last tables are folded and wait, as many as that takes."""
    if page.count("<") <= MOST:  # which is sooner told, and hardly any page has more
        return page
    weight = count_elements(page)
    if weight <= MOST:
        return page
    waiting = [found.span() for found in _WAITING.finditer(page)]
    open_ = [
        found
        for found in _TABLE.finditer(page)
        if not any(start < found.start() < end for start, end in waiting)
    ]
    while weight > MOST and open_:
        table = open_.pop()
        title = Markup(table["caption"]).striptags()  # noqa: S704 - only to be stripped
        folded = str(fold_away(title, Markup(table[0])))  # noqa: S704 - the page's own
        weight += count_elements(folded) - count_elements(table[0])
        page = page[: table.start()] + folded + page[table.end() :]
    return page
