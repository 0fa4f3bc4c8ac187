"""The source article's own figures, and whether what they said holds here."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Literal

from markupsafe import Markup

from scripts.declare.originals import (
    LEADING,
    TRIALS,
    Original,
    find_closest,
    find_time,
    read_figure,
)
from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement, take_sample
from scripts.judge.selection import choose_interpreter, choose_largest, list_arenas
from scripts.judge.statistics import Estimate, estimate_ratio
from scripts.judge.verdicts import GAIN_MARGIN
from scripts.render.beside import Gain, draw_gains
from scripts.render.chart import fold, make_prefix, show_note
from scripts.render.estimates import format_ratio
from scripts.render.html import cell, join, link_program, row_header, slug, small, strong, table
from scripts.render.words import Words

Outcome = Literal["gain", "tie", "loss", "open"]
_CODE = re.compile("`([^`]+)`")
FOLDED = 3
"""So many tables of an article's figures nobody reads one after another."""


def show_originals(evidence: Evidence, words: Words) -> Markup:
    """A table per machine of the article, and what of its figures is derived."""
    experiment = evidence.experiment
    machines = groupby(experiment.originals, key=lambda row: row["machine"])
    shown = [_show_machine(name, list(rows), experiment.source, words) for name, rows in machines]
    notes = Markup.escape(" ".join(map(words.choose, experiment.derived.values())))
    told = Markup.escape(words.text("original_derived", notes="{}"))
    told = told.format(Markup(_CODE.sub(r"<code>\1</code>", notes)))  # noqa: S704 - escaped above
    derived = show_note(told) if notes else Markup()
    return (join(shown) if len(shown) < FOLDED else fold(join(shown), words)) + derived


def show_agreement(evidence: Evidence, words: Words) -> Markup:
    """Per program and core count: the article's gain, ours, and whether they say the same.

    Each is a ratio to the baseline of its own family on its own machine; of the article's
    machines, the one whose core count is closest. A program's first family is the article's, and ours
    is the time that it gives: of the process, or of the work inside. Of several Pythons it is the
    first: what differs by Python is told elsewhere.
    """
    originals = evidence.experiment.originals
    if not originals:
        return Markup("<p>{}</p>").format(words.text("no_originals"))
    head = words.texts("program", "article_gain", "here_gain", "agreement")
    shown = []
    first = {program.name: program.families[0] for program in evidence.experiment.programs}
    ours = [
        judgement
        for judgement in evidence.judgements
        if judgement.record.variant.family == first[judgement.record.variant.program]
    ]
    for arena in list_arenas(choose_interpreter(evidence, choose_largest(ours))):
        cores = arena[0].record.variant.cores
        machine = find_closest(originals, cores)
        theirs = {row["program"].removesuffix(".py"): row for row in machine}
        rows = [
            _compare(judgement, theirs, evidence, words)
            for judgement in arena
            if judgement.record.variant.program in theirs
        ]
        caption = (
            f"{words.text('agreement_caption')}. {name_machine(machine[0], words)} "
            f"({words.count('cores_nominative', int(machine[0]['cores']))}) — "
            f"{words.count('cores_nominative', cores)}"
        )
        numbers = table(words, caption, head, rows, kind="agreement")
        gains = _list_gains(arena, theirs, evidence)
        shown.append(_draw(gains, arena, caption, numbers, evidence, words) if gains else numbers)
    return join(shown)


def _list_gains(
    arena: Sequence[Judgement], theirs: Mapping[str, Mapping[str, str]], evidence: Evidence
) -> list[Gain]:
    """Of the programs that the article and this machine both have times of."""
    found = []
    for judgement in arena:
        name = judgement.record.variant.program
        baseline = evidence.experiment.family(judgement.record.variant.family).baseline
        if name != baseline and name in theirs:
            article, ours = _find_gains(judgement, theirs, baseline)
            found += [Gain(name, article, ours)] if article and ours else []
    return found


def _draw(
    gains: Sequence[Gain],
    arena: Sequence[Judgement],
    caption: str,
    numbers: Markup,
    evidence: Evidence,
    words: Words,
) -> Markup:
    variant = arena[0].record.variant
    outcomes = [
        _compare_outcomes(
            classify(one.article, one.article), classify(one.here.low, one.here.high)
        )[1]
        for one in gains
    ]
    counts = {key: words.number(outcomes.count(key), 0) for key in ("agrees", "differs", "open")}
    found = words.text("found_agreement", **counts)
    name = evidence.experiment.name
    prefix = make_prefix("agreement", name, variant.cores, variant.interpreter)
    return draw_gains(gains, prefix, caption, found, numbers, words)


def classify(low: float, high: float) -> Outcome:
    """What a speed-up amounts to, by its interval against the gain margin of the verdicts."""
    if low >= GAIN_MARGIN:
        return "gain"
    if high <= 1 / GAIN_MARGIN:
        return "loss"
    return "tie" if low > 1 / GAIN_MARGIN and high < GAIN_MARGIN else "open"


def _show_machine(machine: str, rows: Sequence[Original], source: str, words: Words) -> Markup:
    columns = [name for name in rows[0] if name not in LEADING and any(row[name] for row in rows)]
    head = [words.text("program")]
    head += [words.term("original", name) for name in columns]
    lines = [
        row_header(link_program(row["program"].removesuffix(".py")))
        + join(format_figure(name, row[name], words) for name in columns)
        for row in rows
    ]
    first = rows[0]
    facts = [
        name_machine(first, words),
        words.count("cores_nominative", int(first["cores"])),
        first.get("os", ""),
        f"Python {first['python']}" if first.get("python") else "",
    ]
    caption = Markup("{}: {} (<cite>{}</cite>)").format(
        words.text("original_caption"), ", ".join(filter(None, facts)), words.term("source", source)
    )
    shown = table(words, caption, head, lines, kind="originals")
    return Markup('<section id="originals-{}">{}</section>').format(slug(machine), shown)


def name_machine(row: Original, words: Words) -> str:
    """What the article calls its machine; a name that is a word is said in the language."""
    return words.term_if_known("original_machine", row["machine"])


def format_figure(name: str, printed: str, words: Words) -> Markup:
    """A cell with a figure as the article printed it, or with its mark."""
    if name == "mark":
        return cell(printed and words.term("mark", printed), kind="prose")
    figures = printed.split() if name == TRIALS else [printed]
    return cell("; ".join(_format_number(figure, words) for figure in figures) or "—")


def _format_number(printed: str, words: Words) -> str:
    """A figure as the language writes it, as precise as it was printed."""
    value = read_figure(printed)
    if value is None:
        return printed or "—"
    about = "~" * printed.startswith("~")
    return about + words.number(value, len(printed.partition(".")[2]))


def _compare(
    judgement: Judgement,
    theirs: Mapping[str, Mapping[str, str]],
    evidence: Evidence,
    words: Words,
) -> Markup:
    variant = judgement.record.variant
    baseline = evidence.experiment.family(variant.family).baseline
    header = row_header(link_program(variant.program))
    if variant.program == baseline:
        mark = words.text("baseline")
        return header + cell(words.ratio(1)) * 2 + cell(mark, kind="prose")
    article, ours = _find_gains(judgement, theirs, baseline)
    article_said = classify(article, article) if article else None
    here_says = classify(ours.low, ours.high) if ours else None
    agreement = Markup()
    if article_said and here_says:
        icon, key = _compare_outcomes(article_said, here_says)
        agreement = Markup(
            '<span class="agreement-{}"><span aria-hidden="true">{}</span> {}</span>'
        ).format(key, icon, words.text(key))
    return (
        header
        + cell(_show_outcome(words.ratio(article) if article else "", article_said, words))
        + cell(_show_outcome(format_ratio(ours, words)[0] if ours else "", here_says, words))
        + cell(agreement, kind="prose")
    )


def _find_gains(
    judgement: Judgement, theirs: Mapping[str, Mapping[str, str]], baseline: str
) -> tuple[float | None, Estimate | None]:
    """That of the article, and ours by the same time."""
    own = theirs[judgement.record.variant.program]
    time = find_time(own)
    taken = read_figure(own[time])
    base = read_figure(theirs[baseline][time]) if baseline in theirs else None
    return base / taken if base and taken else None, _find_speedup(judgement, time)


def _find_speedup(judgement: Judgement, time: str) -> Estimate | None:
    """By the time that the article gives, whatever the verdict goes by."""
    if judgement.baseline is None:
        return None
    sides = (judgement.baseline, judgement.record)
    plain, own = (take_sample(one, time, judgement.spreads) for one in sides)
    return estimate_ratio(plain, own) if plain and own else None


def _compare_outcomes(article: Outcome, here: Outcome) -> tuple[str, str]:
    """An icon and a word; a single run of the article counts as it stands, ours by interval."""
    if here == "open":
        return "?", "open"
    return ("=", "agrees") if article == here else ("≠", "differs")


def _show_outcome(ratio: str, outcome: Outcome | None, words: Words) -> str:
    if outcome is None:
        return "—"
    return strong(ratio) + small(words.text(outcome))
