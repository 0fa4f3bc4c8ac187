"""Chart: one picture with all that stands around it, and the one way in which it enters a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from scripts.site.render.html import fold_away, join, render, slug
from scripts.site.render.panel import NARROW_PT, WIDE_PT, Figure
from scripts.site.render.pen import DASHES, Pen
from scripts.site.render.svg import STYLE, format_svg
from scripts.site.render.words import Words

Sign = tuple[Markup, str]
"""Of a legend: how something looks, and what it means."""
MOST_RESULTS = 24
"""More than that nobody listens to; the table has them all."""
_KEYS = ("circle", "square", "diamond", "up", "down", "circle", "square")


class Picture(Protocol):
    """What is drawn."""

    @property
    def height_pt(self) -> float:
        """Of the figure."""

    def draw(self, figure: Figure) -> Mapping[str, str]:
        """Fill an empty figure; returns tooltips: text by the gid of the artist that it belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture with its title, its legend and what belongs below it.

    ``prefix`` is its id in the page and begins those of its parts. The picture is drawn once for each
    of ``widths_pt``, of which the page shows the one that fits. ``found`` is what it found out, as a
    sentence, and then its title. ``kind`` adds a class.
    """

    prefix: str
    title: str
    picture: Picture
    signs: Sequence[Sign] = ()
    below: str = ""
    kind: str = ""
    found: str = ""
    widths_pt: Sequence[float] = (WIDE_PT, NARROW_PT)

    def show(self) -> Markup:
        """The figure as it stands in a page."""
        pictures = join(self._draw(width_pt) for width_pt in self.widths_pt)
        return render("chart.html", chart=self, pictures=pictures)

    def _draw(self, width_pt: float) -> Markup:
        import matplotlib as mpl
        from matplotlib.figure import Figure

        several = len(self.widths_pt) > 1
        name = ("wide" if width_pt == WIDE_PT else "narrow") if several else ""
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(width_pt / 72, self.picture.height_pt / 72))
            tooltips = self.picture.draw(figure)
            prefix = make_prefix(self.prefix, "narrow" if name == "narrow" else "")
            told = tell_results(tooltips)
            title, titled = self.found or self.title, name != "narrow"
            return format_svg(figure, prefix, title, told, tooltips, kind=name, titled=titled)


def tell_results(tooltips: Mapping[str, str]) -> str:
    """What a picture shows, for those who cannot see it: the last point of each of its series."""
    last = {key.rpartition("-")[0] or key: text for key, text in tooltips.items()}
    return "; ".join(list(last.values())[:MOST_RESULTS])


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
    return fold_away(words.text("numbers"), table)


def show_nothing(words: Words) -> Markup:
    """Instead of a chart that would be empty."""
    return show_note(words.text("chart_nothing"))
