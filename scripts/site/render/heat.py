"""Heat pictures: programs in rows, releases of Python in columns, with the GIL and without it.

Each cell has its number; what is surely faster or slower has the colour of that, and all else is pale.
Both halves stand side by side, or where there is no room below one another, program by program.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from operator import itemgetter

from markupsafe import Markup

from poolwise.pythons import rank_interpreter
from poolwise.statistics import Estimate
from scripts.site.judge.agreement import GAIN
from scripts.site.judge.evidence import Evidence, Judgement
from scripts.site.judge.rows import Track, Tracks, list_tracks
from scripts.site.judge.samples import estimate_ratio
from scripts.site.render.builds import draw_padlock
from scripts.site.render.estimates import format_ratio
from scripts.site.render.html import small
from scripts.site.render.names import name_family, title_program
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
    WIDE_PT,
    Canvas,
    Pen,
    Place,
    find_colour,
    outline_box,
)
from scripts.site.render.words import Words

STEP_MARGIN = 1.2
"""The factor by which something must surely be faster or slower to have a colour."""
BETTER, WORSE, EVEN = Pen(find_colour("sequential")), Pen(find_colour("threads")), Pen()
SHADE, PALE = 0.4, 0.1
CELL_PT, WIDEST_PT = 18.0, 44  # the height of a cell, and the most of its width
HEADING_PT, LABEL_PT, GAP_PT, PADLOCK_PT = 50.0, 16, 12, 16.0
RIMLESS = "plain"  # the class of texts that no line crosses, so that they need no rim

Column = tuple[str, str]
"""A version, and whether it ran with the GIL: ``on`` or ``off``."""


def show_gains(evidence: Evidence, words: Words, families: Sequence[str]) -> Markup:
    """Show how many times as fast as its baseline a program with most workers was on each release."""
    tracks = list_tracks(evidence, families)
    gaining = {key: rows for key, rows in tracks.items() if any(map(_find_gain, rows.values()))}
    return _show(evidence, gaining, lambda _, row: _find_gain(row), "gain", words)


def show_speeds(evidence: Evidence, words: Words, families: Sequence[str]) -> Markup:
    """Show how many times as fast as on the oldest release with the GIL one thread was."""

    def compare(track: Track, row: Judgement) -> Estimate | None:
        base = next((row for (_, gil), row in track.items() if gil == "on"), None)
        return estimate_ratio(base.sample(base.time), row.sample(row.time)) if base else None

    tracks = list_tracks(evidence, families)
    single = {key: rows for key, rows in tracks.items() if key[-1] == 1}
    return _show(evidence, single, compare, "speed", words)


def _find_gain(row: Judgement) -> Estimate | None:
    """The gain over the baseline; none of the baseline itself."""
    return None if row.baseline is row.record else row.speedup


def _show(
    evidence: Evidence,
    tracks: Tracks,
    compare: Callable[[Track, Judgement], Estimate | None],
    name: str,
    words: Words,
) -> Markup:
    measured = set(chain.from_iterable(tracks.values()))
    columns = sorted(measured, key=lambda column: (column[1] == "off", rank_interpreter(column[0])))
    if not columns:
        return show_nothing(words)
    by_workers = sorted(tracks.items(), key=lambda track: track[0][-1])
    widest = {key[:2]: track for key, track in by_workers}  # the most workers stay
    has_families = len(set(map(itemgetter(0), widest))) > 1
    rows: list[Row] = []
    for (family, program), track in widest.items():
        label = title_program(evidence.experiment, program, words)
        if has_families:
            label = name_family(evidence, family, words)
        for column, judged in track.items():
            if ratio := compare(track, judged):
                row = Row(series=label, x=columns.index(column), value=ratio, record=judged.record)
                rows.append(_fill(row, column, words))
    title = words.text(f"releases_{name}")
    names = [f"{version}, {words.text(f'gil_{gil}')}" for version, gil in columns]
    return Plot(
        prefix=make_prefix("releases", evidence.experiment.name, name),
        title=title,
        rows=rows,
        words=words,
        finding=Finding("", _tell_newest(rows, columns, name, words)),
        signs=[
            (show_sign(f"swatch series-{BETTER.colour + 1}"), words.text("releases_better")),
            (show_sign(f"swatch series-{WORSE.colour + 1}"), words.text("releases_worse")),
        ],
        has_bands=False,
        below=pivot(rows, words, title, words.text("program"), names),
        paint=partial(draw_heat, columns=columns),
    ).show()


def _fill(row: Row, column: Column, words: Words) -> Row:
    """Fill in what a row's value is written as, and the pen of what it says."""
    ratio, (version, gil), pen = row.value, column, EVEN
    assert ratio is not None
    if ratio.is_sure and ratio.low >= STEP_MARGIN:
        pen = BETTER
    elif ratio.is_sure and ratio.high <= 1 / STEP_MARGIN:
        pen = WORSE
    median, ends = format_ratio(ratio, words)
    return replace(
        row,
        pen=pen,
        metric=GAIN,
        tooltip=f"{row.series}, {version} {words.text(f'builds_{gil}')}: {median} ({ends})",
        label=words.number(ratio.median, 1),
        cell=Markup.escape(median) + small(ends),
    )


def _tell_newest(rows: Sequence[Row], columns: Sequence[Column], name: str, words: Words) -> str:
    """Tell in how many programs the newest release is better, with the GIL and without it."""
    newest = max(map(itemgetter(0), columns), key=rank_interpreter)
    counts: dict[str, str] = {}
    for gil in ("on", "off"):
        if (newest, gil) not in columns:
            return ""
        place = columns.index((newest, gil))
        better = sum(row.pen == BETTER for row in rows if row.x == place)
        counts[gil] = words.text(f"releases_{name}_none")
        if better:
            counts[gil] = words.text(f"releases_{name}_some", n=words.number(better, 0))
    programs = words.number(len(group(rows)), 0)
    places = {"version": newest, "first": columns[0][0], "all": programs, **counts}
    return words.text(f"releases_{name}_newest", **places)


# The picture.


def draw_heat(plot: Plot, width_pt: float, *, columns: Sequence[Column]) -> Canvas:
    """Draw a cell for each program and release, below the names of the releases."""
    series, is_wide = group(plot.rows), width_pt == WIDE_PT
    gils = list(dict.fromkeys(map(itemgetter(1), columns)))
    left_pt, top_pt = PADLOCK_PT, HEADING_PT + LABEL_PT
    line_pt = LABEL_PT + CELL_PT * len(gils)
    across = len(set(map(itemgetter(0), columns)))
    if is_wide:
        left_pt = min(1.1 * (max(map(len, series)) + 3) * LETTER_PT, width_pt / 3)
        top_pt, line_pt, across = HEADING_PT, CELL_PT, len(columns)
    cell_pt = min((width_pt - left_pt - GAP_PT) / across, WIDEST_PT)
    corners = _place_columns(columns, left_pt, cell_pt, is_wide=is_wide)
    canvas = Canvas(width_pt, top_pt + (line_pt + GAP_PT / 3) * len(series))
    for number, gil in enumerate(gils):
        lefts_pt: dict[str, float] = {}
        for (version, of_column), corner in zip(columns, corners, strict=True):
            if not is_wide or of_column == gil:  # below one another both have the same names
                lefts_pt[version] = corner[0]
        heads = sorted(lefts_pt.items(), key=itemgetter(1))
        x_pt = width_pt / 2 * number
        if is_wide:
            x_pt = heads[0][1]
        if is_wide or not number:
            _name_releases(canvas, heads, cell_pt, top_pt)
        _name_half(canvas, plot.words, gil, (x_pt, 9))
    for number, (label, rows) in enumerate(series.items()):
        y_pt = top_pt + (line_pt + GAP_PT / 3) * number
        canvas.write(label, (0, y_pt + CELL_PT / 2 - (not is_wide)), size_pt=SMALL_PT)
        if not is_wide:
            for place, gil in enumerate(gils):
                middle = (0, y_pt + LABEL_PT + CELL_PT * (place + 0.5))
                draw_padlock(canvas, middle, is_shut=gil == "on")
        places = [corners[int(row.x)] for row in rows]
        _draw_cells(canvas, rows, [(x_pt, y_pt + below_pt) for x_pt, below_pt in places], cell_pt)
    return canvas


def _place_columns(
    columns: Sequence[Column], left_pt: float, cell_pt: float, *, is_wide: bool
) -> list[Place]:
    """Place the cell of each column in the line of a program: by its left and upper end."""
    versions = sorted(set(map(itemgetter(0), columns)), key=rank_interpreter)
    gils = list(dict.fromkeys(map(itemgetter(1), columns)))
    corners: list[Place] = []
    for number, (version, gil) in enumerate(columns):
        half = gils.index(gil)
        corner = (left_pt + cell_pt * number + GAP_PT * half, 0.0)
        if not is_wide:
            corner = (left_pt + cell_pt * versions.index(version), LABEL_PT + CELL_PT * half)
        corners.append(corner)
    return corners


def _name_half(canvas: Canvas, words: Words, gil: str, place: Place) -> None:
    draw_padlock(canvas, place, is_shut=gil == "on")
    canvas.write(words.text(f"builds_{gil}"), (place[0] + 15, place[1]), is_bold=True)


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


def _draw_cells(
    canvas: Canvas, rows: Sequence[Row], corners: Sequence[Place], cell_pt: float
) -> None:
    """Draw the cells of a line with their numbers; what is surely faster or slower has a tooltip.

    The pale ones are one shape: there are some hundred of them in a page.
    """
    width_pt, height_pt = cell_pt - 1, CELL_PT - 1
    middles = [(x_pt + width_pt / 2, y_pt + height_pt / 2) for x_pt, y_pt in corners]
    pale: list[list[Place]] = []
    for row, (x_pt, y_pt), middle in zip(rows, corners, middles, strict=True):
        if row.pen == EVEN:
            pale.append([(x_pt, middle[1]), (x_pt + width_pt, middle[1])])
        else:
            box = outline_box(x_pt, y_pt, x_pt + width_pt, y_pt + height_pt)
            canvas.fill(box, "point", row.tooltip, colour=row.pen.sentinel, alpha=SHADE)
    canvas.draw(pale, MUTED, height_pt, alpha=PALE)
    write = partial(canvas.write, at="center", size_pt=SMALL_PT, kind=RIMLESS)
    for row, middle in zip(rows, middles, strict=True):
        if row.pen == EVEN:
            write(row.label, middle, colour=MUTED)
        else:
            write(row.label, middle, is_bold=True)
