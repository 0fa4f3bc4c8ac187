"""Mine: a page of one's own with what ``make mine`` measured, while its file is there."""

import json
import os
from collections.abc import Iterator

import msgspec
from markupsafe import Markup

from scripts.harness.comparison import Row as Result
from scripts.harness.mine import FILE
from scripts.harness.paths import ROOT
from scripts.harness.statistics import Estimate
from scripts.site.page.frame import choose_words
from scripts.site.page.sections import write_fence
from scripts.site.render.estimates import format_value, tell_ratio
from scripts.site.render.html import block, cell, join, table
from scripts.site.render.plot import Plot, Row
from scripts.site.render.words import Words

PAGE = "mine/index.md"


class Answer(msgspec.Struct):
    """The file, as far as the page shows it."""

    answer: list[str]
    rows: list[Result]
    program: str = ""


def write_mine(words: Words) -> Iterator[tuple[str, str]]:
    """Write the page: the name of its file, and its Markdown; nothing without a file.

    There is none on a runner, whose pages are published.
    """
    if (ROOT / FILE).is_file() and not os.environ.get("GITHUB_ACTIONS"):
        title, lead = words.text("mine_title"), words.text("mine_lead")
        head = f"---\ntitle: {json.dumps(title)}\ndescription: {json.dumps(lead)}\n---\n"
        yield PAGE, f"{head}\n# {title} {{#top}}\n\n{lead}\n\n{write_fence('mine', 'mine()')}"


def mine() -> Markup:
    """Show the answer, a chart, a table and the program to take."""
    words, kept = choose_words(), msgspec.json.decode((ROOT / FILE).read_bytes(), type=Answer)
    parts = [Markup("<p>{}</p>").format(line) for line in kept.answer]
    parts += [_draw(kept.rows, words), _tabulate(kept.rows, words)]
    if kept.program:
        parts.append(Markup("<pre><code>{}</code></pre>").format(kept.program))
    return block(join(parts), kind="mine")


def _draw(results: list[Result], words: Words) -> Markup:
    rows = []
    for one in results:
        ratio = one.ratio or Estimate(median=1.0, low=1.0, high=1.0)
        told = tell_ratio(ratio, words)
        row = Row(
            series=one.name, panel=one.name, value=ratio, told=f"{one.name}: {told}", label=told
        )
        rows.append(row)
    title = words.text("mine_chart")
    return Plot(prefix="chart-mine", title=title, rows=rows, words=words, axes=(title, "")).show()


def _tabulate(results: list[Result], words: Words) -> Markup:
    heads = [words.text("program"), words.metric("inside_s"), words.metric("peak_pss_bytes")]
    rows = []
    for one in results:
        memory = one.peak_pss_bytes
        size = None if memory is None else format_value(memory, "peak_pss_bytes", words)
        time = format_value(one.time_s, "inside_s", words)
        rows.append([cell(one.name, kind="text"), cell(time), cell(size)])
    return table(words, words.text("mine_title"), heads, rows)
