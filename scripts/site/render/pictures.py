"""Pictures: a figure of a page as one picture that stands alone, as SVG and as PNG.

It is made of the figure's HTML, so that it shows what the page shows: title, legend, drawing, the names
of lanes; and below them where its numbers come from.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

import matplotlib as mpl
from markupsafe import Markup
from PIL import Image, ImageColor, ImageFont

from scripts.site.render.html import drop_tags
from scripts.site.render.svg import read_colours

MARGIN, PICTURE = 16, 680  # pixels; a wide chart is as wide as the picture
NAMES = 92  # of the names of lanes, at the left of the picture
TITLE, TEXT, SMALL = 15, 11, 10  # of letters
GAP = 10
LARGEST = 1.6  # how many times a narrow picture may be as large as in the page
LANE, FIRST_LANE = 17, 42  # the heights of lanes, of which the first shows how many ran at once
KEY, SHADE = 22, 9  # the widths of a sign of a legend, and of the sign of a core in it
PNG_WIDTH = 1200
FONT = "DejaVu Sans"
STRENGTHS = (1, 0.5, 0.2)  # of a colour in a PNG: whole, at the edges of letters, as a tint
SQUARE = '<path d="M-4.5-4.5h9v9h-9z"/>'
_LINE = '<path d="M-11 0h22" stroke="currentColor" stroke-width="{}" stroke-dasharray="{}"/>'
_BAR = '<path d="M-11-4.5h22v9h-22z" {}/>'
LEGEND_SIGNS = {
    "dash-1": _LINE.format(2, "none"),
    "dash-2": _LINE.format(2, "8 3"),
    "dash-3": _LINE.format(2, "2 2"),
    "dash-4": _LINE.format(2, "8 2 2 2"),
    "key-circle": '<circle r="4.5"/>',
    "key-square": SQUARE,
    "key-swatch": SQUARE,
    "key-diamond": '<path d="M0-5.4L5.4 0 0 5.4-5.4 0z"/>',
    "key-up": '<path d="M-4.5 4.5h9L0-4.5z"/>',
    "key-down": '<path d="M-4.5-4.5h9L0 4.5z"/>',
    "key-hollow": '<circle r="3.5" fill="none" stroke="currentColor" stroke-width="2"/>',
    "key-outline": '<path d="M-9-3.5h18v7h-18z" fill="none" stroke="currentColor"/>',
    "key-level": _LINE.format(2, "4 2"),
    "key-band": '<path d="M-11-4.5h22v9h-22z" opacity=".3"/>',
    "key-waits": _LINE.format(3, "none").replace("currentColor", "var(--chart-ink)"),
    "key-sleeps": _LINE.format(1, "none"),
    "scene-route": '<path d="M0-8v16" stroke="var(--chart-ink)"/>',
    "scene-runs": _BAR.format('fill="currentColor"'),
    "scene-holds": _BAR.format('fill="currentColor" fill-opacity=".2" stroke="currentColor"'),
    "scene-ready": _BAR.format('fill="none" stroke="var(--chart-muted)" stroke-dasharray="3 2"'),
    "scene-locked": _BAR.format('fill="none" stroke="var(--chart-ink)" stroke-dasharray="1.5 2.5"'),
    "scene-waits": _LINE.format(2, "none").replace("currentColor", "var(--chart-muted)"),
    "key-start": '<path d="M-11-4.5h22v9h-22z" opacity=".16" style="fill:var(--chart-muted)"/>',
}
LEGEND_SIGNS["scene-writes"] = LEGEND_SIGNS["scene-runs"]
LEGEND_SIGNS["scene-reads"] = LEGEND_SIGNS["scene-holds"]
LEGEND_SIGNS["scene-sleeps"] = LEGEND_SIGNS["scene-waits"]
LEGEND_SIGNS["scene-paused"] = LEGEND_SIGNS["scene-ready"]
LEGEND_SIGNS["scene-value"] = _BAR.format('fill="var(--chart-grid)" stroke="var(--chart-muted)"')
LEGEND_SIGNS["scene-held"] = LEGEND_SIGNS["scene-value"]
"""The signs of legends around their middle, by their classes in the page."""
OPACITIES = {"c1": 1, "c2": 0.62, "c3": 0.8, "c4": 0.45}
RULES = (
    "text{stroke:var(--chart-paper);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}"
    "text.plain{stroke:none}"
    ".g,.l,.s,.w,.c1,.c2,.c3,.c4{fill:none}.g{stroke:var(--chart-grid)}"
    ".l,.s{stroke:var(--chart-muted)}.l{stroke-dasharray:3 2}.h{fill:none}"
    ".u{fill:var(--chart-muted);opacity:.16}.a{fill:var(--chart-muted);opacity:.45}"
    ".w{stroke:var(--chart-ink);stroke-width:3}"
    ".c1,.c2,.c3,.c4{stroke:currentColor;stroke-width:10}"
    + "".join(f".{name}{{opacity:{opacity}}}" for name, opacity in OPACITIES.items())
    + ".key-muted{color:var(--chart-muted)}"
    + "".join(f".series-{number}{{color:var(--chart-series-{number})}}" for number in range(1, 8))
)
_PART = re.compile(
    r'<figcaption>(?P<title>.*?)</figcaption>|<ul class="chart-legend">(?P<legend>.*?)</ul>'
    r'|<p class="(?:chart-run|chart-note|timeline-run)">(?P<text>.*?)</p>'
    r'|<div class="timeline-names"[^>]*>(?P<names>.*?)</div>'
    r"|<svg (?P<head>[^>]*)>(?P<drawn>.*?)</svg>",
    re.DOTALL,
)
_ENTRY = re.compile("<li>(.*?)</li>", re.DOTALL)
_SPAN = re.compile("<span[^>]*>(.*?)</span>", re.DOTALL)
_TICK = re.compile(r'<text x="([\d.]+)%"[^>]*>(.*?)</text>')
_SPOKEN = re.compile(r"\s*(?:<(title|desc)[^>]*>.*?</\1>)+", re.DOTALL)
_VARIABLE = re.compile(r"var\(--chart-([\w-]+)\)")


@cache
def load_font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which matplotlib brings: on every machine the same picture."""
    return ImageFont.truetype(_locate_font("-Bold" if bold else ""), size)


def _locate_font(kind: str) -> Path:
    return Path(mpl.get_data_path()) / "fonts" / "ttf" / f"DejaVuSans{kind}.ttf"


def wrap(text: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    """Lines of whole words, each no wider than there is room."""
    lines = [""]
    for word in text.split(" "):  # a number keeps its unit
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def make_picture(figure: str, measured: str) -> str:
    """Make one SVG of a figure's HTML, in the colours that a viewer prefers, with a line below it.

    Empty if the figure has no drawing.
    """
    sheet, title, names, has_drawing = _Sheet(), "", "", False
    for part in _PART.finditer(figure.partition("<details")[0]):
        if part["title"] is not None:
            title = _read(part["title"])
            sheet.write(title, TITLE, is_bold=True)
        elif part["text"] is not None:
            sheet.bottom += GAP if names else 0  # between one timeline and the next
            sheet.write(_read(part["text"]), TEXT, "muted")
        elif part["legend"] is not None:
            sheet.list_signs(_ENTRY.findall(part["legend"]))
        elif part["names"] is not None:
            names = part["names"]
        elif "timeline-axis" in part["head"]:
            sheet.name_moments(_TICK.findall(part["drawn"]))
        elif 'class="narrow"' not in part["head"]:
            sheet.place(part["head"], part["drawn"], _SPAN.findall(names))
            has_drawing = True
    sheet.write(measured, SMALL, "muted")
    return sheet.finish(title) if has_drawing else ""


def make_png(picture: str) -> bytes:
    """Draw a picture as PNG, in the light colours and with few of them."""
    from resvg_py import svg_to_bytes

    light = read_colours()[0]
    text = _VARIABLE.sub(lambda name: light[name[1]], picture)
    fonts = [str(_locate_font(kind)) for kind in ("", "-Bold", "Mono")]
    drawn = svg_to_bytes(
        text,
        width=PNG_WIDTH,
        skip_system_fonts=True,
        font_files=fonts,
        font_family=FONT,
        sans_serif_family=FONT,
    )
    image = Image.open(io.BytesIO(drawn)).convert("RGB")
    file = io.BytesIO()
    few = image.quantize(palette=_make_palette(), dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def _make_palette() -> Image.Image:
    """The colours of charts, each in a few strengths on paper: some 20 take a third of the room of all."""
    light = {name: ImageColor.getrgb(colour) for name, colour in read_colours()[0].items()}
    paper = light.pop("paper")
    palette = [*paper]
    for colour, strength in product(light.values(), STRENGTHS):
        palette += [
            round(under + (over - under) * strength)
            for under, over in zip(paper, colour, strict=False)
        ]
    image = Image.new("P", (1, 1))
    image.putpalette(palette)
    return image


def _read(content: str) -> str:
    """The text of some HTML without the sign that links to it."""
    return " ".join(drop_tags(content.partition('<a class="claim-anchor"')[0]).split("\n")).strip()


@dataclass(slots=True)
class _Sheet:
    """A picture in the making, from its top to its bottom."""

    bottom: float = MARGIN
    items: list[str] = field(default_factory=list)

    def write(self, text: str, size: int, colour: str = "ink", *, is_bold: bool = False) -> None:
        """Write a text in as many lines as it takes."""
        for line in wrap(text, load_font(size, bold=is_bold), PICTURE) if text else ():
            self.bottom += size * 1.35
            self._put(line, MARGIN, self.bottom - size * 0.35, size, colour, is_bold=is_bold)
        self.bottom += size * 0.5

    def list_signs(self, entries: Sequence[str]) -> None:
        """List the signs of a legend side by side, in as many lines as it takes."""
        left: float = MARGIN
        self.bottom += TEXT * 1.6
        for entry in entries:
            text = drop_tags(entry)
            width = KEY + 6 + load_font(TEXT).getlength(text)
            if left > MARGIN and left + width > MARGIN + PICTURE:
                left, self.bottom = MARGIN, self.bottom + TEXT * 1.6
            self.items.append(_draw_sign(entry, left, self.bottom - TEXT * 0.7))
            self._put(text, left + KEY + 6, self.bottom - TEXT * 0.35, TEXT)
            left += width + 18
        self.bottom += TEXT * 0.7

    def place(self, head: str, drawn: str, names: Sequence[str]) -> None:
        """Place a drawing: as it is, or the lanes of a timeline at the right of their names."""
        _, _, width, height = map(float, head.partition('viewBox="')[2].partition('"')[0].split())
        drawn = drawn[len(match[0]) :] if (match := _SPOKEN.match(drawn)) else drawn
        kind = head.partition('class="')[2].partition('"')[0]
        if "preserveAspectRatio" not in head:
            scale = min(LARGEST, PICTURE / width)
            place = f"translate({MARGIN} {self.bottom:g}) scale({scale:.4g})"
            self.items.append(f'<g class="{kind}" transform="{place}">{drawn}</g>')
            self.bottom += height * scale
            return
        for number, name in enumerate(names):
            middle = FIRST_LANE + LANE * (number - 0.5) if number else LANE
            y, colour = self.bottom + middle + SMALL * 0.35, "ink" if number else "muted"
            self._put(drop_tags(name), MARGIN + NAMES - 8, y, SMALL, colour, at="end")
        box = f'x="{MARGIN + NAMES}" y="{self.bottom:g}" width="{PICTURE - NAMES}"'
        box += f' height="{height:g}" viewBox="0 0 {width:g} {height:g}" preserveAspectRatio="none"'
        self.items.append(f'<svg class="{kind}" {box}>{drawn}</svg>')
        self.bottom += height

    def name_moments(self, ticks: Sequence[tuple[str, str]]) -> None:
        """Write the moments under timelines."""
        self.bottom += SMALL * 1.5
        for share, label in ticks:
            x = MARGIN + NAMES + (PICTURE - NAMES) * float(share) / 100
            at = "middle" if 1 < float(share) < 90 else "end" if float(share) > 1 else "start"
            self._put(drop_tags(label), x, self.bottom, SMALL, "muted", at=at)
        self.bottom += SMALL

    def finish(self, title: str) -> str:
        """Finish the whole picture."""
        light, dark = (
            "".join(f"--chart-{name}:{colour};" for name, colour in colours.items())
            for colours in read_colours()
        )
        style = f":root{{color-scheme:light dark;{light}}}"
        style += f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{RULES}"
        width, height = PICTURE + 2 * MARGIN, round(self.bottom + MARGIN / 2)
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
            f'font-family="system-ui, sans-serif"><title>{Markup.escape(title)}</title>'
            f'<style>{style}</style><rect width="100%" height="100%" fill="var(--chart-paper)"/>'
            f"{''.join(self.items)}</svg>\n"
        )

    def _put(
        self,
        text: str,
        x: float,
        y: float,
        size: int,
        colour: str = "ink",
        *,
        is_bold: bool = False,
        at: str = "start",
    ) -> None:
        weight = ' font-weight="bold"' if is_bold else ""
        anchor = f' text-anchor="{at}"' if at != "start" else ""
        place = f'x="{x:.4g}" y="{y:.5g}" font-size="{size}"{weight}{anchor}'
        fill = f'fill="var(--chart-{colour})"'
        self.items.append(f"<text {place} {fill}>{Markup.escape(text)}</text>")


def _draw_sign(entry: str, left: float, middle: float) -> str:
    """Draw the sign that an entry of a legend has in the page."""
    names = " ".join(re.findall('class="([^"]*)"', entry)).split()
    kind = next((name for name in names if name.startswith("series-")), "key-muted")
    drawn = "".join(LEGEND_SIGNS.get(name, "") for name in names)
    for number, name in enumerate(name for name in names if name in OPACITIES):
        drawn += f'<path class="{name}" d="M{10 * number - 10} 0h{SHADE}"/>'
    place = f"translate({left + KEY / 2:g} {middle:g})"
    return f'<g class="{kind}" fill="currentColor" transform="{place}">{drawn or SQUARE}</g>'
