"""Trends: how a program moved by Python release and date, each machine by itself."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from itertools import groupby

from markupsafe import Markup

from scripts.harness.pythons import rank_interpreter
from scripts.site.judge.history import Median
from scripts.site.judge.statistics import Estimate
from scripts.site.render.chart import Chart, fold, make_prefix, show_key, show_note, show_nothing
from scripts.site.render.curves import LOW_PT, Curves, Panel
from scripts.site.render.html import code, program_anchor, small, strong, table
from scripts.site.render.pen import Pen
from scripts.site.render.strokes import Line, Point
from scripts.site.render.words import Words

MOST_PANELS = 6
"""The machines with the longest history; the table has all."""

Series = Mapping[str, Sequence[Median]]
"""The medians of one machine and profile, in the order of their dates, by Python."""


def draw_trends(medians: Sequence[Median], words: Words, experiment: str, program: str) -> Markup:
    """A panel for each machine that was measured on several days, a line in it for each Python.

    Nothing is ever joined between machines: another CPU is another panel. The medians are of one
    program in one family, in any order.
    """
    if not medians:
        return show_nothing(words)
    machines = group_machines(medians)
    numbers = _show_table(machines, words, program)
    long = [one for one in machines if _count_dates(one) > 1]
    shown = sorted(long, key=_count_dates, reverse=True)[:MOST_PANELS]
    if not shown:
        return show_note(words.text("trends_none")) + numbers
    pythons = sorted({python for lines in shown for python in lines}, key=rank_interpreter)
    pens = {python: Pen(number) for number, python in enumerate(pythons)}
    dates = [one.date for lines in shown for line in lines.values() for one in line]
    panels = [
        Panel(
            [_make_line(python, line, pens[python], words) for python, line in lines.items()],
            _name(lines, words),
            LOW_PT,
        )
        for lines in shown
    ]
    return Chart(
        prefix=make_prefix("trends", experiment, program_anchor(program)),
        title=words.text("trends_title", program=program),
        picture=Curves(
            panels=panels,
            words=words,
            is_ratio=True,
            ticks={day.toordinal(): str(day) for day in (min(dates), max(dates))},
        ),
        signs=[(show_key(pen, line=True), python) for python, pen in pens.items()],
        below=fold(numbers, words),
    ).show()


def group_machines(medians: Sequence[Median]) -> list[Series]:
    """The series of each machine and profile, machines in the order of their models."""

    def place(one: Median) -> tuple[str, str, str]:
        return one.cpu_model, one.machine, one.profile

    found: list[Series] = []
    for _, group in groupby(sorted(medians, key=place), key=place):
        members = sorted(group, key=lambda one: (rank_interpreter(one.python), one.date))
        of_python = groupby(members, key=lambda one: one.python)
        found.append({python: list(line) for python, line in of_python})
    return found


def _count_dates(lines: Series) -> int:
    return len({one.date for line in lines.values() for one in line})


def _make_line(python: str, line: Sequence[Median], pen: Pen, words: Words) -> Line:
    return Line(
        python,
        pen,
        [
            Point(
                one.date.toordinal(),
                Estimate(median=one.speedup, low=one.low, high=one.high),
                f"{one.interpreter}, {_tell_date(one, words)}: {words.ratio(one.speedup)}",
            )
            for one in line
        ],
    )


def _show_table(machines: Sequence[Series], words: Words, program: str) -> Markup:
    """Each Python on each machine: when it was first and last measured, and what it gave then."""
    groups = {
        f"{_name(lines, words)} · {_take_last(lines).machine}": [
            (python, _show(line[0], words) if len(line) > 1 else None, _show(line[-1], words))
            for python, line in lines.items()
        ]
        for lines in machines
    }
    heads = ("Python", words.text("trends_first"), words.text("trends_last"))
    caption = words.text("trends_title", program=program)
    return table(words, caption, heads, groups, kind="sizes")


def _show(one: Median, words: Words) -> Markup:
    ends = f"{words.number(one.low, 2)}–{words.number(one.high, 2)}"
    about = Markup("{}, {}, {}").format(ends, _tell_date(one, words), code(one.interpreter))
    return strong(words.ratio(one.speedup)) + small(about)


def _take_last(lines: Series) -> Median:
    return next(iter(lines.values()))[-1]


def _name(lines: Series, words: Words) -> str:
    one = _take_last(lines)
    cores = words.count("cores_nominative", one.cores)
    return f"{one.cpu_model or words.text('unknown')}, {cores} · {one.profile}"


def _tell_date(one: Median, words: Words) -> str:
    return words.date(datetime.combine(one.date, time()))
