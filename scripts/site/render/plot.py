"""Plots: rows of what was measured become one picture, its legend, its tooltips and its table.

Every chart is a list of ``Row`` and a ``Plot`` of them: dots in rows with a column of values beside
them, with bars to them where the scale begins at nought, or lines over numbers.
"""

import math
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby, pairwise, product
from typing import Literal, NamedTuple

from markupsafe import Markup

from poolwise.metrics import find_unit
from poolwise.record import Record
from poolwise.statistics import Estimate
from scripts.site.judge.agreement import GAIN, Denied, Drawn, find_denial
from scripts.site.judge.claims import Check
from scripts.site.render.estimates import READINGS_S, format_parts, scale_to_axis, stack_estimate
from scripts.site.render.figures import Figure, Number, hide_note, name_unit, write_numbers
from scripts.site.render.html import drop_tags, fold_away, join, render, slug, table
from scripts.site.render.svg import (
    DASHED,
    DASHES,
    GRID,
    LETTER_PT,
    MUTED,
    NARROW_PT,
    SMALL_PT,
    WIDE_PT,
    Canvas,
    Pen,
    Place,
)
from scripts.site.render.words import MIB, Words, choose_seconds

Sign = tuple[Markup, str]
"""A sign of a legend, and what it means."""

MOST_SPOKEN = 24  # values for those who cannot see a picture; the table has all of them
CRUSHED = 20  # values of which one is so many times another do not share a scale from nought
FEW = 4  # but so few dots, with their values beside them, show by bars how far apart they are
FEWEST_BARS = 2  # beside so many intervals a dot without one is not drawn
FEWEST_JOINED = 3  # points: a line through two says what nobody measured
WIDE = 3  # an interval whose ends are so many times apart is also told in words
MOST_WIDE = 3  # of such intervals, the widest
SMALLEST_PLAIN = 1e-3  # a smaller number is written with as many decimals as it takes
STEPS = (1, 2, 2.5, 5, 10)  # between ticks, as people count

EDGE_PT, GAP_PT = 8, 8
FOOT_PT, AXIS_PT, HEADING_PT = 18, 18, 22  # of the numbers of an axis, its name, a heading
HEADING_LINE_PT = 13  # a further line of a heading
BOLD_LETTER_PT, WIDE_LETTER_PT = 7.4, 6.5  # letters of headings, and of names that end before rows
LINE_PT, BAR_PT = 18, 10  # of rows of dots: a line's height, and that of a bar to its dot
MOST_NAMES = 0.4  # of the width, for the names before rows
PLOT_PT = 242  # the height of lines


class Finding(NamedTuple):
    """The claim that a chart shows, its sentence as the title, and the check that says so.

    All are empty where it is undecided.
    """

    claim: str = ""
    sentence: str = ""
    check: Check | None = None


NO_FINDING = Finding()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One value of a chart: whose it is, where it stands, and its tooltip.

    ``series`` is whose it is: it names a line, and dots. ``name`` tells dots of a series apart. ``x`` is
    its place: a number of tasks, of workers. ``floor`` is what its value cannot go below, none if it is nought. Without a
    ``tooltip`` a line goes through it and no point stands there. ``label`` is written beside
    a dot, ``cell`` in the table. ``metric`` is what its value is of, ``record`` the one that gave it.
    """

    series: str
    name: str = ""
    pen: Pen = field(default_factory=Pen)
    value: Estimate | None = None
    tooltip: str = ""
    x: float = 0
    floor: float = 0
    label: str = ""
    cell: str = ""
    metric: str = ""
    record: Record | None = None

    @property
    def is_single(self) -> bool:
        """Whether it rests on one trial: then it is drawn hollow, and no title rests on it."""
        return self.value is not None and self.value.is_point and not self.value.is_sure

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval that is drawn; none where nothing is known of it yet."""
        if self.value is None or self.value.is_point or self.value.is_unknown:
            return None
        return self.value.low, self.value.high

    @property
    def values(self) -> tuple[float, ...]:
        """Its median, then the ends of its interval if that is drawn; nothing without a value."""
        return (self.value.median, *(self.ends or ())) if self.value else ()

    def fill(
        self, value: Estimate | None, metric: str, words: Words, record: Record | None = None
    ) -> "Row":
        """Fill in a value of a metric and a record, which goes behind the tooltip so far."""
        if value is None:
            return self
        median, ends = format_parts(value, metric, words)
        label = add_unit(median, metric, words)
        return replace(
            self,
            value=scale_to_axis(value, metric),
            metric=metric,
            record=record,
            tooltip=f"{self.tooltip}: {label} ({ends})" if ends else f"{self.tooltip}: {label}",
            label=label,
            cell=stack_estimate(value, metric, words),
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values stand between two places of a picture; what lies beyond stands at the end."""

    low: float
    high: float
    start_pt: float
    end_pt: float
    is_log: bool = False

    def find(self, value: float) -> float:
        """Find the place of a value."""
        value = min(max(value, self.low), self.high)
        if self.is_log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start_pt + (self.end_pt - self.start_pt) * share

    def list_ticks(self, most: int, *, is_whole: bool = False) -> list[float]:
        """List at most about so many round values: powers of ten, or steps as people count."""
        from matplotlib.ticker import Locator, LogLocator, MaxNLocator

        locators: list[Locator] = [MaxNLocator(max(most, 2), steps=STEPS, integer=is_whole)]
        if self.is_log:  # a narrow scale has no two powers, nor them times 2 and 5
            locators = [LogLocator(subs=(1, 2, 5)), LogLocator(numticks=most), *locators]
        ticks: list[float] = []
        for locator in locators:
            steps = map(float, locator.tick_values(self.low, self.high))
            ticks = [step for step in steps if self.low <= step <= self.high]
            if 1 < len(ticks) <= most:
                break
        return ticks


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Rows as a chart, with all that stands around it.

    ``prefix`` is its id in the page and begins those of its parts. ``title`` is its neutral name,
    ``finding`` the claim which it shows. ``signs`` are further ones of the legend, ``below`` stands under
    the picture.

    ``mark`` is how rows are drawn; of a model those with a tooltip are points, and the others a dashed
    curve. ``paint``, if given, draws the picture in one width instead, ``has_bands`` says whether with
    intervals. ``axes`` names the horizontal and the vertical axis. A scale that is not logarithmic
    begins at nought.
    """

    prefix: str
    title: str
    rows: Sequence[Row]
    words: Words
    mark: Literal["dots", "lines"] = "dots"
    axes: tuple[str, str] = ("", "")
    is_log: bool = False
    finding: Finding = NO_FINDING
    signs: Sequence[Sign] = ()
    below: str = ""
    paint: Callable[["Plot", float], Canvas] | None = None
    has_bands: bool = True

    def show(self) -> Markup:
        """Show the figure as it stands in a page: of a wide and a narrow picture that shows one.

        Raises:
            Denied: it draws something else than its claim says.
        """
        if self.finding.check and (denial := find_denial(self.finding.check, self._list_drawn())):
            raise Denied(f"{self.prefix} denies {self.finding.claim}: {denial}")
        pictures = self.draw(WIDE_PT) + self.draw(NARROW_PT)
        return render("chart.html", chart=self, pictures=pictures)

    def _list_drawn(self) -> Iterator[Drawn]:
        """List what it draws of records, each in the unit of its metric."""
        for row in self.drawn:
            if row.value and row.record:
                scale = MIB if find_unit(row.metric) == "bytes" else 1
                yield Drawn(row.record, row.metric, row.value.median * scale)

    def draw(self, width_pt: float) -> Markup:
        """Draw the picture in one width; the wide one has the tooltips for both.

        Those who cannot see it are told every dot, and of a line the last point.
        """
        spoken = [row.tooltip for row in self.drawn]
        if self.paint:
            canvas = self.paint(self, width_pt)
        elif self.mark == "dots":
            canvas = draw_dots(self, width_pt)
        else:
            canvas = draw_lines(self, width_pt)
            spoken = [rows[-1].tooltip for rows in group(self.drawn).values()]
        is_wide = width_pt == WIDE_PT
        return canvas.format_svg(
            make_prefix(self.prefix, "" if is_wide else "narrow"),
            self.finding.sentence or self.title,
            "; ".join(spoken[:MOST_SPOKEN]),
            is_wide=is_wide,
        )

    @property
    def note(self) -> Markup:
        """The note of what is known of it besides its picture."""
        numbers: list[Number] = []
        units: dict[str, None] = {}
        for row in self.drawn:
            if row.value:
                place = (row.series, drop_tags(row.label), row.x)
                numbers.append(Number(*place, row.value, row.metric, row.record))
                units[name_unit(row.metric)] = None
        claim, unit = self.finding.claim, " ".join(units)
        return hide_note(Figure(claim=claim, unit=unit, numbers=write_numbers(numbers)))

    @property
    def legend(self) -> list[Sign]:
        """The lines and their floors, what else has a sign, and what bars and hollow points are."""
        signs: list[Sign] = []
        if self.mark == "lines":
            for name, rows in group(self.drawn).items():
                signs.append((show_key(rows[0].pen, is_line=len(rows) >= FEWEST_JOINED), name))
            for names in self.floors.values():
                key = "floor" if len(names) == len(signs) else "floor_of"
                signs.append((show_sign("level"), self.words.text(key, names=", ".join(names))))
        signs += self.signs
        if self.has_bands and any(row.ends for row in self.drawn):
            signs.append((show_sign("band"), self.words.text("band")))
        if any(row.is_single for row in self.drawn):
            kind = "outline" if self.paint else "hollow"
            signs.append((show_sign(kind), self.words.text("single")))
        return signs

    @cached_property
    def drawn(self) -> list[Row]:
        """The rows that have a value."""
        return [row for row in self.rows if row.value]

    @cached_property
    def floors(self) -> dict[tuple[Place, ...], list[str]]:
        """The floors, each as the places of its line, with the names of the series that have it."""
        floors: dict[tuple[Place, ...], list[str]] = defaultdict(list)
        for name, rows in group(self.rows).items():
            if floor := tuple((row.x, row.floor) for row in rows if row.floor):
                floors[floor].append(name)
        return floors

    @property
    def unsure(self) -> Markup:
        """A note that names the widest intervals, if some are wide; those of lines are seen, not read."""
        if self.mark != "dots" or not self.has_bands:
            return Markup()
        wide: dict[str, float] = {}
        for row in self.drawn:
            if row.ends and row.ends[1] >= WIDE * row.ends[0]:
                wide[row.tooltip] = row.ends[1] / max(row.ends[0], SMALLEST_PLAIN)
        widest = sorted(wide, key=lambda tooltip: -wide[tooltip])[:MOST_WIDE]
        if not widest:
            return Markup()
        return show_note(self.words.text("unsure", values="; ".join(widest)))

    def make_scale(self, start_pt: float, end_pt: float) -> Scale:
        """Make the scale of values between two places: from nought, or around what there is."""
        known: list[float] = []
        for row in self.drawn:
            known += [*row.values, row.floor]
        known = [end for end in known if 0 < end < math.inf] or [1.0]
        low, high = min(known), max(known)
        if self.is_log:
            return Scale(low / 1.15, high * 1.15, start_pt, end_pt, is_log=True)
        return Scale(0, high * 1.06, start_pt, end_pt)


def leave_out_single(rows: Sequence[Row], words: Words) -> tuple[list[Row], Markup]:
    """Leave out dots of one trial where others have intervals, and name them in a note."""
    known = [row for row in rows if row.value]
    sure = [row for row in known if not row.is_single]
    if len(sure) < FEWEST_BARS or len(sure) == len(known):
        return known, Markup()
    drawn = {row.series for row in sure}
    names: dict[str, None] = {}
    for row in known:
        if row.is_single and row.series in drawn:
            names[row.tooltip.rpartition(": ")[0]] = None
        elif row.is_single:
            names[row.series] = None
    return sure, show_note(words.text("left_out", names="; ".join(names)))


def group(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Group rows by their series, in the order in which these come."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.series].append(row)
    return groups


def is_crushed(values: Iterable[float]) -> bool:
    """Tell whether a scale from nought would press some of the values flat against it."""
    known = list(values)
    return max(known) > CRUSHED * min(known) > 0


def are_far_apart(rows: Sequence[Row]) -> bool:
    """Tell whether dots need a logarithmic scale: more than a few, and values of different orders."""
    return len(rows) > FEW and is_crushed(row.value.median for row in rows if row.value)


def name_value(value: float, plot: Plot) -> str:
    """Write a number of the axis of values; of a logarithmic one with its unit, as it has few."""
    words, metric = plot.words, plot.drawn[0].metric if plot.is_log and plot.drawn else ""
    if find_unit(metric) == "s" or metric in READINGS_S:
        value_s = value * READINGS_S.get(metric, 1)
        scale, unit = choose_seconds(value_s)
        return words.measure(words.plain(value_s / scale), unit)
    if find_unit(metric) == "bytes":
        return words.measure(words.plain(value), "MiB")
    if metric == GAIN:
        return f"×{words.plain(value)}"
    return name_tick(value, words)


def add_unit(text: str, metric: str, words: Words) -> str:
    """Add to a time that a program printed the unit in which it did."""
    if metric not in READINGS_S:
        return text
    return words.measure(text, choose_seconds(READINGS_S[metric])[1])


def name_tick(value: float, words: Words) -> str:
    """Write a number of an axis, with as many decimals as it takes not to read as nought."""
    if 0 < value < SMALLEST_PLAIN:
        return words.number(value, math.ceil(-math.log10(value) - 1e-9))
    return words.plain(value)


# The horizontal axis, of dots and of lines.


def fit_ticks(
    scale: Scale, name: Callable[[float], str], *, is_whole: bool = False
) -> dict[float, str]:
    """Name as many round values along a horizontal scale as have room for their names."""
    ticks: list[float] = []
    for most in range(12, 1, -1):
        ticks = scale.list_ticks(most, is_whole=is_whole)
        letters = max((len(name(tick)) for tick in ticks), default=0)
        steps_pt = [b - a for a, b in pairwise(map(scale.find, ticks))]
        if not steps_pt or min(steps_pt) >= (letters + 1) * LETTER_PT:
            break
    return {tick: name(tick) for tick in ticks}


def draw_across(
    plot: Plot,
    canvas: Canvas,
    scale: Scale,
    ends_pt: tuple[float, float],
    ticks: Mapping[float, str],
) -> None:
    """Draw the grid between the top and the bottom, and beneath it the numbers and the axis's name."""
    bottom_pt = ends_pt[1]
    xs = [scale.find(tick) for tick in ticks]
    canvas.draw([[(x, ends_pt[0]), (x, bottom_pt)] for x in xs], GRID, 0.6)
    for x, name in zip(xs, ticks.values(), strict=True):
        canvas.write(name, (x, bottom_pt + 11), at="center", colour=MUTED)
    name, middle_pt = plot.axes[0], (scale.start_pt + scale.end_pt) / 2
    middle_pt = min(middle_pt, canvas.width_pt - len(name) * LETTER_PT / 2)
    canvas.write(name, (middle_pt, bottom_pt + FOOT_PT + 8), at="center", colour=MUTED)


# Dots: rows of medians, the interval through each, its value in a column beside.


def draw_dots(plot: Plot, width_pt: float) -> Canvas:
    """Draw rows below one another on one scale, with the name of a series before its first or above it.

    Values are in a column at the right: beside the dots they would hide others, and at the ends of
    intervals be taken for ends.
    """
    groups, is_wide = group(plot.drawn), width_pt == WIDE_PT
    name_pt = max((len(row.name) for row in plot.drawn), default=0) * WIDE_LETTER_PT
    value_pt = max((len(row.label) for row in plot.drawn), default=0) * LETTER_PT + GAP_PT
    series_pt = width_pt
    if is_wide:
        series_pt = min(max(map(len, groups)) * BOLD_LETTER_PT, MOST_NAMES * width_pt)
    start_pt = EDGE_PT + name_pt + GAP_PT + (series_pt + GAP_PT) * is_wide
    scale = plot.make_scale(start_pt, width_pt - GAP_PT - value_pt)
    lines: list[tuple[str, float]] = []
    placed: list[tuple[Row, float]] = []
    bottom_pt: float = EDGE_PT / 2
    for name, rows in groups.items():
        heading = textwrap.wrap(name, int(series_pt / BOLD_LETTER_PT))
        lines += [
            (line, bottom_pt + LINE_PT / 2 + n * HEADING_LINE_PT) for n, line in enumerate(heading)
        ]
        heading_pt = HEADING_LINE_PT * len(heading)
        top_pt = bottom_pt
        if not is_wide:
            top_pt += heading_pt + GAP_PT / 2
        placed += [(row, top_pt + LINE_PT * (n + 0.5)) for n, row in enumerate(rows)]
        bottom_pt = max(top_pt + LINE_PT * len(rows), bottom_pt + heading_pt) + GAP_PT
    canvas = Canvas(width_pt, bottom_pt + FOOT_PT + AXIS_PT)
    ticks = fit_ticks(scale, partial(name_value, plot=plot))
    draw_across(plot, canvas, scale, (EDGE_PT / 2, bottom_pt), ticks)
    for line, y_pt in lines:
        canvas.write(line, (EDGE_PT - 2, y_pt), is_bold=True)
    for row, y_pt in placed:
        canvas.write(row.name, (start_pt - GAP_PT, y_pt), at="right", colour=MUTED)
        canvas.write(row.label, (scale.end_pt + GAP_PT, y_pt), size_pt=SMALL_PT)
        places = [(scale.find(value), y_pt) for value in row.values]
        if plot.is_log:
            canvas.draw([[(scale.start_pt, y_pt), (scale.end_pt, y_pt)]], GRID)
        else:
            bar = [(scale.start_pt, y_pt), places[0]]
            canvas.draw([bar], row.pen.sentinel, BAR_PT, alpha=0.35)
        _draw_value(canvas, row, places)
    return canvas


def _draw_value(canvas: Canvas, row: Row, places: Sequence[Place], size_pt: float = 7) -> None:
    """Draw a row whose values have these places: its point, above its interval."""
    canvas.draw([places[1:]] if row.ends else [], row.pen.sentinel, 3, alpha=0.6)
    canvas.mark(places[0], row.pen, row.tooltip, size_pt=size_pt, is_hollow=row.is_single)


# Lines: what was measured by a number.


def draw_lines(plot: Plot, width_pt: float) -> Canvas:
    """Draw lines over a horizontal axis."""
    top_pt, bottom_pt = HEADING_PT, HEADING_PT + PLOT_PT
    canvas = Canvas(width_pt, bottom_pt + FOOT_PT + AXIS_PT + 2)
    canvas.write(plot.axes[1], (2, 10), colour=MUTED)
    scale = plot.make_scale(bottom_pt, top_pt)
    ticks = scale.list_ticks(7)
    letters = max((len(name_value(tick, plot)) for tick in ticks), default=1)
    left_pt = min(max(36, LETTER_PT * (letters + 2)), width_pt / 4)
    across = _make_across(plot, left_pt, width_pt - 3 * LETTER_PT / 2 - 4)
    is_whole = all(float(row.x).is_integer() for row in plot.drawn if row.tooltip)
    places = fit_ticks(across, partial(name_tick, words=plot.words), is_whole=is_whole)
    draw_across(plot, canvas, across, (top_pt, bottom_pt), places)
    for tick in ticks:
        y_pt = scale.find(tick)
        canvas.draw([[(left_pt, y_pt), (across.end_pt, y_pt)]], GRID, 0.6)
        canvas.write(name_value(tick, plot), (left_pt - 4, y_pt), at="right", colour=MUTED)
    canvas.draw([[(left_pt, bottom_pt), (across.end_pt, bottom_pt)]], GRID)
    _draw_series(plot, canvas, across, scale)
    return canvas


def _make_across(plot: Plot, left_pt: float, right_pt: float) -> Scale:
    """Make the horizontal scale, a little wider than what stands on it."""
    xs = [row.x for row in plot.drawn]
    first, last = min(xs), max(xs)
    if plot.is_log:
        wider = max(1.08, (last / first) ** 0.04)
        return Scale(first / wider, last * wider, left_pt, right_pt, is_log=True)
    pad = (last - first) * 0.04 or 1
    return Scale(first - pad if first >= last / 4 else 0, last + pad, left_pt, right_pt)


def _draw_series(plot: Plot, canvas: Canvas, across: Scale, scale: Scale) -> None:
    """Draw the lines with their intervals and points."""
    for floor in plot.floors:
        places = [(across.find(x), scale.find(y)) for x, y in floor]
        canvas.draw([places], MUTED, 1.2, DASHED)
    for rows in group(plot.rows).values():
        pen = rows[0].pen
        for known, line in groupby(rows, lambda row: bool(row.value)):
            places = [(across.find(row.x), scale.find(row.values[0])) for row in line if known]
            if len(places) >= FEWEST_JOINED:
                canvas.draw([places], pen.sentinel, 1.5, pen.dash)
        points = [row for row in rows if row.value and row.tooltip]
        size_pt = 6.0
        if len(points) > 15:  # many points would hide each other
            size_pt = 4.5
        if len(points) > 40:
            size_pt = 3
        for row in points:
            places = [(across.find(row.x), scale.find(value)) for value in row.values]
            _draw_value(canvas, row, places, size_pt)


# Around a picture.


def pivot(
    rows: Iterable[Row], words: Words, caption: str, head: str, names: Sequence[str] = ()
) -> Markup:
    """Show rows as a table, folded away: a row for each number, and a column for each series.

    If the places have ``names``, it is the other way round.
    """
    cells: dict[tuple[str, float], list[str]] = defaultdict(list)
    for row in rows:
        if row.cell:
            cells[row.series, row.x].append(row.cell)
    series = list(dict.fromkeys(name for name, _ in cells))
    xs = sorted({x for _, x in cells})
    lines: list[list[Markup | str | None]] = []

    def add(name: str, places: Iterable[tuple[str, float]]) -> None:
        texts = [cells.get(place, []) for place in places]
        lines.append([name, *(join(text) or None for text in texts)])

    if names:
        columns = [names[int(x)] for x in xs]
        for name in series:
            add(name, product([name], xs))
    else:
        columns = series
        for x in xs:
            add(words.number(x, 0), product(series, [x]))
    return fold(table(words, caption, [head, *columns], lines, kind="sizes"), words)


def make_prefix(*parts: object) -> str:
    """Make the id of a chart in a page of all that tells it from others; empty parts are left out."""
    return "-".join(slug(str(part)) for part in parts if part not in (None, "", False))


def show_key(pen: Pen, *, is_line: bool = False) -> Markup:
    """Show the sign of a pen: its shape, on its line if it is one."""
    colour = f"series-{pen.colour + 1}"
    kind = f"key key-{pen.shape} {colour}"
    if not is_line:
        return Markup('<span class="{}" aria-hidden="true"></span>').format(kind)
    return Markup(
        '<span class="key-line dash-{} {}" aria-hidden="true"><span class="{}"></span></span>'
    ).format(pen.number % len(DASHES) + 1, colour, kind)


def show_sign(name: str) -> Markup:
    """Show a sign that is no pen's: ``band``, ``level``, ``swatch series-1``."""
    return Markup('<span class="key key-{}" aria-hidden="true"></span>').format(name)


def show_note(text: str) -> Markup:
    """Show a sentence under a picture."""
    return Markup('<p class="chart-note">{}</p>').format(text)


def fold(numbers: Markup, words: Words) -> Markup:
    """Fold the numbers of a chart away."""
    return fold_away(words.text("numbers"), numbers)


def show_nothing(words: Words) -> Markup:
    """Say so instead of a chart that would be empty."""
    return show_note(words.text("not_measured"))
