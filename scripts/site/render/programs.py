"""Programs: shown whole, to copy, download and run by hand; short ones; and what they print."""

import re
from datetime import datetime

from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import BashLexer, PythonLexer  # type: ignore[import-untyped]

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.snippet import Printed
from scripts.site.judge.judge import Evidence
from scripts.site.judge.selection import choose_end, select_cells, select_family
from scripts.site.render.html import code, link_program, prose, render, small, strong, table
from scripts.site.render.names import name_family
from scripts.site.render.words import Words

_FORMATTER = HtmlFormatter(cssclass="highlight", wrapcode=True)
OPEN_LINES = 40
"""A longer program is folded."""
_PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')
"""Names, operators and the like: half of a program's elements, and hardly of another colour."""


def show_program(experiment: Experiment, words: Words, file: str, download: str) -> Markup:
    """A program with a link to its experiment's archive and, unless it is shared, how to run it."""
    source = (experiment.folder / file).read_text(encoding="utf-8")
    path = f"examples/{experiment.name}/{file}"
    is_run = file not in experiment.shared
    return render(
        "program.html",
        words=words,
        path=path,
        file=file,
        download=download,
        is_folded=source.count("\n") > OPEN_LINES,
        code=_highlight(source, PythonLexer()),
        commands=_highlight(_format_commands(experiment, words, file, path), BashLexer())
        if is_run
        else "",
    )


def show_snippet(source: str, words: Words, found: Printed | Reason) -> Markup:
    """A short program and what it printed, or why it was not run."""
    code = _highlight(source, PythonLexer())
    if isinstance(found, Reason):
        reason = words.text("snippet_not_run", reason=words.reason(found))
        return render("snippet.html", code=code, told=reason, printed="")
    date = words.date(datetime.fromisoformat(found.ran_at))
    told = words.text(
        "snippet_printed" if found.text else "snippet_silent", python=found.python, date=date
    )
    return render("snippet.html", code=code, told=told, printed=found.text)


def _format_commands(experiment: Experiment, words: Words, file: str, path: str) -> str:
    lines = [f"python {path}"]
    places = [words.text("run_alone")]
    if experiment.asks_server(experiment.program(file.removesuffix(".py"))):
        lines.insert(0, "python examples/server.py")
        places = [words.text("run_server"), words.text("run_program")]
    width = max(map(len, lines))
    return "\n".join(
        f"{line:{width}}  # {place}" for line, place in zip(lines, places, strict=True)
    )


def _highlight(source: str, lexer: Lexer) -> Markup:
    shown = highlight(source, lexer, _FORMATTER)
    return Markup(_PLAIN.sub(r"\1", shown))  # noqa: S704 - Pygments escapes


def show_outputs(evidence: Evidence, words: Words, family: str) -> Markup:
    """What each program of a family printed, without its time, a row a start method."""
    rows = [
        (
            link_program(record.variant.program) + small(record.variant.start_method or ""),
            prose(code(record.printed if record.status == "ok" else words.reason(record.reason))),
        )
        for record in (one.record for one in select_family(evidence, family))
    ]
    caption = name_family(evidence, family, words)
    return table(words, caption, words.texts("program", "printed"), rows, kind="outputs")


def show_output(evidence: Evidence, words: Words, program: str) -> Markup:
    """What a program printed on the most cores, and how it ended, which may be what it shows."""
    found = choose_end(select_cells(evidence.judgements, program=program), "cores")
    record = found[0].record if found else None
    if record and record.status == "ok":
        ending = words.term("ends", evidence.experiment.program(program).ends)
        return render("output.html", words=words, ending=ending, printed=record.printed)
    obstacles = (evidence.find_obstacle(program, one.id) for one in evidence.interpreters)
    reason = record.reason if record else next(filter(None, obstacles), None)
    lead = strong(f"{words.term('status', record.status if record else 'unavailable')}.")
    return Markup("<p>{} {}</p>").format(lead, words.reason(reason))
