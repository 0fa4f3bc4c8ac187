"""Curves: lines on axes that fit them, with floors, stairs and names at their ends."""

import math
from collections.abc import Sequence
from typing import Any

from scripts.declare.metrics import find_unit
from scripts.judge.evidence import Evidence
from scripts.judge.statistics import Estimate
from scripts.render.estimates import format_estimate
from scripts.render.labels import Curve, Label, draw_labels, place_labels
from scripts.render.names import describe
from scripts.render.panel import (
    LETTER_PT,
    SMALL_PT,
    Axes,
    Figure,
    add_panel,
    add_text,
    dress,
    find_width,
)
from scripts.render.series import Series
from scripts.render.svg import MUTED
from scripts.render.words import MIB, Words

HEIGHT_PT = 300
LEFT_PT, RIGHT_PT, TOP_PT, BOTTOM_PT = 36, 18, 22, 36
STAIRS_PT = 12
"""Above the axes, for the numbers of the stairs."""
SHARE = 0.27
"""The most of the width that labels at the right ends of the lines may take."""
PAD = 0.04
"""Of the length of a logarithmic axis, beyond the first and the last point: they hide no tick."""
STAIRS = 24
SMALL = 1e-3
"""Less than this a plain number does not show."""
FLOOR = (0, (4, 2.5))
"""Its dashes, as long as those of its sign in the legend."""
_NOTHING = Estimate(median=math.nan, low=math.nan, high=math.nan)


def draw_curves(
    evidence: Evidence,
    words: Words,
    lines: Sequence[Series],
    floors: Sequence[Curve],
    metric: str,
    stairs: int,
    log: bool,
    figure: Figure,
) -> dict[str, str]:
    """Lines over their dashed floors; their tooltips.

    Each line has the metric at a point at least. ``stairs`` is the number of cores whose multiples
    are marked, nought if none are; ``log`` makes both scales logarithmic.
    """
    axes, labels = _lay_out(figure, lines, metric, words, stairs=bool(stairs), log=log)
    tooltips = _draw_stairs(axes, stairs, lines, words) if stairs else {}
    for sizes, waits in floors:
        axes.plot(sizes, waits, color=MUTED, linestyle=FLOOR, linewidth=1.2)
    for line in lines:
        tooltips |= _draw_line(axes, line, metric, evidence, words)
    draw_labels(axes, labels)
    return tooltips


def _lay_out(
    figure: Figure,
    lines: Sequence[Series],
    metric: str,
    words: Words,
    *,
    stairs: bool,
    log: bool,
) -> tuple[Axes, list[Label]]:
    """Axes with scales, and the labels of the lines, for which they leave room at the right."""
    curves = [_list_points(line, metric) for line in lines]
    texts = _choose_texts(lines, curves, find_width(figure) * SHARE)
    last = max(sizes[-1] for sizes, _ in curves)
    ending = [text for text, (sizes, _) in zip(texts, curves, strict=True) if sizes[-1] == last]
    room_pt = min(max(map(len, ending)) * LETTER_PT, find_width(figure) / 2)
    left_pt = _find_left(lines, metric, words) if log else LEFT_PT
    axes = _add_axes(figure, left_pt, room_pt, metric, words, stairs=stairs)
    _scale(axes, lines, metric, words, log=log)
    return axes, place_labels(axes, curves, texts, [line.label for line in lines])


def _choose_texts(lines: Sequence[Series], curves: Sequence[Curve], room_pt: float) -> list[str]:
    """What to name the lines: by their names, if there is room for those that end at the right."""
    last = max(sizes[-1] for sizes, _ in curves)
    long = any(
        len(line.name) * LETTER_PT > room_pt
        for line, (sizes, _) in zip(lines, curves, strict=True)
        if sizes[-1] == last
    )
    return [line.label if long else line.name for line in lines]


def _find_left(lines: Sequence[Series], metric: str, words: Words) -> float:
    """Room for the numbers at a logarithmic axis, of which the least may be the longest."""
    found = [one for line in lines for one in _read_values(line, metric)[1] if one.low > 0]
    least = min((one.low for one in found), default=1.0)
    letters = len(_name_tick(10.0 ** math.floor(math.log10(least)), words))
    return max(LEFT_PT, LETTER_PT * (letters + 2))


def _add_axes(
    figure: Figure, left_pt: float, room_pt: float, metric: str, words: Words, *, stairs: bool
) -> Axes:
    """``left_pt`` for numbers, ``room_pt`` for labels at the right, on top room for those of stairs."""
    name = f"{words.metric(metric)}{_name_unit(metric, words)}"
    figure.text(0.01, 1 - 12 / HEIGHT_PT, name, color=MUTED)
    width_pt = find_width(figure) - left_pt - RIGHT_PT - room_pt
    top_pt = TOP_PT + STAIRS_PT * stairs
    axes = add_panel(figure, left_pt, top_pt, width_pt, HEIGHT_PT - top_pt - BOTTOM_PT)
    dress(axes, words.text("axis_tasks"))
    return axes


def _read_values(line: Series, metric: str) -> tuple[list[int], list[Estimate]]:
    """Numbers of tasks, and estimates in the unit of the axis; not a number where there is none."""
    unit = MIB if find_unit(metric) == "bytes" else 1
    sizes = [one.record.variant.tasks for one in line.points]
    found = (one.estimate(metric) or _NOTHING for one in line.points)
    return sizes, [
        Estimate(median=one.median / unit, low=one.low / unit, high=one.high / unit)
        for one in found
    ]


def _name_unit(metric: str, words: Words) -> str:
    """``, s`` after the name of an axis; nothing where numbers have no unit."""
    named = {"s": "s", "CPU s": "s", "bytes": "MiB"}
    unit = find_unit(metric)
    return f", {words.term('unit', named[unit])}" if unit in named else ""


def _list_points(line: Series, metric: str) -> Curve:
    """The medians that were measured; a line has one at least."""
    measured = [
        (size, value.median)
        for size, value in zip(*_read_values(line, metric), strict=True)
        if not math.isnan(value.median)
    ]
    sizes, medians = zip(*measured, strict=True)
    return sizes, medians


def _scale(axes: Axes, lines: Sequence[Series], metric: str, words: Words, *, log: bool) -> None:
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
        axis.set_major_formatter(lambda value, _: _name_tick(value, words))


def _name_tick(value: float, words: Words) -> str:
    """A number at an axis, with as many decimals as it takes not to read as nought."""
    if 0 < value < SMALL:
        return words.number(value, math.ceil(-math.log10(value) - 1e-9))
    return words.plain(value)


def _draw_line(
    axes: Axes, line: Series, metric: str, evidence: Evidence, words: Words
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
        if estimate := judgement.estimate(metric):
            key = f"l{pen.number}-{number}"
            subject = describe(evidence, judgement.record.variant, words)
            tooltips[key] = f"{subject}: {format_estimate(estimate, metric, words)}"
            pen.mark(axes, sizes[number], value.median, key, size_pt)
    return tooltips


def _draw_stairs(axes: Axes, cores: int, lines: Sequence[Series], words: Words) -> dict[str, str]:
    """Thin lines at the multiples of the number of cores, not too many; returns their tooltips."""
    sizes = [one.record.variant.tasks for line in lines for one in line.points]
    step = cores * math.ceil(max(sizes) / cores / STAIRS)
    place: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "ha": "center"}
    style = place | {"size": SMALL_PT, "color": MUTED}
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
            add_text(axes, label, (tasks, 1), (0, 3), **style)
            taken_pt = x_pt
    return tooltips
