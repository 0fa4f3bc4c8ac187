"""Lines: how time and memory grow with the number of tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Estimate
from scripts.render import drawing
from scripts.render.drawing import (
    LETTER_PT,
    SMALL_PT,
    WIDTH_PT,
    describe,
    name_family,
    name_place,
    stack_estimate,
    write,
    write_estimate,
)
from scripts.render.html import body, cell, column, join, program_anchor, row_header, table
from scripts.render.labels import Curve, Label, draw_labels, place_labels
from scripts.render.series import (
    Metric,
    Series,
    find_waits,
    list_series,
    pick_evenly,
    read_metric,
)
from scripts.render.svg import MUTED, STYLE, write_svg
from scripts.render.words import MIB, Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES = {"inside_s": "axis_inside", "wall_s": "axis_wall", "peak_pss_bytes": "axis_pss"}
HEIGHT_PT = 300
LEFT_PT, RIGHT_PT, TOP_PT, BOTTOM_PT = 36, 18, 22, 36
STAIRS_PT = 12
"""Above the axes, for the numbers of the stairs."""
LABEL_PT = 84
"""The most that labels at the right ends of the lines may take."""
PAD = 0.04
"""Of the length of a logarithmic axis, beyond the first and the last point: they hide no tick."""
STAIRS = 24
FLOOR = (0, (4, 2.5))
"""Its dashes, as long as those of its sign in the legend."""
_NOTHING = Estimate(median=math.nan, low=math.nan, high=math.nan)


def draw_lines(  # noqa: PLR0913 - what a page may choose
    evidence: Evidence,
    words: Words,
    family: str,
    *,
    metric: Metric = "inside_s",
    programs: Sequence[str] = (),
    least: int | None = None,
    most: int | None = None,
    stairs: bool = False,
    log: bool = False,
) -> Markup:
    """A line per program through its medians, by number of tasks, on the most cores.

    Args:
        evidence: of one experiment.
        words: of the page's language.
        family: its name.
        metric: what to show.
        programs: only these; none for all.
        least: of the numbers of tasks.
        most: of the numbers of tasks.
        stairs: mark the multiples of the number of cores.
        log: both scales logarithmic.

    Raises:
        ValueError: the family has no such program.
    """
    lines = list_series(evidence, words, family, programs, (least or 0, most or math.inf))
    lines = [line for line in lines if any(read_metric(one, metric) for one in line.points)]
    if not lines:
        return drawing.show_nothing(words)
    import matplotlib as mpl

    variant = lines[0].points[0].record.variant
    where = name_place(evidence, variant, words)
    name = name_family(evidence, family, words)
    title = words.text(f"lines_{metric}", family=name, cores=where)
    description = words.text("lines_desc") + f" {words.text('lines_desc_log')}" * log
    which = "".join(map(program_anchor, programs))
    parts = (family, metric, which, least, most, "stairs" * stairs, "log" * log)
    prefix = drawing.make_prefix("lines", evidence.experiment.name, *parts)
    floors = [] if metric == "peak_pss_bytes" else _list_floors(evidence, family, lines)
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure, axes, labels = _lay_out(lines, metric, words, stairs=stairs, log=log)
        if stairs:
            tooltips |= _draw_stairs(axes, variant.cores, lines, words)
        for sizes, waits in floors:
            axes.plot(sizes, waits, color=MUTED, linestyle=FLOOR, linewidth=1.2)
        for line in lines:
            tooltips |= _draw_line(axes, line, metric, evidence, words)
        draw_labels(axes, labels)
        svg = write_svg(figure, prefix, title, description, tooltips)
    legend = _show_legend(lines, words, floors=bool(floors), stairs=variant.cores * stairs)
    numbers = drawing.fold(_show_table(lines, title, metric, words), words)
    return drawing.frame(svg, title, legend, prefix, below=numbers)


def _lay_out(
    lines: Sequence[Series], metric: Metric, words: Words, *, stairs: bool, log: bool
) -> tuple[Figure, Axes, list[Label]]:
    """A figure with scales, and the labels of the lines, for which it has room at the right."""
    curves = [_list_points(line, metric) for line in lines]
    texts = _choose_texts(lines, curves)
    last = max(sizes[-1] for sizes, _ in curves)
    ending = [text for text, (sizes, _) in zip(texts, curves, strict=True) if sizes[-1] == last]
    room_pt = min(max(map(len, ending)) * LETTER_PT, WIDTH_PT / 2)
    figure, axes = _make_axes(room_pt, metric, words, stairs=stairs)
    _scale(axes, lines, metric, words, log=log)
    labels = place_labels(axes, curves, texts)
    if not labels:
        figure, axes = _make_axes(0, metric, words, stairs=stairs)
        _scale(axes, lines, metric, words, log=log)
    return figure, axes, labels


def _choose_texts(lines: Sequence[Series], curves: Sequence[Curve]) -> list[str]:
    """What to name the lines: by their names, if those are short that end at the right."""
    last = max(sizes[-1] for sizes, _ in curves)
    long = any(
        len(line.name) * LETTER_PT > LABEL_PT
        for line, (sizes, _) in zip(lines, curves, strict=True)
        if sizes[-1] == last
    )
    return [line.label if long else line.name for line in lines]


def _make_axes(
    room_pt: float, metric: Metric, words: Words, *, stairs: bool
) -> tuple[Figure, Axes]:
    """An empty figure, ``room_pt`` for labels at the right, and on top room for those of stairs."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_PT / 72, HEIGHT_PT / 72))
    figure.text(0.01, 1 - 12 / HEIGHT_PT, words.text(AXES[metric]), color=MUTED)
    width_pt = WIDTH_PT - LEFT_PT - RIGHT_PT - room_pt
    top_pt = TOP_PT + STAIRS_PT * stairs
    height_pt = HEIGHT_PT - top_pt - BOTTOM_PT
    axes = drawing.add_panel(figure, LEFT_PT, top_pt, width_pt, height_pt)
    drawing.dress(axes, words.text("axis_tasks"))
    return figure, axes


def _list_floors(evidence: Evidence, family: str, lines: Sequence[Series]) -> list[Curve]:
    """Below what waiting does not let the lines go, also where they were not measured."""
    sizes = sorted({one.record.variant.tasks for line in lines for one in line.points})
    found = {find_waits(evidence, line, family, sizes) for line in lines}
    return [(sizes, waits) for waits in sorted(found) if waits]


def _read_values(line: Series, metric: Metric) -> tuple[list[int], list[Estimate]]:
    """Numbers of tasks, and estimates in the unit of the axis; not a number where there is none."""
    unit = MIB if metric == "peak_pss_bytes" else 1
    sizes = [one.record.variant.tasks for one in line.points]
    found = (read_metric(one, metric) or _NOTHING for one in line.points)
    return sizes, [
        Estimate(median=one.median / unit, low=one.low / unit, high=one.high / unit)
        for one in found
    ]


def _list_points(line: Series, metric: Metric) -> Curve:
    """The medians that were measured; a line has one at least."""
    measured = [
        (size, value.median)
        for size, value in zip(*_read_values(line, metric), strict=True)
        if not math.isnan(value.median)
    ]
    sizes, medians = zip(*measured, strict=True)
    return sizes, medians


def _scale(axes: Axes, lines: Sequence[Series], metric: Metric, words: Words, *, log: bool) -> None:
    """Limits and ticks: from nought, or around what there is if logarithmic."""
    from matplotlib.ticker import LogLocator, MaxNLocator

    values = [_read_values(line, metric) for line in lines]
    first, last = min(sizes[0] for sizes, _ in values), max(sizes[-1] for sizes, _ in values)
    ends = [end for _, found in values for one in found for end in (one.low, one.high) if end > 0]
    low, high = min(ends), max(ends)
    letters_pt = (len(words.number(last, 0)) + 1) * LETTER_PT
    width_pt = axes.bbox.width * 72 / axes.figure.dpi
    if log:
        wider = max(1.08, (last / first) ** PAD)
        axes.set(xscale="log", yscale="log")
        axes.set(xlim=(first / wider, last * wider), ylim=(low / 1.3, high * 1.3))
        decade_pt = width_pt / math.log10(last / first * wider**2)
        few = (1, 2, 5) if decade_pt * math.log10(2) > letters_pt else (1,)
        base = 10 ** math.ceil(letters_pt / decade_pt)
        axes.xaxis.set_major_locator(LogLocator(base, subs=few))
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 200 else (1,)))
        axes.minorticks_off()
    else:
        pad = max(0.5, (last - first) * 0.03) if last > first else 1
        axes.set(xlim=(first - pad, last + pad), ylim=(0, high * 1.06))
        room = int(width_pt / (letters_pt + 2 * LETTER_PT))
        axes.xaxis.set_major_locator(MaxNLocator(max(2, min(7, room)), integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(6))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: words.plain(value))


def _draw_line(
    axes: Axes, line: Series, metric: Metric, evidence: Evidence, words: Words
) -> dict[str, str]:
    """A line with its band and points; returns their tooltips."""
    pen = line.pen
    sizes, values = _read_values(line, metric)
    lows, highs = [one.low for one in values], [one.high for one in values]
    if len(sizes) > 1:
        axes.fill_between(sizes, lows, highs, color=pen.colour, alpha=0.2, linewidth=0)
    else:
        axes.plot(sizes * 2, lows + highs, color=pen.colour, alpha=0.45, linewidth=4)
    axes.plot(sizes, [one.median for one in values], color=pen.colour, linestyle=pen.dash)
    size_pt = 3 if len(sizes) > 40 else 4.5 if len(sizes) > 15 else 6
    tooltips = {}
    for number, (judgement, value) in enumerate(zip(line.points, values, strict=True)):
        if estimate := read_metric(judgement, metric):
            key = f"l{pen.number}-{number}"
            subject = describe(evidence, judgement.record.variant, words)
            tooltips[key] = f"{subject}: {write_estimate(estimate, metric, words)}"
            pen.mark(axes, sizes[number], value.median, key, size_pt)
    return tooltips


def _draw_stairs(axes: Axes, cores: int, lines: Sequence[Series], words: Words) -> dict[str, str]:
    """Thin lines at the multiples of the number of cores, not too many; returns their tooltips."""
    sizes = [one.record.variant.tasks for line in lines for one in line.points]
    step = cores * math.ceil(max(sizes) / cores / STAIRS)
    tooltips = {}
    taken_pt = -math.inf
    for tasks in range(step * math.ceil(min(sizes) / step), max(sizes) + 1, step):
        key = f"stair-{tasks}"
        count = words.count("tasks", tasks)
        tooltips[key] = words.text("stair", tasks=count, rounds=words.number(tasks // cores, 0))
        axes.axvline(tasks, color=MUTED, linewidth=0.8, alpha=0.45, gid=key)
        x_pt = axes.transData.transform((tasks, 1))[0] * 72 / axes.figure.dpi
        label = words.number(tasks, 0)
        if x_pt - taken_pt > LETTER_PT * (len(label) + 1):
            where = ("data", "axes fraction")
            write(
                axes,
                label,
                (tasks, 1),
                (0, 3),
                xycoords=where,
                ha="center",
                size=SMALL_PT,
                color=MUTED,
            )
            taken_pt = x_pt
    return tooltips


def _show_legend(lines: Sequence[Series], words: Words, *, floors: bool, stairs: int) -> Markup:
    """``stairs`` is the number of cores whose multiples are marked; nought if none are."""
    signs = [(line.pen.show_key(line=True), line.name) for line in lines]
    signs.append((drawing.show_sign("band"), words.text("band")))
    if floors:
        signs.append((drawing.show_sign("level"), words.text("floor")))
    if stairs:
        multiples = words.text("stairs", cores=words.count("cores_nominative", stairs))
        signs.append((drawing.show_sign("stair"), multiples))
    return drawing.show_legend(signs)


def _show_table(lines: Sequence[Series], title: str, metric: Metric, words: Words) -> Markup:
    """Medians and intervals: a row for each of some numbers of tasks, a column for each line."""
    cells: dict[tuple[int, int], Markup] = {}
    for place, line in enumerate(lines):
        for one in line.points:
            if estimate := read_metric(one, metric):
                cells[one.record.variant.tasks, place] = stack_estimate(estimate, metric, words)
    rows = [
        row_header(words.number(tasks, 0))
        + join(cell(cells.get((tasks, place), "—")) for place in range(len(lines)))
        for tasks in pick_evenly(sorted({tasks for tasks, _ in cells}))
    ]
    head = [column(words.text("axis_tasks")), *(column(line.name) for line in lines)]
    return table(words, title, head, [body(rows)], kind="sizes")
