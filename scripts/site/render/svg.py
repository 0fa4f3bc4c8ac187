"""Pictures: what is drawn in points becomes inline SVG that has its colours and fonts from the page.

A picture is texts, lines, areas and points, written as they are: a drawing library would make files
of its own, with ids, fonts and colours that a page has to take out again.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, get_args

from markupsafe import Markup

from scripts.harness.experiment import Way
from scripts.harness.paths import DOCS
from scripts.site.render.html import clean, join

INK, MUTED, GRID, PAPER = (f"var(--chart-{name})" for name in ("ink", "muted", "grid", "paper"))
SERIES = tuple(f"var(--chart-series-{number})" for number in range(1, 8))
STYLES = DOCS / "theme" / "assets" / "site.css"
_SCHEME = r"\[data-md-color-scheme{}\] \{{(.*?)\n\}}"
_COLOUR = re.compile(r"--chart-([a-z0-9-]+): (#[0-9a-f]+);")

NARROW_PT, WIDE_PT = 312, 680
"""Widths on a phone and where there is room: shown so, no letter is smaller than 11 pixels."""
SIZE_PT, SMALL_PT = 11, 10.5
LETTER_PT = 5.8
"""About the width of a letter of the small size, in fonts that we do not know."""
MOST_LETTERS = 200
"""Longer texts are cut: a picture has no room for them."""

Dash = tuple[float, ...]
"""The lengths of dashes and gaps, in widths of their line; none of a solid line."""
DASHED: Dash = (4, 2.5)
DASHES: tuple[Dash, ...] = ((), (6, 2), (1.5, 1.5), (6, 1.5, 1.5, 1.5))
_TIP = math.sqrt(2)
MARKERS: dict[str, Sequence[tuple[float, float]]] = {
    "circle": (),
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -_TIP), (_TIP, 0), (0, _TIP), (-_TIP, 0)),
    "up": ((0, -1), (1, 1), (-1, 1)),
    "down": ((0, 1), (1, -1), (-1, -1)),
}
"""The corners of each shape around its middle, in half of its size."""
KINDS = get_args(Way)
SPARE = len(SERIES) - 1
"""The colour that belongs to no kind of worker."""

Place = tuple[float, float]
"""A place in a picture: points from its left and from its top."""


@cache
def read_colours() -> tuple[dict[str, str], dict[str, str]]:
    """Read the colours of charts by name, ``ink`` and so on: those of the light and the dark theme.

    Pictures that are files of their own have them from here.
    """
    styles = STYLES.read_text(encoding="utf-8")
    light, dark = (
        dict(_COLOUR.findall("".join(re.findall(_SCHEME.format(name), styles, re.DOTALL))))
        for name in ("", '="slate"')
    )
    return light, dark


@dataclass(frozen=True, slots=True)
class Pen:
    """The look of a series: its colour goes by kind of worker, shape and dash by its number.

    So series of one kind differ without their colour, twenty of them.
    """

    colour: int = SPARE
    number: int = 0

    @property
    def paint(self) -> str:
        """The colour as it is drawn."""
        return SERIES[self.colour]

    @property
    def shape(self) -> str:
        """The name of its shape in the style sheet."""
        return list(MARKERS)[self.number % len(MARKERS)]

    @property
    def dash(self) -> Dash:
        """The dashes of its lines."""
        return DASHES[self.number % len(DASHES)]


def find_colour(kind: str) -> int:
    """Find the colour of a kind of worker."""
    return KINDS.index(kind) if kind in KINDS else SPARE


@dataclass(slots=True)
class Canvas:
    """A picture in the making, in points from its top left corner."""

    width_pt: float
    height_pt: float
    _shapes: list[Markup] = field(default_factory=list)
    _points: list[tuple[Markup, str]] = field(default_factory=list)

    def write(
        self,
        text: str,
        place: Place,
        *,
        at: Literal["start", "middle", "end"] = "start",
        colour: str = INK,
        size_pt: float = SIZE_PT,
        is_bold: bool = False,
    ) -> None:
        """Write a line of text whose start, middle or end is at a place."""
        shown = clean(text).replace("\n", " ")[:MOST_LETTERS]
        x, y = place
        baseline = y + size_pt * 0.35  # about half the height of a capital
        look = f"font-size: {size_pt}px; text-anchor: {at}; fill: {colour}"
        if is_bold:
            look += "; font-weight: 700"
        shape = Markup('<text style="{}" x="{}" y="{}">{}</text>')
        self._shapes.append(shape.format(look, _write(x), _write(baseline), shown))

    def draw(
        self,
        lines: Iterable[Sequence[Place]],
        colour: str,
        width_pt: float = 1.0,
        dash: Dash = (),
        alpha: float = 1.0,
    ) -> None:
        """Draw lines of one look as one shape."""
        look = f"fill: none; stroke: {colour}; stroke-width: {width_pt:g}"
        if dash:
            lengths = ",".join(_write(length * width_pt) for length in dash)
            look += f"; stroke-dasharray: {lengths}"
        if alpha < 1:
            look += f"; stroke-opacity: {alpha:g}"
        if path := "".join(map(_trace, lines)):
            self._shapes.append(Markup('<path d="{}" style="{}"/>').format(path, look))

    def fill(self, corners: Sequence[Place], colour: str, alpha: float) -> None:
        """Fill an area."""
        shape = Markup('<path d="{}z" style="fill: {}; opacity: {}"/>')
        self._shapes.append(shape.format(_trace(corners), colour, alpha))

    def mark(
        self, place: Place, pen: Pen, told: str, *, size_pt: float = 7, is_hollow: bool = False
    ) -> None:
        """Draw a point with its tooltip, above all that is no point."""
        shape = Markup('<path d="{}z" class="point" style="fill: {}; stroke: {}; stroke-width: {}"')
        fill, width_pt = PAPER if is_hollow else pen.paint, 2 if size_pt > 5 else 1
        outline = _outline(pen.shape, place, size_pt / 2)
        shape = shape.format(outline, fill, pen.paint, width_pt)
        self._points.append((shape, clean(told)))

    def format_svg(self, prefix: str, title: str, description: str, *, kind: str) -> Markup:
        """Make of the picture an ``<svg>`` element, whose size is that of the page.

        ``prefix`` begins its ids; title and description tell the picture to those who cannot see
        it; ``kind`` is its class, ``wide`` or ``narrow``. The wide one has the tooltips, and for the
        narrow one, which has the same points in the same order, the page's script takes those.
        """
        if kind == "wide":
            titled = Markup("{}><title>{}</title></path>")
            points = [titled.format(one, told) for one, told in self._points]
        else:
            points = [one + Markup("/>") for one, _ in self._points]
        return Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {1} {2}" class="{3}" role="img"'
            ' aria-labelledby="{0}-title {0}-desc">'
            '<title id="{0}-title">{4}</title><desc id="{0}-desc">{5}</desc>{6}</svg>'
        ).format(
            prefix,
            _write(self.width_pt),
            _write(self.height_pt),
            kind,
            clean(title),
            clean(description),
            join([*self._shapes, *points]),
        )


def _trace(line: Sequence[Place]) -> str:
    """Write a line from place to place."""
    return "M" + "L".join(f"{_write(x)} {_write(y)}" for x, y in line) if line else ""


def _outline(shape: str, place: Place, half_pt: float) -> str:
    """Write the outline of a point: two arcs, or a line from corner to corner."""
    x, y = place
    if shape == "circle":
        half, whole = _write(half_pt), _write(2 * half_pt)
        arc = f"a{half} {half} 0 1 0"
        return f"M{_write(x - half_pt)} {_write(y)}{arc} {whole} 0{arc} -{whole} 0"
    return _trace([(x + dx * half_pt, y + dy * half_pt) for dx, dy in MARKERS[shape]])


def _write(length_pt: float) -> str:
    """Write a length with as many decimals as anybody sees."""
    return f"{length_pt:.2f}".rstrip("0").rstrip(".")
