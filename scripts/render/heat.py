"""Heat: the time by number of tasks and of workers, a panel for each program."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from scripts.judge.evidence import Evidence
from scripts.judge.judge import Judgement
from scripts.judge.selection import select_family
from scripts.judge.statistics import Estimate
from scripts.render.chart import Chart, fold, make_prefix, show_note, show_nothing, show_sign
from scripts.render.estimates import format_estimate, stack_estimate
from scripts.render.headlines import tell_workers
from scripts.render.html import cell, join, row_header, table
from scripts.render.names import describe, group_methods, name_family, name_place
from scripts.render.panel import LETTER_PT, NARROW_PT, SMALL_PT, Axes, Figure, add_panel
from scripts.render.svg import INK, MUTED, SERIES
from scripts.render.words import Words

Panel = Mapping[tuple[int, int], Judgement]
"""What was measured of a program, by tasks and workers."""

LEFT_PT, HEADING_PT, ROW_PT, TICKS_PT, GAP_PT = 50, 20, 24, 20, 12
NARROWEST_PT, WIDEST_PT = 29, 56
"""Of a cell; where so many do not fit side by side, the rest goes into the next band."""
OPACITY = (0.06, 0.5)
"""Of the least and the most; text must stay readable on it in both themes."""


def draw_heat(evidence: Evidence, words: Words, family: str) -> Markup:
    """A cell per number of tasks and of workers, with its time, the longer the stronger its shade.

    Cells with no more tasks than workers, where none has to wait its turn, are framed.
    """
    cells = [one for one in select_family(evidence, family) if one.estimate("inside_s")]
    if not cells:
        return show_nothing(words)
    panels = {
        name: {(one.record.variant.tasks, one.record.variant.workers): one for one in found}
        for name, found in group_methods(evidence, cells).items()
    }
    bands = {name: _split(panel) for name, panel in panels.items()}
    place = name_place(evidence, cells[0].record.variant, words)
    title = words.text("heat_title", family=name_family(evidence, family, words), cores=place)
    free = [(show_sign("cell"), words.text("heat_free"))]
    return Chart(
        prefix=make_prefix("heat", evidence.experiment.name, family),
        title=title,
        height_pt=(HEADING_PT + GAP_PT) * len(panels)
        + sum(len(band.workers) * ROW_PT + TICKS_PT for found in bands.values() for band in found),
        draw=partial(_draw_panels, panels, bands, evidence, words),
        signs=free if any(map(_is_free, cells)) else [],
        below=show_note(words.text("heat_note")) + fold(_show_table(panels, title, words), words),
        kind="heat",
        found=tell_workers(panels.values(), evidence, words),
        widths_pt=(NARROW_PT,),
    ).show()


@dataclass(frozen=True, slots=True)
class _Band:
    """What fits side by side of a panel: its columns, and the rows that have something in them."""

    tasks: Sequence[int]
    workers: Sequence[int]


def _split(panel: Panel) -> list[_Band]:
    """Bands as equal as can be, with room for the times and for the numbers of tasks."""
    tasks = sorted({size for size, _ in panel})
    letters = len(f"{tasks[-1]:,}") + 1
    most = int((NARROW_PT - LEFT_PT) / max(NARROWEST_PT, letters * LETTER_PT))
    width = math.ceil(len(tasks) / math.ceil(len(tasks) / most))
    return [
        _Band(found, sorted({workers for size, workers in panel if size in found}))
        for found in (tasks[start : start + width] for start in range(0, len(tasks), width))
    ]


def _make_scale(values: Sequence[float]) -> Callable[[float], float]:
    """Opacity on a logarithmic scale, from the least to the greatest of the values."""
    low, high = math.log(min(values)), math.log(max(values))
    faint, strong = OPACITY

    def shade(value: float) -> float:
        share = (math.log(value) - low) / (high - low) if high > low else 0.5
        return faint + (strong - faint) * share

    return shade


def _time(judgement: Judgement) -> Estimate:
    found = judgement.estimate("inside_s")
    assert found
    return found


def _is_free(judgement: Judgement) -> bool:
    """Whether no task has to wait for a worker."""
    return judgement.record.variant.tasks <= judgement.record.variant.workers


def _draw_panels(
    panels: Mapping[str, Panel],
    bands: Mapping[str, Sequence[_Band]],
    evidence: Evidence,
    words: Words,
    figure: Figure,
) -> dict[str, str]:
    """One panel below the other, band by band, all on the same scale; the cells' tooltips."""
    axes = _lay_out(figure)
    most = max(len(band.tasks) for found in bands.values() for band in found)
    width_pt = min(WIDEST_PT, (NARROW_PT - LEFT_PT) / most)
    times = [_time(one).median for panel in panels.values() for one in panel.values()]
    shade = _make_scale(times)
    tooltips: dict[str, str] = {}
    top_pt = 0.0
    for name, panel in panels.items():
        axes.text(LEFT_PT, top_pt + 13, name, color=INK, weight="bold")
        _label(axes, (0, top_pt + 13), words.text("axis_workers"))
        top_pt += HEADING_PT
        for band in bands[name]:
            bottom_pt = top_pt + len(band.workers) * ROW_PT
            _draw_scales(axes, band, bottom_pt, width_pt, words)
            for judgement, corner in _place(panel, band, bottom_pt, width_pt):
                key = f"c{len(tooltips)}"
                tooltips[key] = _describe(judgement, evidence, words)
                opacity = shade(_time(judgement).median)
                _draw_cell(axes, judgement, corner, width_pt, opacity, key, words)
            top_pt = bottom_pt + TICKS_PT
        top_pt += GAP_PT
    return tooltips


def _lay_out(figure: Figure) -> Axes:
    """Axes over the whole figure, counted in points from its top left corner."""
    height_pt = figure.get_figheight() * 72
    axes = add_panel(figure, 0, 0, NARROW_PT, height_pt)
    axes.set(xlim=(0, NARROW_PT), ylim=(height_pt, 0))
    axes.set_axis_off()
    return axes


def _place(
    panel: Panel, band: _Band, bottom_pt: float, width_pt: float
) -> Iterator[tuple[Judgement, tuple[float, float]]]:
    """Each cell of a band with its top left corner; the fewest workers are at the bottom."""
    for row, workers in enumerate(band.workers, 1):
        for step, tasks in enumerate(band.tasks):
            if judgement := panel.get((tasks, workers)):
                yield judgement, (LEFT_PT + step * width_pt, bottom_pt - row * ROW_PT)


def _draw_scales(axes: Axes, band: _Band, bottom_pt: float, width_pt: float, words: Words) -> None:
    _label(axes, (0, bottom_pt + 13), words.text("axis_tasks"))
    for step, tasks in enumerate(band.tasks):
        at = (LEFT_PT + (step + 0.5) * width_pt, bottom_pt + 13)
        _label(axes, at, words.number(tasks, 0), "center")
    for row, workers in enumerate(band.workers):
        at = (LEFT_PT - 5, bottom_pt - (row + 0.5) * ROW_PT + 4)
        _label(axes, at, words.number(workers, 0), "right")


def _label(axes: Axes, at: tuple[float, float], text: str, side: str = "left") -> None:
    axes.text(*at, text, color=MUTED, size=SMALL_PT, ha=side)


def _draw_cell(
    axes: Axes,
    judgement: Judgement,
    corner: tuple[float, float],
    width_pt: float,
    opacity: float,
    key: str,
    words: Words,
) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    left_pt, top_pt = corner
    axes.add_patch(
        Rectangle(
            (left_pt + 1, top_pt + 1),
            width_pt - 2,
            ROW_PT - 2,
            facecolor=to_rgba(SERIES[0], opacity),
            edgecolor=INK if _is_free(judgement) else "none",
            linewidth=1.2,
            gid=key,
        )
    )
    text = _format_seconds(_time(judgement).median, words)
    middle = (left_pt + width_pt / 2, top_pt + ROW_PT / 2 + 4)
    axes.text(*middle, text, color=INK, size=SMALL_PT, ha="center")


def _format_seconds(seconds: float, words: Words) -> str:
    """As many digits as a cell has room for."""
    magnitude = math.floor(math.log10(seconds))
    return words.number(seconds, min(4, max(0, 2 - magnitude if magnitude >= 0 else 1 - magnitude)))


def _describe(judgement: Judgement, evidence: Evidence, words: Words) -> str:
    time = format_estimate(_time(judgement), "inside_s", words)
    text = f"{describe(evidence, judgement.record.variant, words)}: {time}"
    return f"{text}, {words.text('heat_free_tooltip')}" if _is_free(judgement) else text


def _show_table(panels: Mapping[str, Panel], title: str, words: Words) -> Markup:
    """A row per number of tasks, a column per number of workers, program by program."""
    columns = sorted({workers for panel in panels.values() for _, workers in panel})

    def show(judgement: Judgement | None) -> Markup:
        if judgement is None:
            return cell("—")
        return cell(stack_estimate(_time(judgement), "inside_s", words))

    groups = {
        name: [
            row_header(words.count("tasks", tasks))
            + join(show(panel.get((tasks, workers))) for workers in columns)
            for tasks in sorted({tasks for tasks, _ in panel})
        ]
        for name, panel in panels.items()
    }
    head = [words.text("axis_tasks")]
    head += [words.count("workers", workers) for workers in columns]
    return table(words, title, head, groups, kind="sizes")
