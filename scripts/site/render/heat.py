"""Heat pictures: programs in rows, releases of Python in columns, each against the one before it.

Each cell has its number; what is faster or slower for sure has the colour of that, and all else is pale.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
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
HEADING_PT, LABEL_PT, GAP_PT, PADLOCK_PT = 34.0, 18, 8, 16.0
RIMLESS = "plain"  # the class of texts that no line crosses, so that they need no rim

Column = tuple[str, str]
"""A version, and what it is compared in: one thread with the GIL ``on`` or ``off``, or the ``gain`` of two."""


def show_releases(evidence: Evidence, words: Words) -> Markup:
    """Show how many times as fast each release is as the one before it, and two threads as one."""
    compared, table = tabulate(evidence)
    columns = [(column.new.version, column.kind) for column in compared]
    rows: list[Row] = []
    for ratios in table:
        for place, ratio in enumerate(ratios):
            if ratio:
                label = name_family(evidence, ratio.record.family, words)
                rows.append(_make_row(label, place, columns[place], ratio, words))
    if not rows:
        return show_nothing(words)
    title, every = words.text("releases_title"), len(table) * len(columns)
    labels, pens = Counter(row.label for row in rows), Counter(row.pen for row in rows)
    counts = {"decided": len(rows) - labels["?"], "all": every, "same": labels["="]}
    counts |= {"faster": pens[BETTER], "slower": pens[WORSE]}
    numbers = {name: words.number(count, 0) for name, count in counts.items()}
    names = [f"{version}, {words.text(f'releases_{kind}')}" for version, kind in columns]
    return Plot(
        prefix=make_prefix("releases", evidence.experiment.name),
        title=title,
        rows=rows,
        words=words,
        finding=Finding("", words.text("releases_found", **numbers)),
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


def draw_heat(plot: Plot, width_pt: float, *, columns: Sequence[Column]) -> Canvas:
    """Draw a block for each kind of comparison: a line for each program, a cell for each release."""
    series, kinds = group(plot.rows), list(dict.fromkeys(map(itemgetter(1), columns)))
    versions = sorted(set(map(itemgetter(0), columns)), key=rank_interpreter)
    left_pt = max(map(len, series)) * LETTER_PT + GAP_PT
    cell_pt = min((width_pt - left_pt) / len(versions), WIDEST_PT)
    lefts_pt = {version: left_pt + cell_pt * place for place, version in enumerate(versions)}
    block_pt = LABEL_PT + CELL_PT * len(series) + GAP_PT
    canvas = Canvas(width_pt, HEADING_PT + block_pt * len(kinds))
    for version, left_pt in lefts_pt.items():
        major, minor, patch = version.split(".", 2)
        canvas.write(f"{major}.{minor}", (left_pt + cell_pt / 2, 10), at="center")
        place = (left_pt + cell_pt / 2, 24)
        canvas.write(f".{patch}", place, at="center", colour=MUTED, size_pt=SMALL_PT)
    for number, kind in enumerate(kinds):
        y_pt = HEADING_PT + block_pt * number + LABEL_PT / 2
        draw_padlock(canvas, (0, y_pt), is_shut=kind == "on")
        canvas.write(plot.words.text(f"releases_{kind}"), (PADLOCK_PT, y_pt), is_bold=True)
        for label, rows in series.items():
            y_pt += CELL_PT
            canvas.write(label, (0, y_pt), size_pt=SMALL_PT)
            for row in rows:
                version, of_column = columns[int(row.x)]
                if of_column == kind:
                    _draw_cell(canvas, row, (lefts_pt[version], y_pt), cell_pt)
    return canvas


def _draw_cell(canvas: Canvas, row: Row, place: Place, cell_pt: float) -> None:
    """Draw a cell, whose left end has its middle at a place, with its number: bold if it is no tie."""
    (left_pt, y_pt), is_bold = place, row.pen != EVEN
    box = outline_box(left_pt, y_pt - CELL_PT / 2, left_pt + cell_pt - 1, y_pt + CELL_PT / 2 - 1)
    shade = SHADE if is_bold else PALE
    canvas.fill(box, "point", row.tooltip, colour=row.pen.sentinel, alpha=shade)
    middle = (left_pt + cell_pt / 2, y_pt)
    canvas.write(row.label, middle, at="center", size_pt=SMALL_PT, kind=RIMLESS, is_bold=is_bold)
