"""Colours of charts as the site's style sheet has them, for pictures that are files of their own."""

import re
from functools import cache

from scripts.paths import DOCS

STYLES = DOCS / "theme" / "assets" / "site.css"

_SCHEME = r"\[data-md-color-scheme{}\] \{{(.*?)\n\}}"
_COLOUR = re.compile(r"--chart-([a-z0-9-]+): (#[0-9a-f]+);")


@cache
def read_colours() -> tuple[dict[str, str], dict[str, str]]:
    """The colours by name, ``ink`` and so on, in the light and in the dark theme."""
    styles = STYLES.read_text(encoding="utf-8")
    light, dark = (
        dict(_COLOUR.findall("".join(re.findall(_SCHEME.format(name), styles, re.DOTALL))))
        for name in ("", '="slate"')
    )
    return light, dark
