"""SVG: matplotlib figures as inline SVG that takes its colours and fonts from the page.

Drawn with sentinel colours, which become CSS variables; text stays text; ids are prefixed, so
that several figures live in one page.
"""

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

from markupsafe import Markup

from scripts.harness.paths import DOCS
from scripts.site.render.html import clean
from scripts.site.render.panel import Figure

INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
SERIES = ("#050501", "#050502", "#050503", "#050504", "#050505", "#050506", "#050507")
"""Sentinels, of which the style sheet makes colours (``--chart-ink`` and so on)."""

_VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    sentinel: f"series-{number}" for number, sentinel in enumerate(SERIES, 1)
}
STYLES = DOCS / "theme" / "assets" / "site.css"
_SCHEME = r"\[data-md-color-scheme{}\] \{{(.*?)\n\}}"
_COLOUR = re.compile(r"--chart-([a-z0-9-]+): (#[0-9a-f]+);")
MOST_LETTERS = 200
"""Of a text in a picture, which has no room for as many."""

_LOOK = {"d", "style", "clip-path"}
_NAMESPACE = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", _NAMESPACE)
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "charts",
    "text.parse_math": False,  # a dollar sign is a dollar sign
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "grid.color": GRID,
}


@cache
def read_colours() -> tuple[dict[str, str], dict[str, str]]:
    """The colours of charts in the style sheet by name, ``ink`` and so on: of light and dark themes.

    Pictures that are files of their own have them from here.
    """
    styles = STYLES.read_text(encoding="utf-8")
    light, dark = (
        dict(_COLOUR.findall("".join(re.findall(_SCHEME.format(name), styles, re.DOTALL))))
        for name in ("", '="slate"')
    )
    return light, dark


def format_svg(
    figure: Figure,
    prefix: str,
    title: str,
    description: str,
    tooltips: Mapping[str, str],
    *,
    kind: str = "",
    titled: bool = True,
) -> Markup:
    """A figure, drawn with the sentinel colours, as an ``<svg>`` element.

    ``prefix`` begins every id; title and description tell the picture to those who cannot see it;
    ``tooltips`` are by the gid of the artist that each belongs to; ``kind`` is a class. Where they are
    not ``titled``, another picture has them in the same order, and the page's script takes those.
    """
    for text in _list_texts(figure):
        text.set_text(clean(text.get_text()).replace("\n", " ")[:MOST_LETTERS])
    buffer = io.StringIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    root = ET.fromstring(buffer.getvalue())  # noqa: S314 - our own picture, just drawn
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    for element in list(root.iter()):
        if tooltip := tooltips.get(element.get("id", "")):
            element.set("class", "point")
            if titled:
                element.insert(0, _make_text("title", tooltip))
        _shorten(element)
        _rename(element, prefix)
    _drop_unused_ids(root)
    _unwrap(root)
    _merge_lines(root)
    if kind:
        root.set("class", kind)
    _name(root, prefix, title, description)
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes


def _list_texts(figure: Figure) -> Iterator[Any]:
    """All but the labels of ticks, which are written by formatters as the figure is drawn."""
    yield from figure.texts
    for axes in figure.axes:
        yield from (*axes.texts, axes.title, axes.xaxis.label, axes.yaxis.label)


def _name(root: ET.Element, prefix: str, title: str, description: str) -> None:
    """Title and description, by which the picture is told, and no size: it takes the page's."""
    for name, told in (("desc", description), ("title", title)):
        child = _make_text(name, told)
        child.set("id", f"{prefix}-{name}")
        root.insert(0, child)
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")


def _make_text(tag: str, text: str) -> ET.Element:
    element = ET.Element(f"{{{_NAMESPACE}}}{tag}")
    element.text = clean(text)
    return element


def _shorten(element: ET.Element) -> None:
    """Make of the sentinels what the page styles; drop fonts, far decimals and blank text."""
    for name, value in list(element.attrib.items()):
        for sentinel, variable in _VARIABLES.items():
            value = value.replace(sentinel, f"var(--chart-{variable})")  # noqa: PLW2901
        value = re.sub(r"font-family: [^;]*;? ?", "", value)  # noqa: PLW2901
        value = re.sub(r"(\d+\.\d{2})\d+", r"\1", value)  # noqa: PLW2901
        del element.attrib[name]
        element.set(name.removeprefix(f"{{{_XLINK}}}"), " ".join(value.split()))
    element.text = element.text if element.text and element.text.strip() else None
    element.tail = None


def _rename(element: ET.Element, prefix: str) -> None:
    for name, value in list(element.attrib.items()):
        if name == "id":
            element.set(name, f"{prefix}-{value}")
        elif name == "href" and value.startswith("#"):
            element.set(name, f"#{prefix}-{value[1:]}")
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}-"))


def _unwrap(element: ET.Element) -> None:
    """Groups that say nothing, or tell of one shape, only make the page heavier."""
    for child in list(element):
        _unwrap(child)
        if child.tag.endswith("}g") and (not child.attrib or _hand_over_title(child)):
            place = list(element).index(child)
            element[place : place + 1] = list(child)


def _hand_over_title(point: ET.Element) -> bool:
    """Make the one shape of a point's group the point; false where there is another number."""
    shapes = [part for part in point if not part.tag.endswith(("}title", "}defs"))]
    if dict(point.attrib) != {"class": "point"} or len(shapes) != 1:
        return False
    for title in point.findall(f"{{{_NAMESPACE}}}title"):
        point.remove(title)
        shapes[0].insert(0, title)
    shapes[0].set("class", "point")
    return True


def _merge_lines(root: ET.Element) -> None:
    """Lines of one look become one: a grid and the intervals of a chart are tens of them.

    They come to lie where the first of them does, beneath what was drawn between them.
    """
    first: dict[tuple[str | None, ...], ET.Element] = {}
    for line in root.findall(f"{{{_NAMESPACE}}}path"):
        if not line.get("d"):  # what lies outside the axes has no shape
            root.remove(line)
            continue
        look = tuple(map(line.get, ("style", "clip-path")))
        if "fill: none; stroke" not in (look[0] or "") or set(line.attrib) - _LOOK:
            continue
        same = first.setdefault(look, line)
        if same is not line:
            same.set("d", f"{same.get('d')} {line.get('d')}")
            root.remove(line)


def _drop_unused_ids(root: ET.Element) -> None:
    """Ids that nothing refers to only make the page heavier."""
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {found for value in values for found in re.findall(r"#([^)]+)", value)}
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
