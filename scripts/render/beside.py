"""Beside: the gains of an article and those measured here, a row for each program."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from scripts.judge.statistics import Estimate
from scripts.render.chart import Chart, fold, show_key, show_sign
from scripts.render.dots import MARGINS_PT, draw_dot, lay_rows
from scripts.render.estimates import format_ratio
from scripts.render.panel import Figure, add_text
from scripts.render.pen import Pen
from scripts.render.svg import INK, MUTED
from scripts.render.words import Words

NAME_PT, ROW_PT = 17, 17
HERE, THEIRS = Pen(0), Pen(1)


@dataclass(frozen=True, slots=True)
class Gain:
    """Of a program over its baseline: as the article printed it, and as measured here."""

    program: str
    article: float
    here: Estimate


def draw_gains(
    gains: Sequence[Gain], prefix: str, title: str, found: str, table: Markup, words: Words
) -> Markup:
    """A row for each program: the article's gain hollow, ours with its interval.

    ``found`` tells how many agree; ``table`` is the same in numbers.
    """
    return Chart(
        prefix=prefix,
        title=title,
        found=found,
        height_pt=(NAME_PT + ROW_PT) * len(gains) + MARGINS_PT,
        draw=partial(_draw_rows, gains, words),
        signs=[
            (show_key(HERE), words.text("here_gain")),
            (show_key(THEIRS), words.text("article_gain")),
            (show_sign("band"), words.text("band")),
        ],
        below=fold(table, words),
    ).show()


def _draw_rows(gains: Sequence[Gain], words: Words, figure: Figure) -> dict[str, str]:
    axes = lay_rows(figure, 7, words.text("axis_speedup"))
    axes.set_xscale("log", base=2)
    tooltips = {}
    for row, gain in enumerate(gains):
        top_pt = row * (NAME_PT + ROW_PT)
        at = (0, top_pt + NAME_PT * 0.7)
        add_text(axes, gain.program, at, xycoords=("axes fraction", "data"), va="center", color=INK)
        median, ends = format_ratio(gain.here, words)
        article = words.ratio(gain.article)
        tooltips[f"g{row}"] = (
            f"{gain.program}: {words.text('here_gain')} {median}{f' ({ends})' if ends else ''}, "
            f"{words.text('article_gain')} {article}"
        )
        tooltips[f"o{row}"] = f"{gain.program}: {words.text('article_gain')} {article}"
        y_pt = top_pt + NAME_PT + ROW_PT * 0.4
        draw_dot(axes, gain.here, y_pt, HERE, f"g{row}", median)
        THEIRS.mark(axes, gain.article, y_pt, f"o{row}")
    axes.axvline(1, color=MUTED, linewidth=1)
    ends_of = [end for one in gains for end in (one.article, one.here.low, one.here.high)]
    low, high = min(1.0, *ends_of), max(2.0, *(end for end in ends_of if end < float("inf")))
    axes.set_xlim(max(low, high / 2**12) * 0.9, high * 1.1)
    axes.xaxis.set_major_formatter(lambda value, _: f"×{words.plain(value)}")
    axes.locator_params(axis="x", numticks=5)
    axes.minorticks_off()
    return tooltips
