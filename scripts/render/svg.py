"""SVG: matplotlib figures as inline SVG that takes its colours and fonts from the page.

Drawn with sentinel colours, which become CSS variables; text stays text; ids are prefixed, so
that several figures live in one page.
"""

import io
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
SERIES = ("#050501", "#050502", "#050503", "#050504", "#050505", "#050506", "#050507")
"""Sentinels, of which the style sheet makes colours (``--chart-ink`` and so on)."""

_VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper"} | {
    sentinel: f"series-{number}" for number, sentinel in enumerate(SERIES, 1)
}
_NAMESPACE = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "charts",
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "grid.color": GRID,
}


@cache
def _register() -> None:
    ET.register_namespace("", _NAMESPACE)
    ET.register_namespace("xlink", _XLINK)


def write_svg(
    figure: "Figure", prefix: str, title: str, description: str, tooltips: Mapping[str, str]
) -> str:
    """A figure as an ``<svg>`` element.

    Args:
        figure: drawn with the sentinel colours.
        prefix: of every id, unique in the page.
        title: what the picture shows, for those who cannot see it.
        description: how to read it.
        tooltips: text by the gid of the artist that it belongs to.
    """
    _register()
    buffer = io.StringIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    root = ET.fromstring(buffer.getvalue())  # noqa: S314 - our own picture, just drawn
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    for element in root.iter():
        text = tooltips.get(element.get("id", ""))
        if text is not None:
            tooltip = ET.Element(f"{{{_NAMESPACE}}}title")
            tooltip.text = text
            element.insert(0, tooltip)
            element.set("class", "point")
        _rename(element, prefix)
    for name, text, place in (("desc", description, 0), ("title", title, 0)):
        child = ET.Element(f"{{{_NAMESPACE}}}{name}", {"id": f"{prefix}-{name}"})
        child.text = text
        root.insert(place, child)
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}-title {prefix}-desc")
    return _shorten(ET.tostring(root, encoding="unicode"))


def _rename(element: ET.Element, prefix: str) -> None:
    used = "id" in element.attrib
    if used:
        element.set("id", f"{prefix}-{element.get('id')}")
    for name, value in list(element.attrib.items()):
        if name.endswith("href") and value.startswith("#"):
            element.set(name, f"#{prefix}-{value[1:]}")
        elif "url(#" in value:
            element.set(name, value.replace("url(#", f"url(#{prefix}-"))


def _shorten(text: str) -> str:
    for sentinel, name in _VARIABLES.items():
        text = text.replace(sentinel, f"var(--chart-{name})")
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    # Only in tags: between them are numbers that people read.
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\d+\.\d{2})\d+", r"\1", tag[0]), text)
    text = re.sub(r">\s+<", "><", text).replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    text = text.replace("xlink:href", "href")
    # Ids that nothing refers to only make the page heavier.
    for found in set(re.findall(r' id="([^"]+)"', text)):
        if f"#{found}" not in text and not found.endswith(("-title", "-desc")):
            text = text.replace(f' id="{found}"', "")
    return re.sub(r"\s*\n\s*", " ", text)
