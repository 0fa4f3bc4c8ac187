"""Mine: a page of one's own with what ``make mine`` measured, while its file is there."""

import json
import os
from collections.abc import Iterator, Sequence

import msgspec
from markupsafe import Markup

from poolwise.statistics import Estimate
from scripts.site.page.frame import choose_words
from scripts.site.paths import MINE
from scripts.site.render.estimates import format_value, tell_ratio
from scripts.site.render.html import block, cell, join, table
from scripts.site.render.plot import Plot, Row
from scripts.site.render.words import Words

PAGE = "mine/index.md"
_FENCE = """\
```python exec="on" html="true"
from scripts.site.page import show
print(show.mine())
```
"""


class Result(msgspec.Struct):
    """A program or a way; the fastest has no ``ratio``."""

    name: str
    time_s: float
    ratio: Estimate | None
    peak_pss_bytes: int | None


class Answer(msgspec.Struct):
    """The file, as far as the page shows it; its ``answer`` begins with the verdict."""

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
        yield PAGE, f"{head}\n# {title} {{#top}}\n\n{lead}\n\n{_FENCE}"


def show_mine() -> Markup:
    """Show the verdict, what it rests on, and the program to take."""
    answer = msgspec.json.decode(MINE.read_bytes(), type=Answer)
    verdict, *notes = answer.answer
    parts = [Markup("<p><strong>{}</strong></p>").format(verdict)]
    parts += [Markup("<p>{}</p>").format(note) for note in notes]
    if answer.rows:
        parts += _show_results(answer.rows, choose_words())
    if answer.program:
        parts.append(Markup("<pre><code>{}</code></pre>").format(answer.program))
    return block(join(parts), kind="mine")


def _show_results(results: Sequence[Result], words: Words) -> list[Markup]:
    """Make a chart of the ratios to the fastest, and a table."""
    dots, rows = [], []
    for result in results:
        ratio = result.ratio or Estimate(median=1.0, low=1.0, high=1.0)
        label, name, size = tell_ratio(ratio, words), result.name, result.peak_pss_bytes
        dots.append(Row(series=name, value=ratio, tooltip=f"{name}: {label}", label=label))
        time = format_value(result.time_s, "inside_s", words)
        memory = None if size is None else format_value(size, "peak_pss_bytes", words)
        rows.append([name, cell(time), cell(memory)])
    title = words.text("mine_chart")
    heads = [words.text("program"), words.metric("inside_s"), words.metric("peak_pss_bytes")]
    return [
        Plot(prefix="chart-mine", title=title, rows=dots, words=words, axes=(title, "")).show(),
        table(words, words.text("mine_title"), heads, rows),
    ]
