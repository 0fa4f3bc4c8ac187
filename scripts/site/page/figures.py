"""Figures: each has a sign that links to it, and is a file beside its page that others can show."""

import re
from html import unescape
from pathlib import Path

from markupsafe import Markup

from scripts.site.render.svg import read_colours
from scripts.site.render.words import Words

_FIGURE = re.compile(
    r'<figure class="(?P<kind>chart[^"]*)" id="(?P<id>[\w-]{1,150})"[^>]*>'
    r"<figcaption>(?P<title>.*?)</figcaption>.*?</figure>",
    re.DOTALL,
)
_HALO = "text{stroke:var(--chart-paper);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}"


def list_figures(content: str) -> dict[str, str]:
    """The titles of the charts in a block, as text, by their ids."""
    return {
        found["id"]: Markup(found["title"]).striptags()  # noqa: S704 - only to be stripped
        for found in _FIGURE.finditer(content)
    }


def sign_figures(content: Markup, words: Words) -> Markup:
    """A block in which the title of each chart ends with the sign that links to it."""

    def sign(found: re.Match[str]) -> str:
        name = words.text("chart_link")
        link = Markup(
            '\N{NO-BREAK SPACE}<a class="claim-anchor" href="#{0}" title="{1}" aria-label="{1}: {0}">#</a>'
        ).format(found["id"], name)
        return found[0].replace("</figcaption>", f"{link}</figcaption>", 1)

    return Markup(_FIGURE.sub(sign, content))  # noqa: S704 - the block's own


def write_figures(page: str, folder: Path) -> None:
    """The charts of a page's HTML as pictures that stand alone, in the colours that a viewer prefers.

    Each is a file in ``folder``, named after the chart's id.
    """
    for figure in _FIGURE.finditer(unfold(page)):
        picture = figure[0][figure[0].find("<svg") : figure[0].rfind("</svg>") + len("</svg>")]
        if not picture.startswith("<svg"):
            continue
        width, height = picture.partition('viewBox="0 0 ')[2].partition('"')[0].split()
        size = f'width="{width}" height="{height}"'
        halo = "" if "chart-heat" in figure["kind"] else _HALO
        style = f"<style>{_set_colours()}svg{{font-family:system-ui,sans-serif}}{halo}</style>"
        paper = '<rect width="100%" height="100%" style="fill:var(--chart-paper)"/>'
        head, end, rest = picture.partition(">")
        folder.mkdir(parents=True, exist_ok=True)
        text = f"{head} {size}{end}{style}{paper}{rest}"
        (folder / f"{figure['id']}.svg").write_text(text, encoding="utf-8")


def unfold(page: str) -> str:
    """Give a page's HTML, and after it what waits in its folds."""
    waiting = (one.partition("</noscript>")[0] for one in page.split("<noscript>")[1:])
    return "\n".join((page, *map(unescape, waiting)))


def _set_colours() -> str:
    """The colours of charts, as the pages have them, for light and for dark."""
    light, dark = (
        " ".join(f"--chart-{name}: {colour};" for name, colour in colours.items())
        for colours in read_colours()
    )
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
