"""Heat pictures: programs in rows, releases of Python in columns, each against the one before it.

Each cell has its number; what is faster or slower for sure has the colour of that, and all else is pale.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from markupsafe import Markup

from poolwise.pythons import rank_interpreter
from scripts.site.judge.agreement import GAIN
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.ratios import Ratio
from scripts.site.judge.releases import is_decided, is_same, tabulate
from scripts.site.render.builds import draw_padlock
from scripts.site.render.estimates import format_ratio
from scripts.site.render.html import small
from scripts.site.render.names import name_family
from scripts.site.render.plot import (
    Finding,
    Plot,
    Row,
    group,
    make_prefix,
    pivot,
    show_nothing,
    show_sign,
)
from scripts.site.render.svg import (
    LETTER_PT,
    MUTED,
    SMALL_PT,
    Canvas,
    Pen,
    Place,
    find_colour,
    outline_box,
)
from scripts.site.render.words import Words

BETTER, WORSE, EVEN = Pen(find_colour("sequential")), Pen(find_colour("threads")), Pen()
SHADE, PALE = 0.4, 0.1
CELL_PT, WIDEST_PT = 18.0, 64  # the height of a cell, and the most of its width
HEADING_PT, LABEL_PT, GAP_PT, PADLOCK_PT = 38.0, 18, 8, 16.0
RIMLESS = "plain"  # the class of texts that no line crosses, so that they need no rim

Column = tuple[str, str]
"""A version, and what it is compared in: one thread with the GIL ``on`` or ``off``, or the ``gain`` of two."""


def show_releases(evidence: Evidence, words: Words) -> Markup:
    """Show how many times as fast each release is as the one before it, and two threads as one."""
    compared, table = tabulate(evidence)
    columns = [(column.new.version, column.kind) for column in compared]
    rows: list[Row] = []
    for ratios in table.values():
        for place, ratio in enumerate(ratios):
            if ratio:
                label = name_family(evidence, ratio.record.family, words)
                rows.append(_make_row(label, place, columns[place], ratio, words))
    if not rows:
        return show_nothing(words)
    title = words.text("releases_title")
    names = [f"{version}, {words.text(f'releases_{kind}')}" for version, kind in columns]
    return Plot(
        prefix=make_prefix("releases", evidence.experiment.name),
        title=title,
        rows=rows,
        words=words,
        finding=Finding("", _count_decided(rows, len(table) * len(columns), words)),
        signs=[
            (show_sign(f"swatch series-{BETTER.colour + 1}"), words.text("releases_better")),
            (show_sign(f"swatch series-{WORSE.colour + 1}"), words.text("releases_worse")),
        ],
        has_bands=False,
        below=pivot(rows, words, title, words.text("program"), names),
        paint=partial(draw_heat, columns=columns),
    ).show()


def _make_row(label: str, place: int, column: Column, ratio: Ratio, words: Words) -> Row:
    """Make the row of a cell: its number, and the pen of what it says."""
    value, (version, kind) = ratio.estimate, column
    pen, text = EVEN, "?"
    if is_same(value):
        text = "="
    elif is_decided(value):
        pen, text = BETTER if value.low > 1 else WORSE, words.number(value.median, 2)
    median, ends = format_ratio(value, words)
    return Row(
        series=label,
        x=place,
        value=value,
        pen=pen,
        metric=GAIN,
        tooltip=f"{label}, {version}, {words.text(f'releases_{kind}')}: {median} ({ends})",
        label=text,
        cell=Markup.escape(median) + small(ends),
        record=ratio.record,
    )


def _count_decided(rows: Sequence[Row], every: int, words: Words) -> str:
    """Count the comparisons that are decided, and how they came out."""
    labels, pens = Counter(row.label for row in rows), Counter(row.pen for row in rows)
    numbers = {"decided": len(rows) - labels["?"], "all": every, "same": labels["="]}
    numbers |= {"faster": pens[BETTER], "slower": pens[WORSE]}
    places = {name: words.number(number, 0) for name, number in numbers.items()}
    return words.text("releases_found", **places)


# The picture.


def draw_heat(plot: Plot, width_pt: float, *, columns: Sequence[Column]) -> Canvas:
    """Draw a block for each kind of comparison: a line for each program, a cell for each release."""
    series, kinds = group(plot.rows), list(dict.fromkeys(map(itemgetter(1), columns)))
    versions = sorted(set(map(itemgetter(0), columns)), key=rank_interpreter)
    left_pt = max(map(len, series)) * LETTER_PT + GAP_PT
    cell_pt = min((width_pt - left_pt) / len(versions), WIDEST_PT)
    lefts_pt = {version: left_pt + cell_pt * place for place, version in enumerate(versions)}
    block_pt = LABEL_PT + CELL_PT * len(series) + GAP_PT
    canvas = Canvas(width_pt, HEADING_PT + block_pt * len(kinds))
    _name_releases(canvas, list(lefts_pt.items()), cell_pt, HEADING_PT)
    for number, kind in enumerate(kinds):
        y_pt = HEADING_PT + block_pt * number + LABEL_PT / 2
        _draw_mark(canvas, kind, (0, y_pt))
        canvas.write(plot.words.text(f"releases_{kind}"), (PADLOCK_PT, y_pt), is_bold=True)
        for label, rows in series.items():
            y_pt += CELL_PT
            canvas.write(label, (0, y_pt), size_pt=SMALL_PT)
            for row in rows:
                version, of_column = columns[int(row.x)]
                if of_column == kind:
                    _draw_cell(canvas, row, (lefts_pt[version], y_pt), cell_pt)
    return canvas


def _draw_mark(canvas: Canvas, kind: str, place: Place) -> None:
    """Draw what stands for a group of columns: a padlock, or the number of threads."""
    if kind == "gain":
        canvas.write("2", (place[0] + 3, place[1]), is_bold=True)
    else:
        draw_padlock(canvas, place, is_shut=kind == "on")


def _name_releases(
    canvas: Canvas, releases: Sequence[tuple[str, float]], cell_pt: float, bottom_pt: float
) -> None:
    """Name releases, each at the left end of its cells, by minor version and what is after it."""

    def find_minor(release: tuple[str, float]) -> str:
        return ".".join(release[0].split(".")[:2])

    for minor, of_minor in groupby(releases, find_minor):
        alike = list(of_minor)
        first_pt, last_pt = alike[0][1], alike[-1][1] + cell_pt
        canvas.write(minor, ((first_pt + last_pt) / 2, bottom_pt - 26), at="center")
        canvas.draw([[(first_pt + 2, bottom_pt - 17), (last_pt - 2, bottom_pt - 17)]], MUTED, 0.8)
        for version, left_pt in alike:
            patch = version.removeprefix(minor)
            if not patch.removeprefix(".").isdecimal():
                patch = patch.removeprefix(".0")  # of pre-releases
            place = (left_pt + cell_pt / 2, bottom_pt - 8)
            canvas.write(patch, place, at="center", colour=MUTED, size_pt=SMALL_PT)


def _draw_cell(canvas: Canvas, row: Row, place: Place, cell_pt: float) -> None:
    """Draw a cell, whose left end has its middle at a place, with its number: bold if it is no tie."""
    (left_pt, y_pt), is_bold = place, row.pen != EVEN
    box = outline_box(left_pt, y_pt - CELL_PT / 2, left_pt + cell_pt - 1, y_pt + CELL_PT / 2 - 1)
    shade = SHADE if is_bold else PALE
    canvas.fill(box, "point", row.tooltip, colour=row.pen.sentinel, alpha=shade)
    middle = (left_pt + cell_pt / 2, y_pt)
    canvas.write(row.label, middle, at="center", size_pt=SMALL_PT, kind=RIMLESS, is_bold=is_bold)
