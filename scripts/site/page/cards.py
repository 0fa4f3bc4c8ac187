"""Cards: a picture of each page with its title and first finding, which a link to it shows elsewhere."""

import io
import re
from functools import partial
from pathlib import Path

from PIL import Image, ImageDraw

from scripts.site.kept import keep_file
from scripts.site.render.pictures import load_font, wrap

CARD = "card.png"
"""Beside the page."""
SIZE = (1000, 525)
MARGIN, BAND = 58, 20
ROOM = SIZE[0] - 2 * MARGIN
PALETTE = bytes.fromhex("fdfcf9 8b9298 1d2327 0b5d66")
"""Paper, the shade between it and ink, ink, and the band's teal: four, so a card takes some 9 kB."""
FEWEST_INK = (64, 192)
"""From how much ink on a pixel it is the shade, and from how much it is ink."""
TITLES = ((63, 2), (50, 3), (40, 4))
"""Sizes in pixels, each for so many lines; at a third of the width all can still be read."""
FINDING, NAME = 38, 28
_FINDING = re.compile(r"^(?:- |.*\))?✔ ([^|\n]+\.(?: \([^()|\n]+\))?) *$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def write_card(folder: Path, title: str, description: str, name: str, twin: str) -> None:
    """Write a page's card into its folder.

    It has the first finding of ``twin``, the page in Markdown, or else its description; and ``name``,
    that of the site.
    """
    text, finding = description, _FINDING.search(twin)
    if finding:
        text = _LINK.sub(r"\1", finding[1]).replace("**", "").replace("`", "")
    content = (Path(__file__).read_bytes(), title, text, name)
    (folder / CARD).write_bytes(keep_file("cards", content, partial(draw, *content[1:])))


def draw(title: str, text: str, name: str) -> bytes:
    """Draw a card as PNG."""
    inked = Image.new("L", SIZE)
    pen = ImageDraw.Draw(inked)
    bottom = SIZE[1] - MARGIN
    if name != title:
        pen.text((MARGIN, bottom), name, font=load_font(NAME), fill=255, anchor="ls")
    for size, most in TITLES:
        lines = wrap(title, font := load_font(size, bold=True), ROOM)
        if len(lines) <= most:
            break
    top = MARGIN - TITLES[0][0] / 4
    for line in lines:
        top += size
        pen.text((MARGIN, top), line, font=font, fill=255, anchor="ls")
        top += size / 4
    top += size / 3
    room = int((bottom - NAME * 1.5 - top) / (FINDING * 1.3))
    lines = wrap(text, font := load_font(FINDING), ROOM)
    if len(lines) > room:
        lines[room - 1 :] = [lines[room - 1].rpartition(" ")[0] + " …"]
    for line in lines:
        top += FINDING * 1.3
        pen.text((MARGIN, top), line, font=font, fill=255, anchor="ls")
    card = inked.point([sum(ink >= fewest for fewest in FEWEST_INK) for ink in range(256)])
    ImageDraw.Draw(card).rectangle((0, 0, BAND - 1, SIZE[1]), fill=3)
    card.putpalette(PALETTE)
    file = io.BytesIO()
    card.save(file, "PNG", bits=2, optimize=True)
    return file.getvalue()
