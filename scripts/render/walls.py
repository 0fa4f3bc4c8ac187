"""Walls: the wall times of a family, a dot per program and core count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Judgement
from scripts.judge.selection import choose_interpreter, list_sizes, select_cells, select_measured
from scripts.render.chart import Chart, make_prefix, show_nothing, show_sign
from scripts.render.dots import MARGINS_PT, describe_dot, draw_dot, lay_rows, list_signs
from scripts.render.names import add_interpreter, name_family
from scripts.render.panel import add_text
from scripts.render.pen import DASHED, Pen
from scripts.render.svg import INK, MUTED
from scripts.render.words import Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_PT, LABEL_PT, EDGE_PT = 17, 19, 7


def draw_family(evidence: Evidence, words: Words, family: str) -> Markup:
    """A dot per program and core count at its median, the interval through it, floors dashed.

    Of several interpreters it shows the first that ran any program of the family.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        family: its name.
    """
    members = select_cells(evidence.judgements, family=family)
    shown = select_measured(choose_interpreter(evidence, members))
    if not shown:
        return show_nothing(words)
    counts = list_sizes(shown, "cores")[::-1]
    programs = [one.name for one in evidence.experiment.programs if family in one.families]
    title = words.text("chart_title", family=name_family(evidence, family, words))
    return Chart(
        prefix=make_prefix("chart", evidence.experiment.name, family),
        title=add_interpreter(title, evidence, shown[0].record.variant),
        description=words.text("chart_desc"),
        height_pt=(LABEL_PT + ROW_PT * len(counts)) * len(programs) + MARGINS_PT,
        draw=partial(_draw_rows, shown, programs, counts, words),
        signs=[*list_signs(counts, words), (show_sign("floor"), words.text("floor"))],
    ).show()


def _draw_rows(
    shown: Sequence[Judgement],
    programs: Sequence[str],
    counts: Sequence[int],
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """Each program's name over a row for each core count; the dots' tooltips."""
    axes = lay_rows(figure, EDGE_PT, words.text("axis_wall"))
    tooltips: dict[str, str] = {}
    for place, program in enumerate(programs):
        top_pt = place * (LABEL_PT + ROW_PT * len(counts))
        add_text(axes, program, (0, top_pt + LABEL_PT * 0.7), va="center", color=INK)
        for row, count in enumerate(counts):
            y_pt = top_pt + LABEL_PT + ROW_PT * (row + 0.4)
            arena = select_cells(shown, cores=count)
            _draw_floors(axes, arena, y_pt)
            for number, judgement in enumerate(select_cells(arena, program=program)):
                key = f"p{place}-{count}-{number}"
                tooltips[key] = describe_dot(judgement, words)
                if wall := judgement.wall:
                    draw_dot(axes, wall, y_pt, Pen(row), key, words.duration(wall))
    axes.set_xlim(0, max(one.wall.high for one in shown if one.wall) * 1.04)
    axes.xaxis.set_major_formatter(lambda value, _: words.plain(value))
    return tooltips


def _draw_floors(axes: Axes, judgements: Sequence[Judgement], y_pt: float) -> None:
    for floor_s in {judgement.floor_s for judgement in judgements if judgement.floor_s}:
        span = (y_pt - ROW_PT * 0.45, y_pt + ROW_PT * 0.45)
        axes.plot((floor_s, floor_s), span, color=MUTED, linestyle=DASHED, linewidth=1.2)
