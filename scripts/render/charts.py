"""Charts: the wall times of a family, and the one picture of what pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scripts.judge.judgement import Judgement
from scripts.pipeline import Evidence
from scripts.render.drawing import (
    DASHED,
    WIDTH_IN,
    Pen,
    draw_dot,
    dress,
    frame,
    make_prefix,
    name_family,
    show_legend,
    show_sign,
)
from scripts.render.svg import INK, MUTED, PAPER, STYLE, write_svg
from scripts.render.words import Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes

ROW_PT = 17
LABEL_PT = 19
KINDS = ("sequential", "threads", "processes", "async")


def draw_family(evidence: Evidence, family: str, words: Words) -> str:
    """A dot per program and core count at its median, the interval through it, floors dashed."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    shown = [
        judgement
        for judgement in evidence.judgements
        if judgement.record.variant.family == family and judgement.wall_s
    ]
    counts = _list_counts(shown)
    programs = [
        program.name for program in evidence.experiment.programs if family in program.families
    ]
    group_pt = LABEL_PT + ROW_PT * len(counts)
    height_pt = group_pt * len(programs) + 60
    prefix = make_prefix("chart", evidence.experiment.name, family)
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, height_pt / 72))
        axes = figure.add_axes((0.02, 42 / height_pt, 0.94, 1 - 44 / height_pt))
        for place, program in enumerate(programs):
            top_pt = place * group_pt
            axes.annotate(
                program, (0, top_pt + LABEL_PT * 0.7), annotation_clip=False, va="center", color=INK
            )
            for row, count in enumerate(counts):
                y_pt = top_pt + LABEL_PT + ROW_PT * (row + 0.4)
                _draw_floor(axes, shown, count, y_pt)
                for number, judgement in enumerate(_select(shown, program, count)):
                    key = f"p{place}-{count}-{number}"
                    tooltips[key] = _describe(judgement, words)
                    if wall := judgement.wall_s:
                        draw_dot(axes, wall, y_pt, Pen(row), key, words.duration(wall))
        highest = max((j.wall_s.high for j in shown if j.wall_s), default=1)
        axes.set_xlim(0, highest * 1.2)
        axes.set_ylim(group_pt * len(programs), 0)
        _dress(axes, words.text("axis_wall"))
        axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
        title = words.text("chart_title", family=name_family(evidence, family, words))
        svg = write_svg(figure, prefix, title, words.text("chart_desc"), tooltips)
    return frame(svg, title, _legend(counts, words, floor=True), prefix)


def draw_answer(evidence: Evidence, words: Words) -> str:
    """For each family and kind of worker, the best speed-up on one core and on all."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    judged = [judgement for judgement in evidence.judgements if judgement.speedup]
    counts = _list_counts(judged)
    counts = [counts[0], counts[-1]] if len(counts) > 1 else counts
    rows: list[tuple[str, str]] = []
    for family in evidence.experiment.families:
        members = [j for j in judged if j.record.variant.family == family.name]
        present = {find_kind(j.record.variant.program) for j in members}
        rows += [(family.name, kind) for kind in KINDS if kind in present]
    heading_pt, kind_pt = 26, 15 * max(1, len(counts)) + 4
    families = [family.name for family in evidence.experiment.families]
    height_pt = heading_pt * len(families) + kind_pt * len(rows) + 52
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, height_pt / 72))
        axes = figure.add_axes((0.31, 40 / height_pt, 0.65, 1 - 42 / height_pt))
        axes.set_xscale("log", base=2)
        y_pt, last = 0.0, ""
        for family_name, kind in rows:
            if family_name != last:
                axes.annotate(
                    name_family(evidence, family_name, words),
                    (-0.46, y_pt + heading_pt * 0.62),
                    xycoords=("axes fraction", "data"),
                    annotation_clip=False,
                    va="center",
                    weight="bold",
                    color=INK,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
                )
                y_pt, last = y_pt + heading_pt, family_name
            axes.annotate(
                words.term("kind", kind),
                (-0.02, y_pt + kind_pt / 2),
                xycoords=("axes fraction", "data"),
                annotation_clip=False,
                va="center",
                ha="right",
                color=MUTED,
            )
            for row, count in enumerate(counts):
                best = find_best(judged, family_name, kind, count)
                if best:
                    key = f"a{rows.index((family_name, kind))}-{count}"
                    tooltips[key] = _describe(best, words)
                    _draw_best(axes, best, y_pt + 10 + 15 * row, Pen(row), key, words)
            y_pt += kind_pt
        axes.axvline(1, color=MUTED, linewidth=1)
        speedups = [j.speedup for j in judged if j.speedup]
        highest = max((speedup.high for speedup in speedups), default=2)
        lowest = min((speedup.low for speedup in speedups), default=0.5)
        axes.set_xlim(min(0.8, lowest * 0.9), max(2, highest) * 1.9)
        axes.set_ylim(y_pt, 0)
        _dress(axes, words.text("axis_speedup"))
        axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
        axes.minorticks_off()
        title = words.text("answer_title")
        prefix = make_prefix("answer", evidence.experiment.name)
        svg = write_svg(figure, prefix, title, words.text("answer_desc"), tooltips)
    return frame(svg, title, _legend(counts, words, floor=False), prefix)


def find_kind(program: str) -> str:
    """What carries out the work, by the program's name: a pool inside a loop counts as the pool."""
    for kind, sign in (
        ("processes", "process"),
        ("threads", "thread"),
        ("sequential", "sequential"),
        ("async", "async"),
    ):
        if sign in program:
            return kind
    return "sequential"


def find_best(
    judgements: Sequence[Judgement], family: str, kind: str, cores: int
) -> Judgement | None:
    """The recommended of a kind, otherwise the fastest."""
    found = [
        judgement
        for judgement in judgements
        if judgement.record.variant.family == family
        and judgement.record.variant.cores == cores
        and find_kind(judgement.record.variant.program) == kind
    ]

    def rank(judgement: Judgement) -> tuple[bool, float]:
        speedup = judgement.speedup.median if judgement.speedup else 0.0
        return judgement.verdict == "recommended", speedup

    return max(found, key=rank, default=None)


def _list_counts(judgements: Sequence[Judgement]) -> list[int]:
    """Core counts, the most first."""
    return sorted({judgement.record.variant.cores for judgement in judgements}, reverse=True)


def _select(judgements: Sequence[Judgement], program: str, cores: int) -> list[Judgement]:
    return [
        judgement
        for judgement in judgements
        if judgement.record.variant.program == program and judgement.record.variant.cores == cores
    ]


def _draw_floor(axes: Axes, judgements: Sequence[Judgement], cores: int, y_pt: float) -> None:
    floors = {j.floor_s for j in judgements if j.record.variant.cores == cores and j.floor_s}
    for floor_s in floors:
        span = (y_pt - ROW_PT * 0.45, y_pt + ROW_PT * 0.45)
        axes.plot((floor_s, floor_s), span, color=MUTED, linestyle=DASHED, linewidth=1.2)


def _draw_best(
    axes: Axes, judgement: Judgement, y_pt: float, pen: Pen, key: str, words: Words
) -> None:
    speedup = judgement.speedup
    assert speedup
    recommended = judgement.verdict == "recommended"
    label = words.ratio(speedup.median) + (" ✔" if recommended else "")
    draw_dot(axes, speedup, y_pt, pen, key, label, start=1, bold=recommended)


def _dress(axes: Axes, label: str) -> None:
    """Rows that need no vertical axis."""
    dress(axes, label)
    axes.yaxis.set_visible(False)


def _describe(judgement: Judgement, words: Words) -> str:
    variant = judgement.record.variant
    cores = words.count("cores_nominative", variant.cores)
    text = f"{variant.program}, {cores}"
    if judgement.wall_s:
        text += f": {words.duration(judgement.wall_s)} ({words.interval(judgement.wall_s)})"
    if judgement.speedup:
        text += f", {words.ratio(judgement.speedup.median)}"
    if judgement.verdict:
        text += f", {words.term('verdict', judgement.verdict)}"
    return text


def _legend(counts: Sequence[int], words: Words, *, floor: bool) -> str:
    items = [
        (Pen(row).show_key(), words.count("cores_nominative", count))
        for row, count in enumerate(counts)
    ]
    if floor:
        items.append((show_sign("floor"), words.text("floor")))
    return show_legend(items)
