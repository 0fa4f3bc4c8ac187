"""Weight: what a page asks of a phone before anybody reads it."""

import re

from bs4 import BeautifulSoup

MOST_ELEMENTS = 2500
"""Elements of a page before anything in it is unfolded: a phone lays out more too slowly."""

_WAITING = re.compile(r"(<(noscript|script)\b[^>]*>).*?</\2>", re.DOTALL)


def count_elements(html: str) -> int:
    """Count the elements that a browser makes of it: what is folded, or for scripts alone, waits."""
    plain = str(html)  # of Markup, Python 3.11 escapes the group that it fills in
    return len(re.findall("<[a-zA-Z]", _WAITING.sub(r"\1", plain)))


def count_words(html: str) -> int:
    """Count the words of an article as it is shown: without folds, programs, tables and pictures."""
    article = BeautifulSoup(html, "html.parser").find("article")
    if not article:
        return 0
    for part in article.select(
        "details > :not(summary), pre, table, figure, .evidence-chart, script, .headerlink, .page-twin"
    ):
        part.decompose()
    return len(re.findall(r"\S*\w\S*", article.get_text(" ")))
