"""Weight: what a page asks of a phone before anybody reads it."""

import re

MOST_ELEMENTS = 2500
"""Elements of a page before anything in it is unfolded: a phone lays out more too slowly."""

_WAITING = re.compile(r"(<(noscript|script)\b[^>]*>).*?</\2>", re.DOTALL)


def count_elements(html: str) -> int:
    """Count the elements that a browser makes of it: what is folded, or for scripts alone, waits."""
    plain = str(html)  # of Markup, Python 3.11 escapes the group that it fills in
    return len(re.findall("<[a-zA-Z]", _WAITING.sub(r"\1", plain)))
