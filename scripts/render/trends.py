"""Trends: how a program moved by Python release and date, each machine by itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from functools import partial
from itertools import groupby
from typing import Literal

from markupsafe import Markup

from scripts.host.interpreters import rank_interpreter
from scripts.records.history import Median
from scripts.render.chart import Chart, fold, make_prefix, show_key, show_note, show_nothing
from scripts.render.html import cell, code, program_anchor, row_header, small, strong, table
from scripts.render.panel import SMALL_PT, Axes, Figure, add_panel, add_text, dress, find_width
from scripts.render.pen import Pen
from scripts.render.svg import MUTED
from scripts.render.words import Words

PANEL_PT, HEAD_PT, FOOT_PT, LEFT_PT, RIGHT_PT = 120, 26, 26, 34, 16
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
"""Of the first and the last day their names begin and end there: both stay within the picture."""
MOST_PANELS = 6
"""The machines with the longest history; the table has all."""

Lines = Mapping[str, Sequence[Median]]
"""The medians of one machine and profile, in the order of their dates, by Python."""


def draw_trends(medians: Sequence[Median], words: Words, experiment: str, program: str) -> Markup:
    """A panel for each machine that was measured on several days, a line in it for each Python.

    Nothing is ever joined between machines: another CPU is another panel. The medians are of one
    program in one family, in any order.
    """
    if not medians:
        return show_nothing(words)
    machines = _group(medians)
    long = {name: lines for name, lines in machines.items() if _count_dates(lines) > 1}
    shown = sorted(long, key=lambda name: -_count_dates(long[name]))[:MOST_PANELS]
    numbers = _show_table(machines, words, program)
    if not shown:
        return show_note(words.text("trends_none")) + numbers
    pythons = sorted({python for name in shown for python in long[name]}, key=rank_interpreter)
    pens = {python: Pen(number) for number, python in enumerate(pythons)}
    return Chart(
        prefix=make_prefix("trends", experiment, program_anchor(program)),
        title=words.text("trends_title", program=program),
        height_pt=len(shown) * PANEL_PT,
        draw=partial(_draw, {name: long[name] for name in shown}, pens, words),
        signs=[(show_key(pen, line=True), python) for python, pen in pens.items()],
        below=fold(numbers, words),
    ).show()


def _group(medians: Sequence[Median]) -> dict[tuple[str, str], Lines]:
    """The lines of each machine and profile, machines in the order of their models."""

    def place(one: Median) -> tuple[str, str, str]:
        return one.cpu_model, one.machine, one.profile

    found: dict[tuple[str, str], Lines] = {}
    for (_, machine, profile), group in groupby(sorted(medians, key=place), key=place):
        members = sorted(group, key=lambda one: (rank_interpreter(one.python), one.date))
        of_python = groupby(members, key=lambda one: one.python)
        found[machine, profile] = {python: list(line) for python, line in of_python}
    return found


def _count_dates(lines: Lines) -> int:
    return len({one.date for line in lines.values() for one in line})


def _draw(
    machines: Mapping[tuple[str, str], Lines],
    pens: Mapping[str, Pen],
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """All panels have one scale of dates; each has its own of speedups, from nought."""
    every = [one for lines in machines.values() for line in lines.values() for one in line]
    first, last = min(one.date for one in every), max(one.date for one in every)
    tooltips: dict[str, str] = {}
    for place, lines in enumerate(machines.values()):
        width_pt, height_pt = find_width(figure) - LEFT_PT - RIGHT_PT, PANEL_PT - HEAD_PT - FOOT_PT
        axes = add_panel(figure, LEFT_PT, place * PANEL_PT + HEAD_PT, width_pt, height_pt)
        dress(axes)
        one = next(iter(lines.values()))[-1]
        title = f"{_name(one, words)} · {one.profile}"
        add_text(axes, title, (0, 1), (-LEFT_PT + 4, 10), xycoords="axes fraction", size=SMALL_PT)
        axes.axhline(1, color=MUTED, linewidth=1)
        for python, line in lines.items():
            tooltips |= _draw_line(axes, line, pens[python], f"t{place}", words)
        pad = max(1, (last - first).days * 0.03)
        ticks = sorted({first.toordinal(), last.toordinal()})
        axes.set(xlim=(ticks[0] - pad, ticks[-1] + pad), xticks=ticks)
        highest = max(each.speedup for found in lines.values() for each in found)
        axes.set_ylim(0, max(1, highest) * 1.1)
        axes.tick_params(axis="x", pad=7)
        days = (first, last)[: len(ticks)]
        for label, side in zip(axes.set_xticklabels(map(str, days)), SIDES, strict=False):
            label.set_horizontalalignment(side)
        axes.yaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    return tooltips


def _draw_line(
    axes: Axes, line: Sequence[Median], pen: Pen, prefix: str, words: Words
) -> dict[str, str]:
    """The points of one Python, joined; their tooltips."""
    days = [one.date.toordinal() for one in line]
    axes.plot(days, [one.speedup for one in line], color=pen.colour, linestyle=pen.dash)
    tooltips = {}
    for number, one in enumerate(line):
        key = f"{prefix}-{pen.number}-{number}"
        tooltips[key] = f"{one.interpreter}, {_tell_date(one, words)}: {words.ratio(one.speedup)}"
        pen.mark(axes, days[number], one.speedup, key, 5)
    return tooltips


def _show_table(machines: Mapping[tuple[str, str], Lines], words: Words, program: str) -> Markup:
    """Each Python on each machine: when it was first and last measured, and what it gave then."""
    groups = {}
    for lines in machines.values():
        sample = next(iter(lines.values()))[-1]
        head = f"{_name(sample, words)} · {sample.profile} · {sample.machine}"
        groups[head] = [
            row_header(python)
            + cell(_show(line[0], words) if len(line) > 1 else "—")
            + cell(_show(line[-1], words))
            for python, line in lines.items()
        ]
    heads = ("Python", words.text("trends_first"), words.text("trends_last"))
    caption = words.text("trends_title", program=program)
    return table(words, caption, heads, groups, kind="sizes")


def _show(one: Median, words: Words) -> Markup:
    ends = f"{words.number(one.low, 2)}–{words.number(one.high, 2)}"
    about = Markup("{}, {}, {}").format(ends, _tell_date(one, words), code(one.interpreter))
    return strong(words.ratio(one.speedup)) + small(about)


def _name(one: Median, words: Words) -> str:
    return f"{one.cpu_model or words.text('unknown')}, {words.count('cores_nominative', one.cores)}"


def _tell_date(one: Median, words: Words) -> str:
    return words.date(datetime.combine(one.date, time()))
