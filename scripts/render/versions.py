"""Versions: one program against its family's baseline on every interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from scripts.judge.judgement import Estimate, Judgement
from scripts.judge.statistics import estimate_ratio
from scripts.measure.interpreters import Interpreter
from scripts.pipeline import Evidence
from scripts.render.drawing import (
    LETTER_PT,
    WIDTH_PT,
    Pen,
    add_panel,
    draw_dot,
    dress,
    frame,
    make_prefix,
    name_family,
    select_judgements,
    show_estimate,
    show_nothing,
    write,
)
from scripts.render.html import body, cell, column, program_anchor, row_header, table
from scripts.render.svg import MUTED, STYLE, write_svg
from scripts.render.words import Words

ROW_PT, TOP_PT, BOTTOM_PT, RIGHT_PT, GAP_PT = 26, 4, 40, 10, 10


@dataclass(frozen=True, slots=True)
class _Row:
    """One interpreter; ``ratio`` is ``None`` where the program or its baseline has no time."""

    interpreter: Interpreter
    program: Judgement | None
    baseline: Judgement | None
    ratio: Estimate | None


def draw_versions(evidence: Evidence, words: Words, family: str, program: str) -> str:
    """The time inside a program divided by that inside the baseline, on each interpreter.

    Both at the same number of tasks on the same cores: of those measured, the most.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        family: its name.
        program: the one to show.

    Raises:
        ValueError: the family has no such program.
    """
    select_judgements(evidence, family, (program,))
    baseline = evidence.experiment.family(family).baseline
    rows = [
        _compare(evidence, interpreter, family, program)
        for interpreter in sorted(evidence.interpreters, key=lambda one: (one.minor, one.id))
    ]
    ratios = {row.interpreter.name: row.ratio for row in rows if row.ratio}
    if not ratios:
        return show_nothing(words)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    left_pt = max(map(len, ratios)) * LETTER_PT * 1.15 + 2 * GAP_PT
    height_pt = ROW_PT * len(ratios) + TOP_PT + BOTTOM_PT
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_PT / 72, height_pt / 72))
        width_pt = WIDTH_PT - left_pt - RIGHT_PT
        axes = add_panel(figure, left_pt, TOP_PT, width_pt, ROW_PT * len(ratios))
        for row, (name, ratio) in enumerate(ratios.items()):
            y_pt = ROW_PT * (row + 0.5)
            key = f"v{row}"
            middle, ends = _show_ratio(ratio, words)
            tooltips[key] = f"{program}, {name}: {middle} ({ends})"
            draw_dot(axes, ratio, y_pt, Pen(0), key, middle, start=1)
            where = ("axes fraction", "data")
            write(axes, name, (0, y_pt), (-GAP_PT, 0), xycoords=where, ha="right", va="center")
        axes.axvline(1, color=MUTED, linewidth=1)
        axes.set_xlim(0, max(1, *(ratio.high for ratio in ratios.values())) * 1.2)
        axes.set_ylim(ROW_PT * len(ratios), 0)
        dress(axes, words.text("axis_versions", baseline=baseline))
        axes.yaxis.set_visible(False)
        axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
        names = {"program": program, "family": name_family(evidence, family, words)}
        shown = next(row.program for row in rows if row.ratio)
        assert shown
        variant = shown.record.variant
        title = words.text("versions_title", **names, cores=words.count("cores", variant.cores))
        prefix = make_prefix("versions", evidence.experiment.name, family, program_anchor(program))
        description = words.text("versions_desc", baseline=baseline)
        svg = write_svg(figure, prefix, title, description, tooltips)
    caption = words.text(
        "versions_table",
        cores=words.count("cores", variant.cores),
        tasks=words.count("tasks", variant.tasks),
    )
    numbers = _show_table(rows, program, baseline, caption, words)
    return frame(svg, title, "", prefix, below=numbers)


def _compare(evidence: Evidence, interpreter: Interpreter, family: str, program: str) -> _Row:
    """A program and its baseline on an interpreter, in the largest cells that are comparable."""

    def find(name: str) -> list[Judgement]:
        return [
            one
            for one in evidence.judgements
            if one.record.variant.interpreter == interpreter.id
            and one.record.variant.family == family
            and one.record.variant.program == name
        ]

    def size(judgement: Judgement) -> tuple[int, int, int]:
        variant = judgement.record.variant
        return variant.cores, variant.tasks, variant.workers

    programs, baselines = find(program), find(evidence.experiment.family(family).baseline)
    pairs = [
        (one, other)
        for one in programs
        for other in baselines
        if one.inside_s and other.inside_s and size(one)[:2] == size(other)[:2]
    ]
    if not pairs:
        one, other = (max(found, key=size, default=None) for found in (programs, baselines))
        return _Row(interpreter, one, other, None)
    best, plain = max(pairs, key=lambda pair: (size(pair[0]), size(pair[1])))
    return _Row(interpreter, best, plain, estimate_ratio(_list_times(best), _list_times(plain)))


def _list_times(judgement: Judgement) -> list[float]:
    return [trial.inside_s for trial in judgement.record.timed if trial.inside_s is not None]


def _show_ratio(ratio: Estimate, words: Words) -> tuple[str, str]:
    ends = f"{words.number(ratio.low, 2)}–{words.number(ratio.high, 2)}"
    return words.ratio(ratio.median), ends


def _show_table(
    rows: Sequence[_Row], program: str, baseline: str, caption: str, words: Words
) -> str:
    def show(judgement: Judgement | None) -> str:
        if judgement is None:
            return cell("—")
        if judgement.inside_s is None:
            return cell(escape(words.term("status", judgement.record.status)))
        median, interval = show_estimate(judgement.inside_s, "inside_s", words)
        return cell(f"{median}<small>{interval}</small>")

    def show_ratio(ratio: Estimate | None) -> str:
        if ratio is None:
            return cell("—")
        middle, ends = _show_ratio(ratio, words)
        return cell(f"<strong>{middle}</strong><small>{ends}</small>")

    shown = [
        row_header(escape(row.interpreter.name))
        + show(row.program)
        + show(row.baseline)
        + show_ratio(row.ratio)
        for row in rows
        if row.program
    ]
    heads = (words.text("interpreter"), program, baseline, words.text("versions_ratio"))
    return table(words, escape(caption), [*map(column, heads)], [body(shown)], kind="sizes")
