"""Styles: those of the theme and ours as one file, for a phone waits for each before it shows a word."""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SHEET = "assets/all.css"
"""What the template of every page links."""

_THEME = re.compile(r"assets/stylesheets/(main|palette)\.\w+\.min\.css")


def join_styles(files: Files, config: MkDocsConfig) -> File:
    """The style sheet of every page: the theme's, then those that the configuration lists, in order.

    What it is made of goes: no page links it any more.

    Raises:
        KeyError: one of them is not there; names it.
    """
    theme = sorted(name for name in files.src_uris if _THEME.fullmatch(name))
    named = [str(name) for name in config["extra_css"]]
    config["extra_css"] = []
    parts = [files.src_uris[name] for name in (*theme, *named)]
    for part in parts:
        files.remove(part)
    return File.generated(config, SHEET, content="\n".join(one.content_string for one in parts))
