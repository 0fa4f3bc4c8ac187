"""The answer: one picture of what pays, for which kind of work, on one core and on all."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from markupsafe import Markup

from scripts.declare.program import Way
from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import (
    choose_interpreter,
    find_best,
    find_kind,
    list_sizes,
    select_cells,
)
from scripts.judge.verdicts import GAIN_MARGIN
from scripts.render.chart import Chart, fold, make_prefix, show_nothing
from scripts.render.dots import MARGINS_PT, describe_dot, draw_dot, lay_rows, list_signs
from scripts.render.estimates import format_ratio
from scripts.render.headlines import count_times, tell_place
from scripts.render.html import cell, join, row_header, small, strong, table
from scripts.render.names import add_interpreter, name_family
from scripts.render.panel import LETTER_PT, Axes, Figure, add_text
from scripts.render.pen import Pen
from scripts.render.signs import ICONS
from scripts.render.svg import INK, MUTED, PAPER
from scripts.render.words import Words

HEADING_PT, STEP_PT, SPACE_PT = 26, 15, 4
"""Above a family, for each core count, and below a kind."""
KINDS_PT = 112
"""Room for the kinds, of which the longest is Russian."""
MOST_TICKS = 4
"""More would run into one another where the scale begins far below 1."""
KINDS = get_args(Way)


@dataclass(frozen=True, slots=True)
class _KindRow:
    """A kind of worker in a family, under the family's heading if it is the first of them."""

    family: str
    kind: str
    is_first: bool
    top_pt: float
    height_pt: float


def draw_answer(evidence: Evidence, words: Words, families: Sequence[str] = ()) -> Markup:
    """For each family and kind of worker, the best speed-up on one core and on all.

    Of several interpreters it shows the first that ran any program.
    """
    first = choose_interpreter(evidence, evidence.judgements)
    judged = [
        judgement
        for judgement in first
        if judgement.speedup and (not families or judgement.record.variant.family in families)
    ]
    if not judged:
        return show_nothing(words)
    counts = list_sizes(judged, "cores")[::-1]
    counts = counts[:: len(counts) - 1] if len(counts) > 1 else counts
    rows = _list_rows(evidence, judged, STEP_PT * len(counts) + SPACE_PT)
    mark = Markup('<span aria-hidden="true">{}</span>').format(ICONS["recommended"])
    return Chart(
        found=_tell_found(rows, evidence, judged, counts[0], words),
        below=fold(_show_table(rows, evidence, judged, counts, words), words),
        prefix=make_prefix("answer", evidence.experiment.name),
        title=add_interpreter(words.text("answer_title"), evidence, judged[0].record.variant),
        height_pt=rows[-1].top_pt + rows[-1].height_pt + MARGINS_PT,
        draw=partial(_draw_rows, rows, evidence, judged, counts, words),
        signs=[
            *list_signs([words.count("cores_nominative", count) for count in counts], words),
            (mark, words.term("verdict", "recommended")),
        ],
    ).show()


def _tell_found(
    rows: Sequence[_KindRow],
    evidence: Evidence,
    judgements: Sequence[Judgement],
    count: int,
    words: Words,
) -> str:
    """What gains most for sure, in which family, on the most cores."""
    sure = [
        (best.speedup.low, row, best)
        for row in rows
        if (best := find_best(evidence, judgements, row.family, row.kind, count))
        and best.speedup
        and best.speedup.is_sure
        and best.speedup.low >= GAIN_MARGIN
    ]
    if not sure:
        return ""
    low, row, best = max(sure, key=lambda one: one[0])
    found = words.text(
        "found_answer",
        family=name_family(evidence, row.family, words),
        kind=words.term("kind", row.kind),
        times=count_times(low, words),
    )
    return tell_place(found, evidence, best.record.variant, words)


def _show_table(
    rows: Sequence[_KindRow],
    evidence: Evidence,
    judgements: Sequence[Judgement],
    counts: Sequence[int],
    words: Words,
) -> Markup:
    """A row for each kind of a family: its best on each core count."""

    def show(row: _KindRow, count: int) -> Markup:
        best = find_best(evidence, judgements, row.family, row.kind, count)
        if not best or not best.speedup:
            return cell("—")
        gain, ends = format_ratio(best.speedup, words)
        return cell(strong(gain) + small(ends))

    groups: dict[str, list[Markup]] = defaultdict(list)
    for row in rows:
        groups[name_family(evidence, row.family, words)].append(
            row_header(words.term("kind", row.kind)) + join(show(row, one) for one in counts)
        )
    head = [words.text("answer_kind")]
    head += [words.count("cores_nominative", one) for one in counts]
    return table(words, words.text("answer_title"), head, groups, kind="sizes")


def _list_rows(
    evidence: Evidence, judgements: Sequence[Judgement], height_pt: float
) -> list[_KindRow]:
    """The rows of all that was judged, from top to bottom, each ``height_pt`` high."""
    rows: list[_KindRow] = []
    top_pt = 0.0
    for family in evidence.experiment.families:
        members = select_cells(judgements, family=family.name)
        present = {find_kind(evidence, judgement) for judgement in members}
        top_pt += HEADING_PT * bool(present)
        for place, kind in enumerate(kind for kind in KINDS if kind in present):
            rows.append(_KindRow(family.name, kind, place == 0, top_pt, height_pt))
            top_pt += height_pt
    return rows


def _draw_rows(
    rows: Sequence[_KindRow],
    evidence: Evidence,
    judgements: Sequence[Judgement],
    counts: Sequence[int],
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """In each row the best on each core count; their tooltips."""
    axes = lay_rows(figure, KINDS_PT, words.text("axis_speedup"))
    axes.set_xscale("log", base=2)
    for row in rows:
        _name_row(axes, row, evidence, words)
    tooltips: dict[str, str] = {}
    for place, row in enumerate(rows):
        for line, count in enumerate(counts):
            best = find_best(evidence, judgements, row.family, row.kind, count)
            if best and best.speedup:
                key = f"a{place}-{count}"
                tooltips[key] = describe_dot(best, words)
                recommended = best.verdict == "recommended"
                label = (
                    format_ratio(best.speedup, words)[0] + f" {ICONS['recommended']}" * recommended
                )
                y_pt = row.top_pt + SPACE_PT / 2 + STEP_PT * (line + 0.5)
                draw_dot(axes, best.speedup, y_pt, Pen(line), key, label, bold=recommended)
    _scale_speedups(axes, judgements, words)
    return tooltips


def _name_row(axes: Axes, row: _KindRow, evidence: Evidence, words: Words) -> None:
    if row.is_first:
        at = (0.01, row.top_pt - HEADING_PT * 0.38)
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        name = name_family(evidence, row.family, words)
        style: dict[str, Any] = {"va": "center", "weight": "bold", "color": INK, "bbox": box}
        add_text(axes, name, at, xycoords=("figure fraction", "data"), **style)
    at = (-0.02, row.top_pt + row.height_pt / 2)
    style = {"va": "center", "ha": "right", "color": MUTED}
    name = words.term("kind", row.kind)
    add_text(axes, name, at, xycoords=("axes fraction", "data"), **style)


def _scale_speedups(axes: Axes, judgements: Sequence[Judgement], words: Words) -> None:
    """Room for every speed-up; a line where the plainest program is."""
    from matplotlib.ticker import LogLocator

    speedups = [judgement.speedup for judgement in judgements if judgement.speedup]
    highest, lowest = max(one.high for one in speedups), min(one.low for one in speedups)
    axes.axvline(1, color=MUTED, linewidth=1)
    low, high = min(0.8, lowest * 0.9), max(2, highest) * 1.1
    axes.set_xlim(low, high)
    doublings = math.log2(high / low)
    width_pt = axes.bbox.width * 72 / axes.figure.dpi
    letters_pt = 7 * LETTER_PT  # "×0.062" and a space
    axes.xaxis.set_major_locator(LogLocator(2 ** math.ceil(letters_pt * doublings / width_pt)))
    axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    axes.locator_params(axis="x", numticks=MOST_TICKS)
    axes.minorticks_off()
