"""The source article's own figures, and which of them hold here."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal

from markupsafe import Markup

from poolwise.experiment import Experiment
from poolwise.statistics import Estimate
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.samples import estimate_ratio
from scripts.site.judge.spreads import take_sample
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.estimates import format_ratio, make_point
from scripts.site.render.html import (
    Row,
    join,
    link_program,
    mark_code,
    prose,
    slug,
    small,
    strong,
    table,
)
from scripts.site.render.names import link_title
from scripts.site.render.plot import fold, show_note
from scripts.site.render.words import Words

Original = Mapping[str, str]
"""A row by column; a cell is empty where the article says nothing."""
LEADING = ("program", "machine", "cores", "os", "python")
"""Columns that tell of a program and a machine; the others have figures."""
TRIALS = "trials_s"
"""A column with several figures in a cell, with spaces between them."""
REMARK = "remark_"
"""A column with what the author says of a program, by the language that its name ends in."""
TIMES = ("wall_s", "inside_s")
"""Columns with the time of a program, of which there is one: of the process, or what it printed."""
_FIGURE = re.compile(r"~?[0-9]{1,9}(?:[.,][0-9]{1,9})?%?|[0-9]{1,3}(?:\s[0-9]{3}){1,2}")
MOST_OPEN = 2
"""The most tables of an article's figures that anybody reads one after another."""


def show_originals(evidence: Evidence, words: Words) -> Markup:
    """A table per machine of the article, and what of its figures is derived."""
    experiment = evidence.experiment
    machines = groupby(experiment.originals, key=lambda row: row["machine"])
    tables = [_show_machine(name, list(rows), experiment, words) for name, rows in machines]
    notes = mark_code(" ".join(map(words.choose, experiment.derived.values())))
    derived = show_note(words.markup("original_derived", notes=notes)) if notes else Markup()
    return (join(tables) if len(tables) <= MOST_OPEN else fold(join(tables), words)) + derived


def _show_machine(
    machine: str, rows: Sequence[Original], experiment: Experiment, words: Words
) -> Markup:
    first = rows[0]
    python = f"Python {first['python']}" if first.get("python") else ""
    facts = (_name_machine(first, words), first.get("os", ""), python)
    caption = f"{words.text('original_caption')}: {', '.join(filter(None, facts))}"
    remark = REMARK + words.language
    columns, head = [], [words.text("program")]
    for key in first:
        is_here = key == remark or not key.startswith(REMARK)
        if is_here and key not in LEADING and any(row[key] for row in rows):
            columns.append(key)
            head.append(words.term("original", "remark" if key == remark else key))
    lines = []
    for row in rows:
        figures = (_format_figure(key, row[key], words) for key in columns)
        lines.append((link_program(row["program"].removesuffix(".py")), *figures))
    source = words.term("source", experiment.source)
    caption = Markup("{} (<cite>{}</cite>)").format(caption, source)
    figures_table = table(words, caption, head, lines, kind="originals")
    return Markup('<section id="originals-{}">{}</section>').format(slug(machine), figures_table)


def _name_machine(row: Original, words: Words) -> str:
    name = words.term_if_known("original_machine", row["machine"])
    return f"{name}, {words.count('cores_nominative', int(row['cores']))}"


def _format_figure(name: str, printed: str, words: Words) -> str:
    if name == "mark":
        return prose(printed and words.term("mark", printed))
    if name.startswith(REMARK):
        return prose(words.text("quoted", phrase=printed) if printed else "")
    figures = printed.split() if name == TRIALS else [printed]
    return "; ".join(_format_number(figure, words) for figure in figures) or "—"


def _format_number(printed: str, words: Words) -> str:
    """A figure as the language writes it, as precise as it was printed."""
    value = read_figure(printed)
    if value is None:
        return printed or "—"
    about = "~" if printed.startswith("~") else ""
    return about + words.number(value, len(printed.partition(".")[2]))


# What holds here of what the article says.

Outcome = Literal["gain", "tie", "loss", "open"]
SIGNS = {"agrees": "=", "differs": "≠", "open": "?"}


def show_agreement(evidence: Evidence, words: Words) -> Markup:
    """Show per program and core count the article's gain, ours, and whether they say the same.

    Each is a ratio to the baseline of its own family on its own machine; of the article's
    machines, the one whose core count is closest. A program's first family is the article's, and ours
    is the time that it gives: of the process, or of the work inside.
    """
    first = {program.name: program.families[0] for program in evidence.experiment.programs}
    ours = Rows(row for row in evidence.rows if row.family == first[row.program])
    arenas = ours.largest().first_python(evidence.interpreters).arenas()
    return join(_show_arena(evidence, arena, words) for arena in arenas)


def _show_arena(evidence: Evidence, arena: Sequence[Judgement], words: Words) -> Markup:
    cores = arena[0].cores
    machine = find_closest(evidence.experiment.originals, cores)
    theirs = {row["program"].removesuffix(".py"): row for row in machine}
    sides = _name_machine(machine[0], words), words.count("cores_nominative", cores)
    caption = f"{words.text('agreement_caption')}. {' — '.join(sides)}"
    rows: list[Row] = []
    outcomes = []
    for row in arena:
        if row.program not in theirs:
            continue
        name = link_title(evidence, row.program, words)
        baseline = evidence.experiment.family(row.family).baseline
        if row.program == baseline:
            rows.append((name, "×1", "×1", prose(words.text("baseline"))))
            continue
        gains = _find_gains(row, theirs[row.program], theirs.get(baseline, {}))
        outcome = _compare(*gains)
        outcomes.append(outcome)
        gains_shown = (_show_gain(gain, words) if gain else None for gain in gains)
        sign = Markup('<span class="agreement-{}"><span aria-hidden="true">{}</span> {}</span>')
        verdict = sign.format(outcome, SIGNS[outcome], words.text(outcome)) if outcome else ""
        rows.append((name, *gains_shown, prose(verdict)))
    head = words.texts("program", "article_gain", "here_gain", "agreement")
    shown_table = table(words, caption, head, rows, kind="agreement")
    if not any(outcomes):
        return shown_table
    counts = {key: words.number(outcomes.count(key), 0) for key in SIGNS}
    return shown_table + show_note(words.text("agreement_counts", **counts))


def _find_gains(
    judgement: Judgement, row: Original, plain: Mapping[str, str]
) -> tuple[Estimate | None, Estimate | None]:
    """Find the article's gain over the baseline, a single run as it stands, and ours by the same time."""
    time = next(name for name in TIMES if name in row)
    taken, base = read_figure(row[time]), read_figure(plain.get(time, ""))
    ours = None
    if judgement.baseline:  # by the time that the article gives, whatever the verdict goes by
        sides = (judgement.baseline, judgement.record)
        before, after = (take_sample(side, time, judgement.spreads) for side in sides)
        ours = estimate_ratio(before, after) if before and after else None
    return make_point(base / taken) if base and taken else None, ours


def _compare(article: Estimate | None, here: Estimate | None) -> str:
    """Tell by a key of ``SIGNS`` whether both say the same; empty where there are not both."""
    if not article or not here:
        return ""
    if not here.is_sure:
        return ""
    ours = classify(here)
    if ours == "open":
        return "open"
    return "agrees" if classify(article) == ours else "differs"


def classify(gain: Estimate) -> Outcome:
    """Classify a speed-up by its interval against the gain margin of the verdicts."""
    if gain.low >= GAIN_MARGIN:
        return "gain"
    if gain.high <= 1 / GAIN_MARGIN:
        return "loss"
    return "tie" if gain.low > 1 / GAIN_MARGIN and gain.high < GAIN_MARGIN else "open"


def _show_gain(gain: Estimate, words: Words) -> Markup:
    median, ends = format_ratio(gain, words)
    outcome = words.text(classify(gain)) if gain.is_sure else ""
    return strong(median) + small(", ".join(filter(None, (ends, outcome))))


def find_closest(originals: Sequence[Original], cores: int) -> list[Original]:
    """The rows of the article's machine whose core count is closest, by ratio, to ``cores``."""
    ratios = [max(cores, int(row["cores"])) / min(cores, int(row["cores"])) for row in originals]
    nearest = originals[ratios.index(min(ratios))]["machine"]
    return [row for row in originals if row["machine"] == nearest]


def read_figure(printed: str) -> float | None:
    """A number as an article prints it: ``29 456``, ``8%``, ``1,75``, ``~17``; ``None`` for none."""
    if not _FIGURE.fullmatch(printed):
        return None
    return float("".join(printed.split()).strip("~%").replace(",", "."))
