"""Chart: one picture with all that stands around it, and the one way in which it enters a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from scripts.render.html import render, slug
from scripts.render.panel import WIDTH_PT
from scripts.render.pen import DASHES, Pen
from scripts.render.svg import STYLE, format_svg
from scripts.render.words import Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.figure import Figure

Sign = tuple[Markup, str]
"""Of a legend: how something looks, and what it means."""
_KEYS = ("circle", "square", "diamond", "up", "down", "circle", "square")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture with its title, its legend and what belongs below it.

    ``prefix`` is its id in the page and begins those of its parts. ``draw`` fills an empty figure,
    ``height_pt`` high, and returns tooltips: text by the gid of the artist that it belongs to.
    ``description`` tells those who cannot see the picture how to read it. ``kind`` adds a class.
    """

    prefix: str
    title: str
    description: str
    height_pt: float
    draw: Callable[[Figure], Mapping[str, str]]
    signs: Sequence[Sign] = ()
    below: str = ""
    kind: str = ""

    def show(self) -> Markup:
        """The figure as it stands in a page."""
        import matplotlib as mpl
        from matplotlib.figure import Figure

        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(WIDTH_PT / 72, self.height_pt / 72))
            tooltips = self.draw(figure)
            svg = format_svg(figure, self.prefix, self.title, self.description, tooltips)
        return render("chart.html", chart=self, svg=svg)


def make_prefix(*parts: object) -> str:
    """The id of a chart in a page, of all that tells it from others; empty parts are left out."""
    return "-".join(slug(str(part)) for part in parts if part not in (None, "", False))


def show_key(pen: Pen, *, line: bool = False) -> Markup:
    """The sign of a pen: its shape, on its line if it is one."""
    kind = f"key key-{_KEYS[pen.series]} series-{pen.series + 1}"
    if not line:
        return Markup('<span class="{}" aria-hidden="true"></span>').format(kind)
    return Markup(
        '<span class="key-line dash-{} series-{}" aria-hidden="true"><span class="{}"></span></span>'
    ).format(pen.number % len(DASHES) + 1, pen.series + 1, kind)


def show_sign(name: str) -> Markup:
    """A sign that is no pen's: ``band``, ``floor``, ``level``, ``stair``, ``cell``."""
    return Markup('<span class="key key-{}" aria-hidden="true"></span>').format(name)


def show_note(text: str) -> Markup:
    """A sentence under a picture."""
    return Markup('<p class="chart-note">{}</p>').format(text)


def fold(table: Markup, words: Words) -> Markup:
    """The numbers of a chart, which the reader unfolds."""
    return Markup('<details class="chart-numbers"><summary>{}</summary>{}</details>').format(
        words.text("numbers"), table
    )


def show_nothing(words: Words) -> Markup:
    """Instead of a chart that would be empty."""
    return show_note(words.text("chart_nothing"))
