"""Pictures: what is drawn in points becomes inline SVG that has its colours and fonts from the page.

matplotlib draws few strokes with sentinel colours, which become CSS variables; text stays text;
ids are prefixed, so that several pictures live in one page. There are no axes of matplotlib: it
spends most of its time on them, and a picture is drawn for two widths in two languages.
"""

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args
from xml.etree import ElementTree as ET

from markupsafe import Markup

from poolwise.declaration import Way
from scripts.site.paths import DOCS
from scripts.site.render.html import clean

INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
SERIES = ("#050501", "#050502", "#050503", "#050504", "#050505", "#050506", "#050507")
"""Sentinels, of which the style sheet makes colours (``--chart-ink`` and so on)."""

_VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    sentinel: f"series-{number}" for number, sentinel in enumerate(SERIES, 1)
}
_SENTINEL = re.compile("|".join(_VARIABLES))
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

DASHED = (0, (4, 2.5))
DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "up": "^", "down": "v"}
KINDS = get_args(Way)
SPARE = len(SERIES) - 1
"""The colour that belongs to no kind of worker."""

_NAMESPACE = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", _NAMESPACE)
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "charts",
    "text.parse_math": False,  # a dollar sign is a dollar sign
    "path.simplify": False,
}
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
    def sentinel(self) -> str:
        """The colour as it is drawn."""
        return SERIES[self.colour]

    @property
    def shape(self) -> str:
        """The name of its shape in the style sheet."""
        return list(MARKERS)[self.number % len(MARKERS)]

    @property
    def dash(self) -> Any:  # noqa: ANN401 - a line style of matplotlib
        """The dashes of its lines."""
        return DASHES[self.number % len(DASHES)]


def find_colour(kind: str) -> int:
    """Find the colour of a kind of worker."""
    return KINDS.index(kind) if kind in KINDS else SPARE


@dataclass(slots=True)
class Canvas:
    """A picture in the making, in points from its top left corner.

    What is marked lies above all else, in the order in which it was.
    """

    width_pt: float
    height_pt: float
    _artists: list[Any] = field(default_factory=list)
    _points: list[tuple[Place, Pen, str, float, bool]] = field(default_factory=list)

    def write(
        self,
        text: str,
        place: Place,
        *,
        at: Literal["left", "center", "right"] = "left",
        colour: str = INK,
        size_pt: float = SIZE_PT,
        is_bold: bool = False,
    ) -> None:
        """Write a line of text whose left end, middle or right end is at a place."""
        from matplotlib.text import Text

        shown = clean(text).replace("\n", " ")[:MOST_LETTERS]
        weight = "bold" if is_bold else "normal"
        x, baseline = place[0], self.height_pt - place[1] - size_pt * 0.35  # half a capital
        self._artists.append(
            Text(x, baseline, shown, color=colour, fontsize=size_pt, fontweight=weight, ha=at)
        )

    def draw(
        self,
        lines: Iterable[Sequence[Place]],
        colour: str,
        width_pt: float = 1.0,
        dash: Any = "solid",  # noqa: ANN401 - a line style of matplotlib
        alpha: float = 1.0,
    ) -> None:
        """Draw lines of one look as one shape."""
        from matplotlib.lines import Line2D

        places: list[Place] = []
        for line in lines:
            places += [(x, self.height_pt - y) for x, y in line]
            places.append((math.nan, math.nan))  # lifts the pen
        style = {"color": colour, "linewidth": width_pt, "linestyle": dash, "alpha": alpha}
        if places:
            xs, ys = zip(*places, strict=True)
            self._artists.append(Line2D(xs, ys, solid_capstyle="butt", **style))

    def mark(
        self, place: Place, pen: Pen, told: str, *, size_pt: float = 7, is_hollow: bool = False
    ) -> None:
        """Draw a point with its tooltip."""
        self._points.append((place, pen, told, size_pt, is_hollow))

    def format_svg(
        self, prefix: str, title: str, description: str, *, is_wide: bool = True
    ) -> Markup:
        """Make of the picture an ``<svg>`` element.

        ``prefix`` begins every id; title and description tell the picture to those who cannot see
        it. A narrow one has no tooltips: the page's script takes those of the wide one, which are
        in the same order.
        """
        import matplotlib as mpl
        from matplotlib.backends import backend_svg
        from matplotlib.figure import Figure

        buffer = io.StringIO()
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(self.width_pt / 72, self.height_pt / 72), dpi=72)
            make: Any = backend_svg.RendererSVG
            renderer = make(self.width_pt, self.height_pt, buffer, metadata=metadata)
            for artist in self._artists:
                artist.set_figure(figure)
                artist.draw(renderer)
            self._draw_points(renderer)
            renderer.finalize()
        root = ET.fromstring(buffer.getvalue())  # noqa: S314 - our own picture, just drawn
        shapes = root.iter(f"{{{_NAMESPACE}}}use")
        for shape, (_, _, told, _, _) in zip(shapes, self._points, strict=True):
            shape.set("class", "point")
            if is_wide:
                shape.insert(0, _make_text("title", told))
        _simplify(root, prefix)
        root.set("class", "wide" if is_wide else "narrow")
        for size in ("width", "height"):  # which it takes from the page
            root.attrib.pop(size, None)
        for name, told in (("desc", description), ("title", title)):
            child = _make_text(name, told)
            child.set("id", f"{prefix}-{name}")
            root.insert(0, child)
        root.set("role", "img")
        root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
        return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes

    def _draw_points(self, renderer: Any) -> None:  # noqa: ANN401 - of matplotlib
        """Draw the points in their order, above all else; artists would take far longer."""
        from matplotlib.colors import to_rgba
        from matplotlib.markers import MarkerStyle
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        for (x, y), pen, _, size_pt, is_hollow in self._points:
            marker = MarkerStyle(MARKERS[pen.shape])
            look = renderer.new_gc()
            look.set_foreground(pen.sentinel)
            look.set_linewidth(2 if size_pt > 5 else 1)
            look.set_joinstyle(marker.get_joinstyle())
            look.set_capstyle(marker.get_capstyle())
            renderer.draw_markers(
                look,
                marker.get_path(),
                marker.get_transform() + Affine2D().scale(size_pt),
                Path([(x, self.height_pt - y)]),
                Affine2D(),
                to_rgba(PAPER if is_hollow else pen.sentinel),
            )


def _make_text(tag: str, text: str) -> ET.Element:
    element = ET.Element(f"{{{_NAMESPACE}}}{tag}")
    element.text = clean(text)
    return element


def _simplify(root: ET.Element, prefix: str) -> None:
    """Leave what a page needs: shapes and texts one below the other, with the page's colours."""
    shapes = []
    for element in root.iter():
        if element.tag.endswith(("}path", "}use", "}text")):
            shapes.append(element)
        for name, value in list(element.attrib.items()):
            del element.attrib[name]
            element.set(name.removeprefix(f"{{{_XLINK}}}"), _shorten(name, value, prefix))
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        element.tail = None
    marks = [one for one in shapes if one.get("id")]
    defs = ET.Element(f"{{{_NAMESPACE}}}defs")
    defs.extend(marks)
    root.text = None
    for child in list(root):
        root.remove(child)
    root.extend([*([defs] if marks else []), *(one for one in shapes if not one.get("id"))])


def _shorten(name: str, value: str, prefix: str) -> str:
    """Make of the sentinels what the page styles; drop fonts and far decimals; prefix ids."""
    if name == "id":
        return f"{prefix}-{value}"
    if name.endswith("href"):
        return f"#{prefix}-{value[1:]}"
    value = _SENTINEL.sub(lambda found: f"var(--chart-{_VARIABLES[found[0]]})", value)
    value = re.sub(r"font-family: [^;]*;? ?|(?<=\.\d\d)\d+", "", value)
    return " ".join(value.replace("font: ", "font-size: ").split())
