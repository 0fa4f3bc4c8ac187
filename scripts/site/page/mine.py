"""Mine: a page of one's own with what ``make mine`` measured, while its file is there."""

import json
import os
from collections.abc import Iterator

import msgspec
from markupsafe import Markup

from poolwise.statistics import Estimate
from scripts.site.page.frame import choose_words
from scripts.site.page.sections import write_fence
from scripts.site.paths import MINE
from scripts.site.render.estimates import format_value, tell_ratio
from scripts.site.render.html import block, cell, join, table
from scripts.site.render.plot import Plot, Row
from scripts.site.render.words import Words

PAGE = "mine/index.md"


class Result(msgspec.Struct):
    """A program or a way; the fastest has no ``ratio``."""

    name: str
    time_s: float
    ratio: Estimate | None
    peak_pss_bytes: int | None


class Answer(msgspec.Struct):
    """The file, as far as the page shows it."""

    answer: list[str]
    rows: list[Result]
    program: str = ""


def write_mine(words: Words) -> Iterator[tuple[str, str]]:
    """Write the page: the name of its file, and its Markdown; nothing without a file.

    There is none on a runner, whose pages are published.
    """
    if MINE.is_file() and not os.environ.get("GITHUB_ACTIONS"):
        title, lead = words.text("mine_title"), words.text("mine_lead")
        head = f"---\ntitle: {json.dumps(title)}\ndescription: {json.dumps(lead)}\n---\n"
        yield PAGE, f"{head}\n# {title} {{#top}}\n\n{lead}\n\n{write_fence('mine', 'mine()')}"


def mine() -> Markup:
    """Show the answer, a chart, a table and the program to take."""
    words, kept = choose_words(), msgspec.json.decode(MINE.read_bytes(), type=Answer)
    dots, rows = [], []
    for one in kept.rows:
        ratio = one.ratio or Estimate(median=1.0, low=1.0, high=1.0)
        told, name, size = tell_ratio(ratio, words), one.name, one.peak_pss_bytes
        dots.append(Row(series=name, value=ratio, told=f"{name}: {told}", label=told))
        time = format_value(one.time_s, "inside_s", words)
        memory = None if size is None else format_value(size, "peak_pss_bytes", words)
        rows.append([name, cell(time), cell(memory)])
    title = words.text("mine_chart")
    heads = [words.text("program"), words.metric("inside_s"), words.metric("peak_pss_bytes")]
    parts = [Markup("<p>{}</p>").format(line) for line in kept.answer]
    parts += [
        Plot(prefix="chart-mine", title=title, rows=dots, words=words, axes=(title, "")).show(),
        table(words, words.text("mine_title"), heads, rows),
    ]
    if kept.program:
        parts.append(Markup("<pre><code>{}</code></pre>").format(kept.program))
    return block(join(parts), kind="mine")
