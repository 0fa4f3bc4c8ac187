"""Charts: the wall times of a family, and the one picture of what pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from markupsafe import Markup

from scripts.declare.program import Way
from scripts.judge.cells import list_sizes, select_cells, select_measured
from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Judgement
from scripts.render.drawing import (
    DASHED,
    Pen,
    add_interpreter,
    choose_first_interpreter,
    draw_dot,
    frame,
    lay_rows,
    make_prefix,
    name_family,
    show_legend,
    show_nothing,
    show_sign,
    write,
)
from scripts.render.svg import INK, MUTED, PAPER, STYLE, write_svg
from scripts.render.tables import ICONS
from scripts.render.words import Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes

ROW_PT = 17
LABEL_PT = 19
HEADING_PT, STEP_PT, SPACE_PT = 26, 15, 4
"""Of the answer: above a family, for each core count, and below a kind."""
EDGE_PT, KINDS_PT = 7, 112
"""Where the axes begin: at the edge, or beside the kinds, of which the longest is Russian."""
KINDS = get_args(Way)


def draw_family(evidence: Evidence, words: Words, family: str) -> Markup:
    """A dot per program and core count at its median, the interval through it, floors dashed.

    Of several interpreters it shows the first that ran any program of the family.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        family: its name.
    """
    members = select_cells(evidence.judgements, family=family)
    shown = select_measured(choose_first_interpreter(evidence, members))
    if not shown:
        return show_nothing(words)
    import matplotlib as mpl

    counts = list_sizes(shown, "cores")[::-1]
    programs = [one.name for one in evidence.experiment.programs if family in one.families]
    group_pt = LABEL_PT + ROW_PT * len(counts)
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure, axes = lay_rows(EDGE_PT, group_pt * len(programs), words.text("axis_wall"))
        for place, program in enumerate(programs):
            top_pt = place * group_pt
            write(axes, program, (0, top_pt + LABEL_PT * 0.7), (0, 0), va="center", color=INK)
            for row, count in enumerate(counts):
                y_pt = top_pt + LABEL_PT + ROW_PT * (row + 0.4)
                _draw_floors(axes, select_cells(shown, cores=count), y_pt)
                for number, judgement in enumerate(
                    select_cells(shown, program=program, cores=count)
                ):
                    key = f"p{place}-{count}-{number}"
                    tooltips[key] = _describe(judgement, words)
                    if wall := judgement.wall:
                        draw_dot(axes, wall, y_pt, Pen(row), key, words.duration(wall))
        highest = max(one.wall.high for one in shown if one.wall)
        axes.set_xlim(0, highest * 1.04)
        axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
        name = words.text("chart_title", family=name_family(evidence, family, words))
        title = add_interpreter(name, evidence, shown[0].record.variant)
        prefix = make_prefix("chart", evidence.experiment.name, family)
        svg = write_svg(figure, prefix, title, words.text("chart_desc"), tooltips)
    signs = [*_list_signs(counts, words), (show_sign("floor"), words.text("floor"))]
    return frame(svg, title, show_legend(signs), prefix)


def draw_answer(evidence: Evidence, words: Words) -> Markup:
    """For each family and kind of worker, the best speed-up on one core and on all.

    Of several interpreters it shows the first that ran any program.
    """
    first = choose_first_interpreter(evidence, evidence.judgements)
    judged = [judgement for judgement in first if judgement.speedup]
    if not judged:
        return show_nothing(words)
    import matplotlib as mpl

    counts = list_sizes(judged, "cores")[::-1]
    counts = counts[:: len(counts) - 1] if len(counts) > 1 else counts
    rows = _lay_rows(evidence, judged, STEP_PT * len(counts) + SPACE_PT)
    rows_pt = rows[-1].top_pt + rows[-1].height_pt
    with mpl.rc_context(STYLE):
        figure, axes = lay_rows(KINDS_PT, rows_pt, words.text("axis_speedup"))
        axes.set_xscale("log", base=2)
        for row in rows:
            _name_row(axes, row, evidence, words)
        tooltips = _draw_rows(axes, rows, evidence, judged, counts, words)
        _scale_speedups(axes, judged, words)
        title = add_interpreter(words.text("answer_title"), evidence, judged[0].record.variant)
        prefix = make_prefix("answer", evidence.experiment.name)
        svg = write_svg(figure, prefix, title, words.text("answer_desc"), tooltips)
    mark = Markup('<span aria-hidden="true">{}</span>').format(ICONS["recommended"])
    signs = [*_list_signs(counts, words), (mark, words.term("verdict", "recommended"))]
    return frame(svg, title, show_legend(signs), prefix)


def find_kind(evidence: Evidence, judgement: Judgement) -> str:
    """What carries out the work: a pool inside a loop counts as the pool."""
    return evidence.experiment.program(judgement.record.variant.program).ways[-1]


def find_best(
    evidence: Evidence, judgements: Sequence[Judgement], family: str, kind: str, cores: int
) -> Judgement | None:
    """The recommended of a kind, otherwise the fastest."""
    found = [
        judgement
        for judgement in select_cells(judgements, family=family, cores=cores)
        if find_kind(evidence, judgement) == kind
    ]

    def rank(judgement: Judgement) -> tuple[bool, float]:
        speedup = judgement.speedup.median if judgement.speedup else 0.0
        return judgement.verdict == "recommended", speedup

    return max(found, key=rank, default=None)


def _draw_floors(axes: Axes, judgements: Sequence[Judgement], y_pt: float) -> None:
    for floor_s in {judgement.floor_s for judgement in judgements if judgement.floor_s}:
        span = (y_pt - ROW_PT * 0.45, y_pt + ROW_PT * 0.45)
        axes.plot((floor_s, floor_s), span, color=MUTED, linestyle=DASHED, linewidth=1.2)


@dataclass(frozen=True, slots=True)
class _Row:
    """A kind of worker in a family, under the family's heading if it is the first of them."""

    family: str
    kind: str
    is_first: bool
    top_pt: float
    height_pt: float


def _lay_rows(evidence: Evidence, judgements: Sequence[Judgement], height_pt: float) -> list[_Row]:
    """The rows of all that was judged, from top to bottom, each ``height_pt`` high."""
    rows: list[_Row] = []
    top_pt = 0.0
    for family in evidence.experiment.families:
        members = select_cells(judgements, family=family.name)
        present = {find_kind(evidence, judgement) for judgement in members}
        top_pt += HEADING_PT * bool(present)
        for place, kind in enumerate(kind for kind in KINDS if kind in present):
            rows.append(_Row(family.name, kind, place == 0, top_pt, height_pt))
            top_pt += height_pt
    return rows


def _name_row(axes: Axes, row: _Row, evidence: Evidence, words: Words) -> None:
    if row.is_first:
        at = (0.01, row.top_pt - HEADING_PT * 0.38)
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        name = name_family(evidence, row.family, words)
        style = {"va": "center", "weight": "bold", "color": INK, "bbox": box}
        write(axes, name, at, (0, 0), xycoords=("figure fraction", "data"), **style)
    at = (-0.02, row.top_pt + row.height_pt / 2)
    style = {"va": "center", "ha": "right", "color": MUTED}
    name = words.term("kind", row.kind)
    write(axes, name, at, (0, 0), xycoords=("axes fraction", "data"), **style)


def _draw_rows(
    axes: Axes,
    rows: Sequence[_Row],
    evidence: Evidence,
    judgements: Sequence[Judgement],
    counts: Sequence[int],
    words: Words,
) -> dict[str, str]:
    """In each row the best on each core count; their tooltips."""
    tooltips: dict[str, str] = {}
    for place, row in enumerate(rows):
        for line, count in enumerate(counts):
            best = find_best(evidence, judgements, row.family, row.kind, count)
            if best and best.speedup:
                key = f"a{place}-{count}"
                tooltips[key] = _describe(best, words)
                recommended = best.verdict == "recommended"
                label = words.ratio(best.speedup.median) + f" {ICONS['recommended']}" * recommended
                y_pt = row.top_pt + SPACE_PT / 2 + STEP_PT * (line + 0.5)
                draw_dot(axes, best.speedup, y_pt, Pen(line), key, label, bold=recommended)
    return tooltips


def _scale_speedups(axes: Axes, judgements: Sequence[Judgement], words: Words) -> None:
    """Room for every speed-up; a line where the plainest program is."""
    speedups = [judgement.speedup for judgement in judgements if judgement.speedup]
    highest, lowest = max(one.high for one in speedups), min(one.low for one in speedups)
    axes.axvline(1, color=MUTED, linewidth=1)
    axes.set_xlim(min(0.8, lowest * 0.9), max(2, highest) * 1.1)
    axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    axes.minorticks_off()


def _describe(judgement: Judgement, words: Words) -> str:
    variant = judgement.record.variant
    cores = words.count("cores_nominative", variant.cores)
    text = f"{variant.program}, {cores}"
    if judgement.wall:
        text += f": {words.duration(judgement.wall)}"
        if not judgement.wall.is_point:
            text += f" ({words.interval(judgement.wall)})"
    if judgement.speedup:
        text += f", {words.ratio(judgement.speedup.median)}"
    if judgement.verdict:
        text += f", {words.term('verdict', judgement.verdict)}"
    return text


def _list_signs(counts: Sequence[int], words: Words) -> list[tuple[Markup, str]]:
    """The legend: a pen for each core count, and what the bars through the dots are."""
    signs = [
        (Pen(row).show_key(), words.count("cores_nominative", count))
        for row, count in enumerate(counts)
    ]
    return [*signs, (show_sign("band"), words.text("band"))]
