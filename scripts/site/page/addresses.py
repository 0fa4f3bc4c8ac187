"""Addresses that have moved: the site leads on from them, from pages and from places in pages."""

import json
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from scripts.site.declare.addresses import Addresses
from scripts.site.render.html import render
from scripts.site.render.policy import add_policy
from scripts.site.render.words import Words


def show_moved(known: Addresses, page: str) -> Markup:
    """What leads on from anchors that a page had once, for the script that reads it; or nothing.

    ``page`` is its address below its language.
    """
    moved = _list_ways(known, page)
    if not moved:
        return Markup()
    texts = json.dumps(moved)  # addresses have no sign that would end the element
    return Markup('<script type="application/json" id="moved-anchors">{}</script>').format(
        Markup(texts)  # noqa: S704
    )


def write_moved(known: Addresses, folder: Path, words: Words) -> None:
    """A page wherever one was once in the ``folder`` of a language: it leads on, with its anchors."""
    for page in known.moved:
        if "#" in page:
            continue
        target = folder / page / "index.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        moved = _list_ways(known, page)
        text = add_policy(render("moved.html", words=words, address=moved[""], moved=moved))
        target.write_text(text, encoding="utf-8")


def _list_ways(known: Addresses, page: str) -> Mapping[str, str]:
    up = "../" * page.count("/")
    return {anchor: up + new for anchor, new in known.list_moved(page).items()}
