"""Absent: which runners and Pythons a build asked for and had no records of."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.records.absent import Column
from scripts.render.html import cell, code, row_header, table
from scripts.render.words import Words


def show_absent(columns: Sequence[Column], words: Words) -> Markup:
    """A row for each; nothing if there are none."""
    if not columns:
        return Markup()
    rows = [
        row_header(code(one.runner))
        + cell(one.python, kind="prose")
        + cell(code(one.part.only), kind="prose")
        for one in columns
    ]
    heads = (words.text("absent_runner"), "Python", words.text("absent_part"))
    return table(words, words.text("absent_title"), heads, rows, kind="facts")
