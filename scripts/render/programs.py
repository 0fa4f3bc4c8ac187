"""Programs: shown whole, to copy, download and run by hand."""

from html import escape

from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import BashLexer, PythonLexer  # type: ignore[import-untyped]

from scripts.declare.experiment import Experiment
from scripts.render.words import Words

OPEN_LINES = 40
"""A longer program is folded."""


def show_program(experiment: Experiment, words: Words, file: str, download: str) -> str:
    """A program with its file name, a link to download it, and, unless it is shared, how to run it.

    Args:
        experiment: whose program it is.
        words: of the page's language.
        file: its file name.
        download: address of the file, relative to the page.
    """
    source = (experiment.folder / file).read_text(encoding="utf-8")
    code = highlight(source, PythonLexer(), HtmlFormatter(cssclass="highlight", wrapcode=True))
    path = f"examples/{experiment.name}/{file}"
    head = (
        f'<div class="program-head"><code>{escape(path)}</code>'
        f'<a href="{escape(download)}" download="{escape(file)}">{words.text("download")}</a></div>'
    )
    if source.count("\n") > OPEN_LINES:
        code = f"<details><summary><code>{escape(file)}</code></summary>{code}</details>"
    commands = "" if file in experiment.shared else _show_commands(experiment, words, file, path)
    return f'<div class="program">{head}{code}{commands}</div>'


def _show_commands(experiment: Experiment, words: Words, file: str, path: str) -> str:
    lines = [f"python {path}"]
    places = [words.text("run_alone")]
    if experiment.asks_server(experiment.program(file.removesuffix(".py"))):
        lines.insert(0, "python examples/server.py")
        places = [words.text("run_server"), words.text("run_program")]
    width = max(map(len, lines))
    script = "\n".join(
        f"{line:{width}}  # {place}" for line, place in zip(lines, places, strict=True)
    )
    code = highlight(script, BashLexer(), HtmlFormatter(cssclass="highlight", wrapcode=True))
    return f'<p class="by-hand">{words.text("run_by_hand")}</p>{code}'
