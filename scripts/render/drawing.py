"""Drawing: what all charts share: what to show, pens, dots, panels, the legend and the frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from scripts.declare.metrics import METRICS
from scripts.judge.cells import choose_end, choose_interpreter, select_cells, select_measured
from scripts.judge.evidence import Evidence
from scripts.judge.judgement import Judgement
from scripts.judge.statistics import Estimate
from scripts.records.variant import Variant
from scripts.render.html import join, slug, small
from scripts.render.svg import GRID, INK, PAPER, SERIES
from scripts.render.words import Words, choose_decimals

if TYPE_CHECKING:  # matplotlib is slow to import, and not every page has a chart
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH_PT = 340
SMALL_PT = 10
LETTER_PT = 5.6
"""About the width of a letter of the small size, in fonts that we do not know."""

DASHED = (0, (2, 1.5))
DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = ("o", "s", "D", "^", "v", "o", "s")
_KEYS = ("circle", "square", "diamond", "up", "down", "circle", "square")
VALUE_PT, GAP_PT = 42, 8
"""Of the column of values at the right of a chart's rows, and between it and them."""
TOP_PT, BOTTOM_PT = 4, 40
"""Above the rows, and below them for the axis."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How the series of a number looks: 28 differ, and do so without their colours.

    Every second shape is hollow, so that a shape that comes twice looks different.
    """

    number: int

    @property
    def colour(self) -> str:
        """A sentinel of ``svg``."""
        return SERIES[self.number % len(SERIES)]

    @property
    def dash(self) -> object:
        """A line style of matplotlib."""
        return DASHES[self.number % len(DASHES)]

    def mark(self, axes: Axes, x: float, y: float, key: str, size_pt: float = 7) -> None:
        """Draw its shape at a point; ``key`` is what the tooltip goes by."""
        hollow = self.number % len(SERIES) % 2
        axes.plot(
            (x,),
            (y,),
            marker=MARKERS[self.number % len(MARKERS)],
            markersize=size_pt,
            markerfacecolor=PAPER if hollow else self.colour,
            markeredgecolor=self.colour,
            markeredgewidth=2 if size_pt > 5 else 1,
            linestyle="none",
            gid=key,
            clip_on=False,
            zorder=3,
        )

    def show_key(self, *, line: bool = False) -> Markup:
        """The sign of the legend: its shape, on its line if it is one."""
        series = self.number % len(SERIES)
        kind = f"key key-{_KEYS[series]} series-{series + 1}"
        if not line:
            return Markup('<span class="{}" aria-hidden="true"></span>').format(kind)
        dash = self.number % len(DASHES) + 1
        return Markup(
            '<span class="key-line dash-{} series-{}" aria-hidden="true">'
            '<span class="{}"></span></span>'
        ).format(dash, series + 1, kind)


def draw_dot(
    axes: Axes,
    estimate: Estimate,
    y_pt: float,
    pen: Pen,
    key: str,
    label: str,
    *,
    bold: bool = False,
) -> None:
    """A median as a dot, its interval through it, on a thin line that leads to its label.

    The labels form a column at the right of the rows: beside the dots they would hide others,
    and at the ends of the intervals be taken for the ends.
    """
    ends = (estimate.low, estimate.high)
    axes.axhline(y_pt, color=GRID, linewidth=1, zorder=1)
    axes.plot(ends, (y_pt, y_pt), color=pen.colour, linewidth=4, alpha=0.45)
    pen.mark(axes, estimate.median, y_pt, key)
    style = {"size": SMALL_PT, "color": INK, "weight": "bold" if bold else "normal"}
    where = ("axes fraction", "data")
    write(axes, label, (1, y_pt), (GAP_PT, 0), xycoords=where, va="center", **style)


def write(
    axes: Axes,
    text: str,
    at: tuple[float, float],
    shift_pt: tuple[float, float],
    **style: Any,  # noqa: ANN401 - whatever matplotlib knows
) -> None:
    """Text beside a point of the axes, or of what ``xycoords`` says."""
    axes.annotate(text, at, shift_pt, textcoords="offset points", annotation_clip=False, **style)


def add_panel(
    figure: Figure, left_pt: float, top_pt: float, width_pt: float, height_pt: float
) -> Axes:
    """Axes at a place in the figure, counted from its top left corner."""
    whole_width, whole_height = figure.get_size_inches() * 72
    bottom = 1 - (top_pt + height_pt) / whole_height
    place = (left_pt / whole_width, bottom, width_pt / whole_width, height_pt / whole_height)
    return figure.add_axes(place)


def lay_rows(left_pt: float, rows_pt: float, label: str) -> tuple[Figure, Axes]:
    """A figure of rows: room for their names, axes counted in points from the top, room for values.

    Args:
        left_pt: where the axes begin.
        rows_pt: how high all rows are.
        label: of the horizontal axis.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_PT / 72, (TOP_PT + rows_pt + BOTTOM_PT) / 72))
    axes = add_panel(figure, left_pt, TOP_PT, WIDTH_PT - left_pt - GAP_PT - VALUE_PT, rows_pt)
    axes.set_ylim(rows_pt, 0)
    axes.yaxis.set_visible(False)
    dress(axes, label)
    return figure, axes


def measure_names(names: Iterable[str]) -> float:
    """About how wide names at the left of a picture are, in points; half of it at most."""
    return min(max(map(len, names)) * LETTER_PT * 1.15, WIDTH_PT / 2)  # larger than small


def dress(axes: Axes, label: str = "") -> None:
    """Axes without a frame, with a quiet grid; ``label`` is that of the horizontal one."""
    axes.set_xlabel(label)
    axes.grid(axis="both", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.patch.set_visible(False)


def select_judgements(
    evidence: Evidence, family: str, programs: Sequence[str] = ()
) -> list[Judgement]:
    """The judgements of a family on the most cores and the first interpreter that has any.

    Args:
        evidence: of one experiment.
        family: its name.
        programs: only these, in this order; none for all, in the order of their declaration.

    Raises:
        ValueError: the family has no such program; names those there are.
    """
    members = select_cells(evidence.judgements, family=family)
    known = list(dict.fromkeys(one.record.variant.program for one in members))
    if unknown := sorted(set(programs) - set(known)):
        raise ValueError(f"no {', '.join(unknown)} in {family}; there are {', '.join(known)}")
    shown = choose_first_interpreter(evidence, members)
    most = choose_end(select_measured(shown), "cores")
    if not most:
        return []
    arena = select_cells(shown, cores=most[0].record.variant.cores)
    return [one for program in programs or known for one in select_cells(arena, program=program)]


def choose_first_interpreter(
    evidence: Evidence, judgements: Sequence[Judgement]
) -> list[Judgement]:
    """Those of the first interpreter on which any was measured, in the order of the build."""
    return choose_interpreter(judgements, [one.id for one in evidence.interpreters])


def name_family(evidence: Evidence, family: str, words: Words) -> str:
    """The title that the experiment gives a family."""
    return words.choose(evidence.experiment.family(family).title)


def name_place(evidence: Evidence, variant: Variant, words: Words, *, form: str = "cores") -> str:
    """Where something was measured: ``2 cores``, with the interpreter where there are several.

    ``form`` names the plural forms of cores that the sentence wants.
    """
    return add_interpreter(words.count(form, variant.cores), evidence, variant)


def add_interpreter(name: str, evidence: Evidence, variant: Variant) -> str:
    """A name, followed by the interpreter where there are several."""
    return f"{name}, {variant.interpreter}" if len(evidence.interpreters) > 1 else name


def name_method(evidence: Evidence, variant: Variant) -> str:
    """The program, with its start method if it is measured with several."""
    programs = {program.name: program for program in evidence.experiment.programs}
    methods = programs[variant.program].start_methods or evidence.experiment.start_methods
    several = variant.start_method and len(methods) > 1
    return f"{variant.program} {variant.start_method}" if several else variant.program


def describe(evidence: Evidence, variant: Variant, words: Words) -> str:
    """A tooltip's beginning: the program with its sizes."""
    tasks, workers = words.count("tasks", variant.tasks), words.count("workers", variant.workers)
    return f"{name_method(evidence, variant)}, {tasks}, {workers}"


def show_estimate(estimate: Estimate, metric: str, words: Words) -> tuple[str, str]:
    """A median and both ends of its interval, in the unit of a metric; of a reading, numbers."""
    if metric not in METRICS or METRICS[metric].unit != "s":
        ends = (words.value(metric, end) for end in (estimate.low, estimate.high))
        return words.value(metric, estimate.median), "–".join(dict.fromkeys(ends))
    # Milliseconds need more decimals than the tables of whole programs have.
    magnitude = math.floor(math.log10(estimate.median)) if estimate.median > 0 else 0
    decimals = max(choose_decimals(estimate), 1 - magnitude)
    low, high = (words.number(value, decimals) for value in (estimate.low, estimate.high))
    return words.seconds(estimate.median, decimals), f"{low}–{high}"


def write_estimate(estimate: Estimate, metric: str, words: Words) -> str:
    """An estimate in a line of text: its median and, if it is not of one trial, its interval."""
    median, interval = show_estimate(estimate, metric, words)
    return median if estimate.is_point else f"{median} ({interval})"


def stack_estimate(estimate: Estimate, metric: str, words: Words) -> Markup:
    """An estimate in a cell of a table: its median, and below it, if there is one, its interval."""
    median, interval = show_estimate(estimate, metric, words)
    return Markup.escape(median) + small("" if estimate.is_point else interval)


def show_legend(items: Iterable[tuple[Markup, str]]) -> Markup:
    """Signs with what they mean."""
    shown = join(Markup("<li>{}{}</li>").format(sign, meaning) for sign, meaning in items)
    return Markup('<ul class="chart-legend">{}</ul>').format(shown) if shown else shown


def show_sign(name: str) -> Markup:
    """A sign of the legend that is no pen's: ``band``, ``floor``, ``level``, ``stair``, ``cell``."""
    return Markup('<span class="key key-{}" aria-hidden="true"></span>').format(name)


def make_prefix(*parts: object) -> str:
    """The id of a chart in a page, of all that tells it from others; empty parts are left out."""
    return "-".join(slug(str(part)) for part in parts if part not in (None, "", False))


def frame(
    svg: Markup,
    title: str,
    legend: Markup,
    prefix: str,
    *,
    below: Markup = Markup(),  # noqa: B008 - cannot be changed
    kind: str = "",
) -> Markup:
    """The figure: title, legend, picture and what belongs below it."""
    classes = f"chart chart-{kind}" if kind else "chart"
    return Markup(
        '<figure class="{}" id="{}" data-search-exclude><figcaption>{}</figcaption>{}{}{}</figure>'
    ).format(classes, prefix, title, legend, svg, below)


def show_note(text: str) -> Markup:
    """A sentence under a picture."""
    return Markup('<p class="chart-note">{}</p>').format(text)


def fold(table: Markup, words: Words) -> Markup:
    """The numbers of a chart, which the reader unfolds."""
    return Markup('<details class="chart-numbers"><summary>{}</summary>{}</details>').format(
        words.text("numbers"), table
    )


def show_nothing(words: Words) -> Markup:
    """Instead of a chart that would be empty."""
    return show_note(words.text("chart_nothing"))
