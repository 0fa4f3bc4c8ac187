"""Figures: what stands beside a page for each of its charts and timelines.

``ID.svg`` and ``ID.png`` are the picture, ``ID.csv`` its numbers, ``ID.json`` what is known of it, and
``ID.html`` a page of its own: to show it in a frame, or to link it where a link becomes a picture.
"""

import inspect
import json
import re
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

from scripts.site.kept import keep_file
from scripts.site.render import pictures
from scripts.site.render.figures import LICENSE, Figure, drop_notes, read_note
from scripts.site.render.html import drop_tags, render
from scripts.site.render.policy import add_policy, loosen_policy
from scripts.site.render.words import Words

FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[\w-]{1,150})"[^>]*>.*?</figure>', re.DOTALL
)
_TITLE = re.compile(r"<figcaption>(.*?)(?:<a [^>]*>#</a>)?</figcaption>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The page of figures: where it is written, its address in its language, its title.

    ``address`` is its public address, empty where none is known.
    """

    folder: Path
    url: str
    title: str
    address: str = ""


def write_figures(page: str, home: Home, words: Words) -> str:
    """Write the files of a page's figures beside it, and return the page without their notes."""
    for figure in FIGURE.finditer(page):
        noted = read_note(figure[0])
        if noted and (picture := pictures.make_picture(figure[0], noted.measured)):
            _write_files(home.folder / figure["id"], picture, noted)
            _write_page(figure["id"], read_title(figure[0]), noted, home, words)
    return drop_notes(page)


def read_title(figure: str) -> str:
    """Read the title of a figure."""
    title = _TITLE.search(figure)
    return drop_tags(title[1]).strip() if title else ""


@cache
def _list_tools() -> tuple[str, str]:
    """What makes a PNG of a picture: our code, and the version of what draws it."""
    return inspect.getsource(pictures), version("resvg-py")


def _write_files(stem: Path, picture: str, noted: Figure) -> None:
    sources = (picture, *_list_tools())
    drawn = keep_file("pictures", sources, partial(pictures.make_png, picture))
    stem.with_suffix(".png").write_bytes(drawn)
    stem.with_suffix(".svg").write_text(picture, encoding="utf-8")
    if noted.numbers:  # a picture drawn by hand has none
        stem.with_suffix(".csv").write_text(noted.numbers, encoding="utf-8", newline="")


def _write_page(id_: str, title: str, noted: Figure, home: Home, words: Words) -> None:
    """Write the page of a figure, and what is known of it."""
    kinds = ("svg", "png", "html", "csv") if noted.numbers else ("svg", "png", "html")
    known = {
        "schema": 1,
        "id": id_,
        "page": home.url,
        "language": words.language,
        "title": title,
        "claim": noted.claim or None,
        "experiment": noted.experiment,
        "families": noted.families,
        "unit": noted.unit,
        "interpreters": noted.interpreters,
        "machines": noted.machines,
        "measured_at": noted.measured_at,
        "source": f"{home.address}#{id_}",
        "license": LICENSE,
        "files": {kind: f"{id_}.{kind}" for kind in kinds},
    }
    text = json.dumps(known, ensure_ascii=False, indent=1)
    (home.folder / f"{id_}.json").write_text(f"{text}\n", encoding="utf-8")
    places = {"id": id_, "title": title, "noted": noted, "home": home}
    alone = loosen_policy(add_policy(render("figure.html", words=words, **places)))
    (home.folder / f"{id_}.html").write_text(alone, encoding="utf-8")
