"""The source article's own figures."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from markupsafe import Markup

from scripts.harness.experiment import Experiment
from scripts.site.declare.originals import LEADING, TRIALS, Original, read_figure
from scripts.site.judge.judge import Evidence
from scripts.site.render.html import join, link_program, prose, slug, small, table
from scripts.site.render.plot import fold, show_note
from scripts.site.render.words import Words

_CODE = re.compile("`([^`]+)`")
MOST_OPEN = 2
"""The most tables of an article's figures that anybody reads one after another."""


def show_originals(evidence: Evidence, words: Words) -> Markup:
    """A table per machine of the article, and what of its figures is derived."""
    experiment = evidence.experiment
    machines = groupby(experiment.originals, key=lambda row: row["machine"])
    shown = [_show_machine(name, list(rows), experiment, words) for name, rows in machines]
    # No Markup while it is searched: Python 3.11 escapes a group that it fills in.
    notes = str(Markup.escape(" ".join(map(words.choose, experiment.derived.values()))))
    told = Markup.escape(words.text("original_derived", notes="{}"))
    told = told.format(Markup(_CODE.sub(r"<code>\1</code>", notes)))  # noqa: S704 - escaped above
    derived = show_note(told) if notes else Markup()
    return (join(shown) if len(shown) <= MOST_OPEN else fold(join(shown), words)) + derived


def show_said(experiment: Experiment, words: Words, program: str) -> Markup:
    """An article's figures and mark for a program, a row for each of its machines, with its name."""
    found = [row for row in experiment.originals if name_program(row) == program]

    def name(row: Original) -> Markup:
        return Markup.escape(name_machine(row, words)) + small(count_cores(row, words))

    return _show_figures(found, "machine", name, words.text("original_caption"), experiment, words)


def _show_machine(
    machine: str, rows: Sequence[Original], experiment: Experiment, words: Words
) -> Markup:
    first = rows[0]
    python = f"Python {first['python']}" if first.get("python") else ""
    facts = (name_machine(first, words), count_cores(first, words), first.get("os", ""), python)
    caption = f"{words.text('original_caption')}: {', '.join(filter(None, facts))}"
    shown = _show_figures(
        rows, "program", lambda row: link_program(name_program(row)), caption, experiment, words
    )
    return Markup('<section id="originals-{}">{}</section>').format(slug(machine), shown)


def _show_figures(
    rows: Sequence[Original],
    corner: str,
    name: Callable[[Original], Markup],
    caption: str,
    experiment: Experiment,
    words: Words,
) -> Markup:
    """A row with a name for each original, a column for each figure that any of them has."""
    columns = [key for key in rows[0] if key not in LEADING and any(row[key] for row in rows)]
    head = [words.text(corner), *(words.term("original", key) for key in columns)]
    lines = [
        (name(row), *(_format_figure(key, row[key], words) for key in columns)) for row in rows
    ]
    source = words.term("source", experiment.source)
    caption = Markup("{} (<cite>{}</cite>)").format(caption, source)
    return table(words, caption, head, lines, kind="originals")


def name_machine(row: Original, words: Words) -> str:
    """Name a machine as its article does; a name that is a word is said in the language."""
    return words.term_if_known("original_machine", row["machine"])


def name_program(row: Original) -> str:
    """Name the program of a row as it is called here."""
    return row["program"].removesuffix(".py")


def has_program(rows: Iterable[Original], name: str) -> bool:
    """Return whether an article has anything of a program."""
    return any(name_program(row) == name for row in rows)


def count_cores(row: Original, words: Words) -> str:
    """Count the cores of the article's machine."""
    return words.count("cores_nominative", int(row["cores"]))


def _format_figure(name: str, printed: str, words: Words) -> str:
    """A figure as the article printed it, or its mark."""
    if name == "mark":
        return prose(printed and words.term("mark", printed))
    figures = printed.split() if name == TRIALS else [printed]
    return "; ".join(_format_number(figure, words) for figure in figures) or "—"


def _format_number(printed: str, words: Words) -> str:
    """A figure as the language writes it, as precise as it was printed."""
    value = read_figure(printed)
    if value is None:
        return printed or "—"
    about = "~" * printed.startswith("~")
    return about + words.number(value, len(printed.partition(".")[2]))
