"""Pictures: what is drawn in points becomes inline SVG that has its colours and fonts from the page.

matplotlib draws with few sentinel colours, which become CSS variables; text stays text; ids are
prefixed, so that several pictures live in one page. There are no axes of matplotlib: it spends most
of its time on them, and a picture is drawn for two widths in two languages.
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

# Sentinels, of which the style sheet makes colours (``--chart-ink`` and so on).
INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
SERIES = ("#050501", "#050502", "#050503", "#050504", "#050505", "#050506", "#050507")
_VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    sentinel: f"series-{number}" for number, sentinel in enumerate(SERIES, 1)
}
_SENTINEL = re.compile("|".join(_VARIABLES))

STYLES = DOCS / "theme" / "assets" / "site.css"
_SCHEME = r"\[data-md-color-scheme{}\] \{{(.*?)\n\}}"
_COLOUR = re.compile(r"--chart-([a-z0-9-]+): (#[0-9a-f]+);")

# Widths on a phone and where there is room: shown so, no letter is smaller than 11 pixels.
NARROW_PT, WIDE_PT = 312, 680
SIZE_PT, SMALL_PT = 11, 10.5
LETTER_PT = 5.8  # about the width of a small letter, in fonts that we do not know
MOST_LETTERS = 200  # of a text: a picture has no room for longer ones

DASHED = (0, (4, 2.5))
DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "up": "^", "down": "v"}
KINDS = get_args(Way)
SPARE = len(SERIES) - 1  # the colour that belongs to no kind of worker

_NAMESPACE = "http://www.w3.org/2000/svg"
_GROUP = f"{{{_NAMESPACE}}}g"
_XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", _NAMESPACE)
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "charts",
    "text.parse_math": False,  # a dollar sign is a dollar sign
    "path.simplify": False,
}
# A place in a picture: points from its left and from its top.
Place = tuple[float, float]


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


def outline_box(left: float, top: float, right: float, bottom: float) -> list[Place]:
    """Outline an upright rectangle between two of its corners."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


@dataclass(frozen=True, slots=True)
class _Shape:
    """What matplotlib draws, and the class and tooltip that it gets in the page."""

    artist: Any
    kind: str = ""
    tooltip: str = ""
    is_styled_by_page: bool = False


@dataclass(slots=True)
class Canvas:
    """A picture in the making, in points from its top left corner.

    What is marked lies above all else, in the order in which it was. What is drawn as a ``kind`` has
    its colours, widths and dashes from the page's styles for that class.
    """

    width_pt: float
    height_pt: float
    _shapes: list[_Shape] = field(default_factory=list)
    _points: list[_Shape] = field(default_factory=list)

    def write(
        self,
        text: str,
        place: Place,
        *,
        at: Literal["left", "center", "right"] = "left",
        colour: str = INK,
        size_pt: float = SIZE_PT,
        is_bold: bool = False,
        kind: str = "",
    ) -> None:
        """Write a line of text whose left end, middle or right end is at a place."""
        from matplotlib.text import Text

        line = clean(text).replace("\n", " ")[:MOST_LETTERS]
        weight = "bold" if is_bold else "normal"
        x, baseline = place[0], self.height_pt - place[1] - size_pt * 0.35  # half a capital
        look: Any = {"color": colour, "fontsize": size_pt, "fontweight": weight, "ha": at}
        self._shapes.append(_Shape(Text(x, baseline, line, **look), kind))

    def draw(
        self,
        lines: Iterable[Sequence[Place]],
        colour: str = INK,
        width_pt: float = 1.0,
        dash: Any = "solid",  # noqa: ANN401 - a line style of matplotlib
        alpha: float = 1.0,
        kind: str = "",
    ) -> None:
        """Draw lines of one look as one shape."""
        from matplotlib.lines import Line2D

        places: list[Place] = []
        for line in lines:
            places += [(x, self.height_pt - y) for x, y in line]
            places.append((math.nan, math.nan))  # lifts the pen
        style: Any = {"color": colour, "linewidth": width_pt, "linestyle": dash, "alpha": alpha}
        if places:
            xs, ys = zip(*places, strict=True)
            artist = Line2D(xs, ys, solid_capstyle="butt", **style)
            self._shapes.append(_Shape(artist, kind, is_styled_by_page=bool(kind)))

    def fill(
        self,
        outline: Sequence[Place],
        kind: str = "",
        tooltip: str = "",
        *,
        colour: str = "",
        alpha: float = 1.0,
    ) -> None:
        """Fill what is within an outline, with a colour or else as the page styles its kind."""
        from matplotlib.patches import Polygon

        look: Any = {"facecolor": colour, "edgecolor": "none", "alpha": alpha} if colour else {}
        area = Polygon([(x, self.height_pt - y) for x, y in outline], **look)
        self._shapes.append(_Shape(area, kind, tooltip, is_styled_by_page=not colour))

    def mark(
        self, place: Place, pen: Pen, tooltip: str, *, size_pt: float = 7, is_hollow: bool = False
    ) -> None:
        """Draw a point with its tooltip."""
        from matplotlib.lines import Line2D

        artist = Line2D(
            [place[0]],
            [self.height_pt - place[1]],
            linestyle="none",
            marker=MARKERS[pen.shape],
            markersize=size_pt,
            markeredgewidth=2 if size_pt > 5 else 1,
            markeredgecolor=pen.sentinel,
            markerfacecolor=PAPER if is_hollow else pen.sentinel,
        )
        self._points.append(_Shape(artist, "point", tooltip))

    def format_svg(
        self, prefix: str, title: str, description: str, *, is_wide: bool = True
    ) -> Markup:
        """Make of the picture an ``<svg>`` element.

        ``prefix`` begins every id; title and description tell the picture to those who cannot see
        it. A narrow one has no tooltips: the page's script takes those of the wide one, which are
        in the same order.
        """
        root = self._make_element(prefix, has_tooltips=is_wide)
        root.set("class", "wide" if is_wide else "narrow")
        for name, text in (("desc", description), ("title", title)):
            child = _make_text(name, text)
            child.set("id", f"{prefix}-{name}")
            root.insert(0, child)
        root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
        return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes

    def format_stretched(self, kind: str, title: str) -> Markup:
        """Make of a picture without texts an ``<svg>`` that is as wide as its column."""
        root = self._make_element("", has_tooltips=True)
        root.set("style", f"height: {self.height_pt:g}px")
        root.set("preserveAspectRatio", "none")
        root.set("class", kind)
        root.set("aria-label", clean(title))
        return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes

    def _make_element(self, prefix: str, *, has_tooltips: bool) -> ET.Element:
        """Let matplotlib draw, and leave what a page needs: shapes and texts, one after the other."""
        drawn = [*self._shapes, *self._points]
        source = self._save([shape.artist for shape in drawn])
        groups = {group.get("id"): group for group in source.iter(_GROUP)}
        definitions = ET.Element(f"{{{_NAMESPACE}}}defs")
        root = ET.Element(source.tag, {"viewBox": source.attrib["viewBox"], "role": "img"})
        root.append(definitions)
        for number, shape in enumerate(drawn):
            # An empty text is not drawn, and has no group.
            for element in groups.get(f"shape-{number}", ET.Element(_GROUP)).iter():
                if not element.tag.endswith(("}path", "}use", "}text")):
                    continue
                _simplify(element, prefix)
                if "id" in element.attrib:  # the shape of a marker, where it is first used
                    definitions.append(element)
                    continue
                if shape.is_styled_by_page:
                    element.attrib.pop("style", None)
                if shape.kind:
                    element.set("class", shape.kind)
                if shape.tooltip and has_tooltips:
                    element.insert(0, _make_text("title", shape.tooltip))
                root.append(element)
        if not len(definitions):
            root.remove(definitions)
        return root

    def _save(self, artists: Sequence[Any]) -> ET.Element:
        """Save a figure that has nothing but these artists, each in a group with its number."""
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.transforms import IdentityTransform

        buffer = io.StringIO()
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(self.width_pt / 72, self.height_pt / 72), dpi=72)
            figure.patch.set_visible(False)
            for number, artist in enumerate(artists):
                # Equal heights keep lines, areas and texts in the order in which they were drawn.
                artist.set(gid=f"shape-{number}", transform=IdentityTransform(), zorder=1)
                figure.add_artist(artist)
            metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
            figure.savefig(buffer, format="svg", metadata=metadata)
        return ET.fromstring(buffer.getvalue())  # noqa: S314 - our own picture, just drawn


def _make_text(tag: str, text: str) -> ET.Element:
    element = ET.Element(f"{{{_NAMESPACE}}}{tag}")
    element.text = clean(text)
    return element


def _simplify(element: ET.Element, prefix: str) -> None:
    """Give a shape the page's colours, and ids that no other picture of the page has."""
    element.tail = None
    for name, value in list(element.attrib.items()):
        del element.attrib[name]
        element.set(name.removeprefix(f"{{{_XLINK}}}"), _shorten(name, value, prefix))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def _shorten(name: str, value: str, prefix: str) -> str:
    """Make of the sentinels what the page styles; drop fonts and far decimals; prefix ids."""
    if name == "id":
        return f"{prefix}-{value}"
    if name.endswith("href"):
        return f"#{prefix}-{value[1:]}"
    value = _SENTINEL.sub(lambda match: f"var(--chart-{_VARIABLES[match[0]]})", value)
    value = re.sub(r"font-family: [^;]*;? ?|(?<=\.\d\d)\d+", "", value)
    value = " ".join(value.replace("font: ", "font-size: ").split())
    if name == "d":  # of long paths every blank would weigh
        value = re.sub(r" ?([A-Za-z]) ?", r"\1", value)
    return value
