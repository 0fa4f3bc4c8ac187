"""Lines: how time and memory grow with the number of tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from scripts.judge.judgement import Estimate
from scripts.pipeline import Evidence
from scripts.render import drawing
from scripts.render.drawing import (
    LETTER_PT,
    SMALL_PT,
    WIDTH_PT,
    Pen,
    describe,
    name_family,
    name_place,
    write,
)
from scripts.render.html import body, cell, column, program_anchor, row_header, table
from scripts.render.series import (
    Metric,
    Series,
    find_waits,
    list_series,
    read_metric,
    thin,
)
from scripts.render.svg import INK, MUTED, STYLE, write_svg
from scripts.render.words import MIB, Words

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes

AXES = {"inside_s": "axis_inside", "wall_s": "axis_wall", "peak_pss_bytes": "axis_pss"}
HEIGHT_PT = 300
LEFT_PT, RIGHT_PT, TOP_PT, BOTTOM_PT = 36, 14, 22, 36
LABEL_PT = 84
"""The most that labels at the right ends of the lines may take."""
STEP_PT, SHIFT_PT = 12, 15
"""Labels stand so far apart, and so far at most from the ends of their lines."""
STAIRS = 24
LARGE_TICK = 10_000
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
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
) -> str:
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
    from matplotlib.figure import Figure

    short = any(len(line.name) * LETTER_PT > LABEL_PT for line in lines)
    labels = [line.label if short else line.name for line in lines]
    width_pt = WIDTH_PT - LEFT_PT - RIGHT_PT - max(map(len, labels)) * LETTER_PT
    variant = lines[0].points[0].record.variant
    floors = [] if metric == "peak_pss_bytes" else _list_floors(evidence, family, lines)
    tooltips: dict[str, str] = {}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_PT / 72, HEIGHT_PT / 72))
        top_pt = TOP_PT + STEP_PT * stairs
        height_pt = HEIGHT_PT - top_pt - BOTTOM_PT
        axes = drawing.add_panel(figure, LEFT_PT, top_pt, width_pt, height_pt)
        drawing.dress(axes, words.text("axis_tasks"))
        figure.text(0.01, 1 - 12 / HEIGHT_PT, words.text(AXES[metric]), color=MUTED)
        _scale(axes, lines, metric, words, log=log)
        if stairs:
            tooltips |= _draw_stairs(axes, variant.cores, lines, words)
        for sizes, waits, colour in floors:
            axes.plot(sizes, waits, color=colour, linestyle=drawing.DASHED, linewidth=1)
        for place, line in enumerate(lines):
            tooltips |= _draw_line(axes, line, Pen(place), metric, evidence, words)
        _draw_labels(axes, lines, labels, metric)
        where = name_place(evidence, variant, words)
        name = name_family(evidence, family, words)
        title = words.text(f"lines_{metric}", family=name, cores=where)
        which = "".join(map(program_anchor, programs))
        parts = (family, metric, which, least, most, "stairs" * stairs, "log" * log)
        prefix = drawing.make_prefix("lines", evidence.experiment.name, *parts)
        description = words.text("lines_desc") + f" {words.text('lines_desc_log')}" * log
        svg = write_svg(figure, prefix, title, description, tooltips)
    signs = [(Pen(place).show_key(line=True), line.name) for place, line in enumerate(lines)]
    signs.append((drawing.show_sign("band"), words.text("band")))
    if floors:
        signs.append((drawing.show_sign("level"), words.text("floor")))
    if stairs:
        multiples = words.text("stairs", cores=words.count("cores_nominative", variant.cores))
        signs.append((drawing.show_sign("stair"), multiples))
    numbers = drawing.fold(_show_table(lines, title, metric, words), words)
    return drawing.frame(svg, title, drawing.show_legend(signs), prefix, below=numbers)


def _list_floors(
    evidence: Evidence, family: str, lines: Sequence[Series]
) -> list[tuple[list[int], tuple[float, ...], str]]:
    """Below what waiting does not let each line go, also where it was not measured.

    In the line's colour; lines that share theirs, and it alone, have it in no one's.
    """
    sizes = sorted({one.record.variant.tasks for line in lines for one in line.points})
    found: dict[tuple[float, ...], list[int]] = {}
    for place, line in enumerate(lines):
        if waits := find_waits(evidence, line, family, sizes):
            found.setdefault(waits, []).append(place)
    return [
        (sizes, waits, Pen(places[0]).colour if len(places) == 1 else MUTED)
        for waits, places in found.items()
    ]


def _values(line: Series, metric: Metric) -> tuple[list[int], list[Estimate]]:
    """Numbers of tasks, and estimates in the unit of the axis; not a number where there is none."""
    unit = MIB if metric == "peak_pss_bytes" else 1
    sizes = [one.record.variant.tasks for one in line.points]
    found = (read_metric(one, metric) or _NOTHING for one in line.points)
    return sizes, [
        Estimate(median=one.median / unit, low=one.low / unit, high=one.high / unit)
        for one in found
    ]


def _scale(axes: Axes, lines: Sequence[Series], metric: Metric, words: Words, *, log: bool) -> None:
    """Limits and ticks: from nought, or around what there is if logarithmic."""
    from matplotlib.ticker import LogLocator, MaxNLocator

    values = [_values(line, metric) for line in lines]
    first, last = min(sizes[0] for sizes, _ in values), max(sizes[-1] for sizes, _ in values)
    ends = [end for _, found in values for one in found for end in (one.low, one.high) if end > 0]
    low, high = min(ends), max(ends)
    if log:
        axes.set(xscale="log", yscale="log")
        axes.set(xlim=(first / 1.08, last * 1.08), ylim=(low / 1.3, high * 1.3))
        for axis, ratio in ((axes.xaxis, last / first), (axes.yaxis, high / low)):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if ratio < 200 else (1,)))
        axes.minorticks_off()
    else:
        pad = max(0.5, (last - first) * 0.03)
        axes.set(xlim=(first - pad, last + pad), ylim=(0, high * 1.06))
        letters = len(words.number(last, 0)) + 3
        room = int(axes.bbox.width * 72 / axes.figure.dpi / LETTER_PT / letters)
        axes.xaxis.set_major_locator(MaxNLocator(max(2, min(7, room)), integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(6))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: _show_tick(value, words))


def _show_tick(value: float, words: Words) -> str:
    """A number, or where many noughts would collide with the neighbours' a power of ten."""
    power = round(math.log10(value)) if value >= LARGE_TICK else 0
    if power and 10**power == round(value):
        return f"10{str(power).translate(SUPERSCRIPTS)}"
    return words.plain(value)


def _draw_line(
    axes: Axes, line: Series, pen: Pen, metric: Metric, evidence: Evidence, words: Words
) -> dict[str, str]:
    """A line with its band and points; returns their tooltips."""
    sizes, values = _values(line, metric)
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
            median, interval = drawing.show_estimate(estimate, metric, words)
            subject = describe(evidence, judgement.record.variant, words)
            tooltips[f"l{pen.number}-{number}"] = f"{subject}: {median} ({interval})"
            pen.mark(axes, sizes[number], value.median, f"l{pen.number}-{number}", size_pt)
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


def _draw_labels(
    axes: Axes, lines: Sequence[Series], labels: Sequence[str], metric: Metric
) -> None:
    """Each line's label at its right end, unless the line ends early or labels would collide."""
    last = max(line.points[-1].record.variant.tasks for line in lines)
    ends = []
    for line, label in zip(lines, labels, strict=True):
        sizes, values = _values(line, metric)
        if sizes[-1] == last and not math.isnan(values[-1].median):
            y_px = axes.transData.transform((last, values[-1].median))[1]
            ends.append((y_px * 72 / axes.figure.dpi, values[-1].median, label))
    free_pt = -math.inf
    for y_pt, value, label in sorted(ends):
        shift_pt = max(0.0, free_pt - y_pt)
        if shift_pt <= SHIFT_PT:
            write(axes, label, (last, value), (7, shift_pt), va="center", size=SMALL_PT, color=INK)
            free_pt = y_pt + shift_pt + STEP_PT


def _show_table(lines: Sequence[Series], title: str, metric: Metric, words: Words) -> str:
    """Medians and intervals: a row for each of some numbers of tasks, a column for each line."""
    cells: dict[tuple[int, int], str] = {}
    for place, line in enumerate(lines):
        for one in line.points:
            if estimate := read_metric(one, metric):
                median, interval = drawing.show_estimate(estimate, metric, words)
                cells[one.record.variant.tasks, place] = f"{median}<small>{interval}</small>"
    rows = [
        row_header(words.number(tasks, 0))
        + "".join(cell(cells.get((tasks, place), "—")) for place in range(len(lines)))
        for tasks in thin(sorted({tasks for tasks, _ in cells}))
    ]
    head = [column(words.text("axis_tasks")), *(column(line.name) for line in lines)]
    return table(words, escape(title), head, [body(rows)], kind="sizes")
