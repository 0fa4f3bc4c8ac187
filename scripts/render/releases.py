"""Releases: how a program's gain moves from one Python to the next."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.releases import Career, list_careers, order_releases
from scripts.judge.statistics import Estimate
from scripts.judge.verdicts import GAIN_MARGIN
from scripts.render.chart import Chart, fold, make_prefix, show_key, show_nothing, show_sign
from scripts.render.estimates import format_ratio
from scripts.render.facts import name_machine
from scripts.render.html import cell, join, link_program, row_header, table
from scripts.render.labels import draw_labels, place_labels
from scripts.render.names import name_family
from scripts.render.panel import SMALL_PT, Axes, Figure, add_panel, add_text, dress, find_width
from scripts.render.pen import Pen
from scripts.render.pythons import name_pythons
from scripts.render.signs import cell_gain
from scripts.render.svg import MUTED
from scripts.render.words import Words

HEIGHT_PT, LEFT_PT, RIGHT_PT, TOP_PT, BOTTOM_PT = 260, 44, 34, 12, 30


class _Line(NamedTuple):
    """A program with the places of the Pythons that ran it and its gain on each."""

    program: str
    places: Sequence[int]
    gains: Sequence[Estimate]


def draw_releases(
    evidence: Evidence, words: Words, family: str, *, is_elsewhere: bool = False
) -> Markup:
    """A line for each program of a family through its gain on each Python, on the most cores.

    ``is_elsewhere``: on another machine than the one shown, which is then named.
    """
    careers = list(list_careers(evidence, family))
    most = max((one.cores for one in careers), default=0)
    careers = [one for one in careers if one.cores == most]
    if not careers:
        return show_nothing(words)
    names = name_oldest_first(evidence)
    shown = [id_ for id_ in names if any(id_ in one.cells for one in careers)]
    lines = [_make_line(one, shown) for one in careers]
    cores = words.count("cores", most)
    title = words.text("releases_title", family=name_family(evidence, family, words), cores=cores)
    if is_elsewhere:
        title += f" ({name_machine(evidence.machine, words)})"
    pythons = [names[id_] for id_ in shown]
    return Chart(
        prefix=make_prefix("releases", evidence.experiment.name, family),
        title=title,
        height_pt=HEIGHT_PT,
        draw=partial(_draw, lines, pythons, words),
        signs=[
            *((show_key(Pen(n), line=True), one.program) for n, one in enumerate(lines)),
            (show_sign("band"), words.text("band")),
        ],
        below=fold(_show_table(careers, shown, pythons, title, words), words),
        found=_tell_found(lines, pythons, cores, words),
    ).show()


def name_oldest_first(evidence: Evidence) -> dict[str, str]:
    """What its Pythons are called, by their ids."""
    names = name_pythons(evidence)
    return {one.id: names[one.id] for one in order_releases(evidence.interpreters)}


def _make_line(career: Career, shown: Sequence[str]) -> _Line:
    found = {
        place: gain
        for place, id_ in enumerate(shown)
        if id_ in career.cells and (gain := career.cells[id_].speedup)
    }
    return _Line(career.program, tuple(found), tuple(found.values()))


def _tell_found(lines: Sequence[_Line], pythons: Sequence[str], cores: str, words: Words) -> str:
    """The program whose gain differs most, surely by the gain margin; empty where that is open."""
    spread = []
    for line in lines:
        sure = [one for one in zip(line.gains, line.places, strict=True) if one[0].is_sure]
        most = max(sure, key=lambda one: one[0].low, default=None)
        least = min(sure, key=lambda one: one[0].high, default=None)
        if most and least:
            spread.append((most[0].low / least[0].high, line, most, least))
    if not spread:
        return ""
    factor, line, most, least = max(spread, key=lambda one: one[0])
    if factor >= GAIN_MARGIN:
        found = words.text(
            "releases_found",
            program=line.program,
            most=format_ratio(most[0], words)[0],
            most_on=pythons[most[1]],
            least=format_ratio(least[0], words)[0],
            least_on=pythons[least[1]],
        )
        return words.text("found_on", found=found, cores=cores)
    widest = max(
        max(gain.high for gain in line.gains) / min(gain.low for gain in line.gains)
        for line in lines
    )
    if widest < GAIN_MARGIN and all(gain.is_sure for line in lines for gain in line.gains):
        found = words.text("releases_same", margin=words.percent(GAIN_MARGIN - 1))
        return words.text("found_on", found=found, cores=cores)
    return ""


def _draw(
    lines: Sequence[_Line], pythons: Sequence[str], words: Words, figure: Figure
) -> dict[str, str]:
    width_pt = find_width(figure) - LEFT_PT - RIGHT_PT
    axes = add_panel(figure, LEFT_PT, TOP_PT, width_pt, HEIGHT_PT - TOP_PT - BOTTOM_PT)
    dress(axes)
    _scale(axes, lines, pythons, words)
    axes.axhline(1, color=MUTED, linewidth=1)
    tooltips: dict[str, str] = {}
    for number, line in enumerate(lines):
        tooltips |= _draw_line(axes, number, line, pythons, words)
    curves = [(line.places, [gain.median for gain in line.gains]) for line in lines]
    short = [line.program.partition("-")[0] for line in lines]
    draw_labels(axes, place_labels(axes, curves, short))
    return tooltips


def _scale(axes: Axes, lines: Sequence[_Line], pythons: Sequence[str], words: Words) -> None:
    """Pythons evenly from left to right, gains logarithmically: twice and half are as far from one."""
    from matplotlib.ticker import LogLocator

    ends = [end for line in lines for gain in line.gains for end in (gain.low, gain.high)]
    low, high = min(1.0, *ends), max(1.0, *(end for end in ends if end < float("inf")))
    axes.set_yscale("log", base=2)
    axes.set_ylim(max(low, high / 2**12) / 1.15, high * 1.15)
    axes.yaxis.set_major_locator(LogLocator(base=2, numticks=7))
    axes.yaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    axes.minorticks_off()
    axes.set_xlim(-0.3, len(pythons) - 0.7)
    axes.set_xticks(range(len(pythons)), [""] * len(pythons))
    for place, name in enumerate(pythons):  # as texts, which are cleaned of whatever is in them
        at: Any = {"xycoords": ("data", "axes fraction"), "ha": "center", "size": SMALL_PT}
        add_text(axes, name, (place, 0), (0, -14), color=MUTED, **at)


def _draw_line(
    axes: Axes, number: int, line: _Line, pythons: Sequence[str], words: Words
) -> dict[str, str]:
    """A line through its points, their intervals and tooltips."""
    pen = Pen(number)
    medians = [gain.median for gain in line.gains]
    axes.plot(line.places, medians, color=pen.colour, linestyle=pen.dash)
    tooltips = {}
    for place, gain in zip(line.places, line.gains, strict=True):
        axes.plot((place, place), (gain.low, gain.high), color=pen.colour, linewidth=4, alpha=0.45)
        key = f"r{number}-{place}"
        pen.mark(axes, place, gain.median, key, 5.5)
        middle, ends = format_ratio(gain, words)
        tooltips[key] = f"{line.program}, {pythons[place]}: {middle}" + f" ({ends})" * bool(ends)
    return tooltips


def _show_table(
    careers: Sequence[Career],
    shown: Sequence[str],
    pythons: Sequence[str],
    caption: str,
    words: Words,
) -> Markup:
    def show(career: Career, id_: str) -> Markup:
        judged = career.cells.get(id_)
        if judged is None or judged.speedup is None:
            return cell("—")
        return cell_gain(judged.verdict, format_ratio(judged.speedup, words), words)

    rows = [
        row_header(link_program(one.program)) + join(show(one, id_) for id_ in shown)
        for one in careers
    ]
    return table(words, caption, [words.text("program"), *pythons], rows, kind="sizes")
